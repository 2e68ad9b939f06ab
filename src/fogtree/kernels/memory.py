"""What a processor can be told about memory. Hints change no result, and interpreted they do nothing: but in a table that is
larger than the caches, each row that was not asked for in time costs a hundred instructions.
"""


def fetch_row(array, row):
    """The row of a table [rows, columns] will be needed soon: begin to load it, and do not wait."""
