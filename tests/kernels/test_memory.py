"""A hint to the processor: it changes nothing."""

import numpy as np

from fogtree.kernels import kernel
from fogtree.kernels.memory import fetch_row


@kernel
def total(table, rows):
    found = 0.0
    for i in range(rows.shape[0]):
        fetch_row(table, rows[(i + 1) % rows.shape[0]])
        found += table[rows[i], 0]
    return found


def test_a_row_that_is_asked_for_early_is_read_as_it_is():
    table, rows = np.arange(24.0).reshape(8, 3), np.array([7, 0, 3, 3])
    before = table.copy()
    assert total(table, rows) == total.interpreted(table, rows) == table[rows, 0].sum()
    assert (table == before).all()


def test_rows_of_a_part_of_a_table_are_found_too():
    table = np.arange(64.0).reshape(8, 8)[::2, 1:5]
    assert total(table, np.array([0, 3])) == table[0, 0] + table[3, 0]
