"""Strategies: tables that are looked up, saved and loaded, and never believed unread."""

import io
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fogtree
import plain
from fogtree import Goofspiel, Invalid, Kuhn, Strategy
from fogtree.game import identity
from fogtree.strategy import ARRAYS

KUHN = Kuhn()
GOOD = {"player": [0, 1], "view": [5, -7], "first": [0, 2, 3], "action": [0, 1, 1], "probability": [0.25, 0.75, 1.0]}


def strategy(game=KUHN, **changed):
    return Strategy(game, **(GOOD | changed))


def stored(path, **changed):
    """A file like one that was saved, with some arrays changed or, if None, left out."""
    arrays = {field: np.array(GOOD[field], kind) for field, kind in ARRAYS.items()}
    arrays |= {"format": np.array(1), "game": np.array(identity(KUHN))} | changed
    np.savez(path, **{field: array for field, array in arrays.items() if array is not None})
    return path


# --- looking up ---


def test_a_set_is_looked_up_by_player_and_view():
    made = strategy()
    assert made[0, 5] == {0: 0.25, 1: 0.75} and made[1, -7] == {1: 1.0}
    assert len(made) == 2
    assert repr(made) == "<strategy of Kuhn(cards=3), rules version 1: 2 information sets>"


@pytest.mark.parametrize("key", [(1, 5), (0, -7), (0, 6), (2, 5)])
def test_a_set_that_is_not_listed_is_a_key_error(key):
    with pytest.raises(KeyError):
        strategy()[key]


def test_uniform_play_lists_nothing():
    assert len(Strategy.uniform(KUHN)) == 0
    with pytest.raises(KeyError):
        Strategy.uniform(KUHN)[0, 5]


def test_every_set_of_a_large_table_is_found_again():
    root = plain.tree(Goofspiel(4))
    table = plain.random_table(root, 3)
    made = plain.strategy_of(Goofspiel(4), table)
    assert len(made) == len(table) == 2 * 369  # the forced last cards are sets too
    assert {key: made[key] for key in table} == table == plain.rows(made)


def test_players_may_have_the_same_view():
    made = strategy(view=[5, 5])
    assert made[0, 5] != made[1, 5]


# --- what makes no sense ---


@pytest.mark.parametrize(
    "changed, sentence",
    [
        ({"probability": [0.25, 0.7, 1.0]}, "probabilities sum to 1, but not those of player 0 at view 5: 0.95"),
        ({"probability": [0.25, 0.75, 0.0]}, "probabilities sum to 1, but not those of player 1 at view -7: 0"),
        ({"probability": [-0.25, 1.25, 1.0]}, "a strategy's probabilities lie between 0 and 1"),
        ({"probability": [float("nan"), 1.0, 1.0]}, "a strategy's probabilities lie between 0 and 1"),
        ({"probability": [float("inf"), 0.0, 1.0]}, "a strategy's probabilities lie between 0 and 1"),
        ({"probability": [0.25, 0.75]}, "a strategy's arrays do not fit together"),
        ({"player": [0]}, "a strategy's arrays do not fit together"),
        ({"first": [0, 3]}, "a strategy's arrays do not fit together"),
        ({"first": []}, "a strategy's arrays do not fit together"),
        ({"view": [[5, -7]]}, "a strategy's arrays have one dimension"),
        ({"first": [0, 2, 2]}, "a strategy gives each information set one action or more, in one row after the other"),
        ({"first": [0, 3, 3]}, "a strategy gives each information set one action or more, in one row after the other"),
        ({"first": [1, 2, 3]}, "a strategy gives each information set one action or more, in one row after the other"),
        ({"first": [0, -1, 3]}, "a strategy gives each information set one action or more, in one row after the other"),
        ({"action": [1, 0, 1]}, "a strategy lists the actions of an information set ascending, each once"),
        ({"action": [1, 1, 1]}, "a strategy lists the actions of an information set ascending, each once"),
        ({"player": [0, -1]}, "a strategy's players are numbered from 0 to 255"),
        ({"player": [0, 256]}, "a strategy's players are numbered from 0 to 255"),
        ({"player": [0, 65_537]}, "a strategy's players are numbered from 0 to 255"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(changed, sentence):
    with pytest.raises(Invalid) as refusal:
        strategy(**changed)
    assert str(refusal.value) == sentence


def test_rows_cannot_run_backwards_by_overflow():
    # each number seems to be above the one before it, if differences wrap round
    high = 2**63 - 1
    with pytest.raises(Invalid, match="in one row after the other"):
        Strategy(KUHN, [0] * 4, range(4), [0, high, -high - 1, -1, 3], [0, 1, 2], [1.0] * 3)


def test_sums_may_be_off_by_rounding():
    assert strategy(probability=[0.25, 0.7500001, 1.0])[0, 5] == {0: 0.25, 1: 0.7500001}


@pytest.mark.parametrize("error", [2e-6, 1e-4, 5e-3])
def test_sums_may_not_be_off_by_more(error):
    for wrong in (0.75 - error, 0.75 + error):
        with pytest.raises(Invalid, match="probabilities sum to 1, but not those of player 0 at view 5"):
            strategy(probability=[0.25, wrong, 1.0])
    with pytest.raises(Invalid, match="probabilities lie between 0 and 1"):
        strategy(probability=[0.25, 0.75, 1.0 + error])


def test_a_set_that_is_listed_twice_is_refused():
    with pytest.raises(Invalid, match="lists some information set twice"):
        strategy(player=[0, 0], view=[5, 5])[0, 5]


# --- whose it is ---


def test_a_strategy_belongs_to_its_game_and_parameters():
    made = strategy()
    made.belongs_to(Kuhn())
    for other in (Kuhn(cards=4), Goofspiel()):
        with pytest.raises(Invalid, match=r"this is a strategy of Kuhn\(cards=3\), rules version 1, not of "):
            made.belongs_to(other)


def test_a_strategy_of_another_version_of_the_rules_is_refused(monkeypatch, tmp_path):
    strategy().save(tmp_path / "old.npz")
    monkeypatch.setattr(Kuhn, "version", lambda game: 2)
    with pytest.raises(Invalid) as refusal:
        Strategy.load(tmp_path / "old.npz", Kuhn())
    old, new = "Kuhn(cards=3), rules version 1", "Kuhn(cards=3), rules version 2"
    assert str(refusal.value) == f"{tmp_path / 'old.npz'} is a strategy of {old}, not of {new}"


# --- files ---


@pytest.mark.parametrize("seed", range(3))
def test_a_strategy_that_was_saved_is_loaded_as_it_was(tmp_path, seed):
    made = plain.random_strategy(KUHN, plain.tree(KUHN), seed)
    made.save(tmp_path / "kuhn.npz")
    again = Strategy.load(tmp_path / "kuhn.npz", KUHN)
    assert again.game == made.game and plain.rows(again) == plain.rows(made)
    for field, kind in ARRAYS.items():
        assert getattr(again, field).dtype == kind and (getattr(again, field) == getattr(made, field)).all()


@pytest.mark.parametrize(("players", "kind"), [([0, 127], np.int8), ([129, 255], np.int16)])
def test_256_players_have_room_and_files_of_few_stay_as_they_were(tmp_path, players, kind):
    made = strategy(player=players)
    assert made[players[0], 5] == {0: 0.25, 1: 0.75} and made[players[1], -7] == {1: 1.0}
    made.save(tmp_path / "many.npz")
    with np.load(tmp_path / "many.npz") as file:
        assert file["player"].dtype == kind and file["format"] == 1
    assert plain.rows(Strategy.load(tmp_path / "many.npz", KUHN)) == plain.rows(made)


def test_uniform_play_can_be_saved(tmp_path):
    Strategy.uniform(KUHN).save(tmp_path / "uniform.npz")
    assert len(Strategy.load(tmp_path / "uniform.npz", KUHN)) == 0


def test_a_file_keeps_its_name_and_needs_no_game_to_be_read(tmp_path):
    strategy().save(tmp_path / "no-ending")
    assert [path.name for path in tmp_path.iterdir()] == ["no-ending"]
    assert Strategy.load(tmp_path / "no-ending").game == identity(KUHN)


def test_a_file_that_belongs_to_another_game_is_refused(tmp_path):
    strategy().save(tmp_path / "kuhn.npz")
    with pytest.raises(
        Invalid, match=r"kuhn.npz is a strategy of Kuhn\(cards=3\), rules version 1, not of Goofspiel\("
    ):
        Strategy.load(tmp_path / "kuhn.npz", Goofspiel())


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    strategy().save(tmp_path / "kept.npz")
    before = (tmp_path / "kept.npz").read_bytes()

    def full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(Invalid, match=r"kept\.npz cannot be written: No space left on device"):
        Strategy.uniform(KUHN).save(tmp_path / "kept.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.npz"]
    assert (tmp_path / "kept.npz").read_bytes() == before


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(Invalid, match="cannot be written: No such file or directory"):
        strategy().save(tmp_path / "nowhere" / "kuhn.npz")
    with pytest.raises(Invalid, match="there is no file"):
        Strategy.load(tmp_path / "nowhere" / "kuhn.npz")
    with pytest.raises(Invalid, match="cannot be read"):
        Strategy.load(tmp_path)


class Trap:
    """Would leave a file behind if it were ever unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("how", ["object array", "bare pickle", "pickle in the archive"])
def test_nothing_that_a_file_holds_is_ever_run(tmp_path, how):
    trap = tmp_path / "sprung"
    file = tmp_path / "hostile.npz"
    if how == "object array":
        stored(file, view=np.array([Trap(trap), Trap(trap)], object))
    elif how == "bare pickle":
        file.write_bytes(pickle.dumps(Trap(trap)))
    else:
        stored(file, view=None)
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr("view", pickle.dumps(Trap(trap)))
    with pytest.raises(Invalid, match=r"hostile\.npz (cannot be read|is not what it should be): "):
        Strategy.load(file)
    assert not trap.exists()


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"format": np.array(2)}, "is a strategy in format 2, this is for format 1"),
        ({"format": np.array("one")}, "is a strategy in format one, this is for format 1"),
        ({"format": np.array([1, 1])}, r"is a strategy in format \[1 1\], this is for format 1"),
        ({"view": None}, "is not what it should be: it lacks view"),
        ({"game": None, "format": None}, "is not what it should be: it lacks format, game"),
        ({"view": np.array([5.5, 7.0])}, "holds no valid strategy: its view is of type float64"),
        ({"probability": np.array(["a", "b", "c"])}, "holds no valid strategy: its probability is of type <U1"),
        ({"player": np.array([0, 300])}, "holds no valid strategy: its player is of type int64"),
        ({"view": np.array([5, 5]), "player": np.zeros(2, np.int8)}, "holds no valid strategy: .* set twice"),
        ({"probability": np.array([0.5, 0.6, 1.0])}, "holds no valid strategy: probabilities sum to 1, but"),
        ({"action": np.array([1, 0, 1])}, "holds no valid strategy: a strategy lists the actions .* ascending"),
        ({"first": np.array([0, 2**62, 3])}, "holds no valid strategy: .* in one row after the other"),
        ({"view": np.zeros((2, 2), np.int64)}, "holds no valid strategy: a strategy's arrays have one dimension"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_in_one_sentence(tmp_path, changed, words):
    with pytest.raises(Invalid, match=f"odd.npz {words}") as refusal:
        Strategy.load(stored(tmp_path / "odd.npz", **changed))
    assert "\n" not in str(refusal.value)


def test_a_single_array_is_no_strategy(tmp_path):
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(Invalid, match=r"array\.npy cannot be read: it was cut short, or Fogtree has not written it"):
        Strategy.load(tmp_path / "array.npy")


def test_an_array_that_claims_to_be_huge_is_refused(tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<i8", "fortran_order": False, "shape": (2**60,)})
    stored(tmp_path / "huge.npz", view=None)
    with zipfile.ZipFile(tmp_path / "huge.npz", "a") as archive:
        archive.writestr("view.npy", header.getvalue() + bytes(16))
    with pytest.raises(Invalid, match=r"huge\.npz cannot be read: "):
        Strategy.load(tmp_path / "huge.npz")


def test_a_file_cut_short_anywhere_is_refused(tmp_path):
    strategy().save(tmp_path / "whole.npz")
    whole = (tmp_path / "whole.npz").read_bytes()
    for length in range(0, len(whole), 29):
        (tmp_path / "cut.npz").write_bytes(whole[:length])
        with pytest.raises(Invalid, match=r"cut\.npz (cannot be read|is not what it should be): "):
            Strategy.load(tmp_path / "cut.npz")


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_a_file_with_a_changed_byte_is_loaded_right_or_refused(tmp_path, place, byte):
    strategy().save(tmp_path / "whole.npz")
    data = bytearray((tmp_path / "whole.npz").read_bytes())
    data[int(place * len(data))] = byte
    (tmp_path / "changed.npz").write_bytes(data)
    try:
        again = Strategy.load(tmp_path / "changed.npz")
    except Invalid as refusal:
        assert str(refusal).startswith(f"{tmp_path / 'changed.npz'} ")
    else:
        assert plain.rows(again) == plain.rows(strategy())


def test_the_public_name_is_the_same_class():
    assert fogtree.Strategy is Strategy


@pytest.mark.parametrize("path", ["/dev/zero", "."])
def test_what_is_no_ordinary_file_is_refused_and_never_read(path):
    with pytest.raises(Invalid, match="cannot be read: it is no ordinary file"):
        Strategy.load(path)
