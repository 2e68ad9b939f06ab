"""PGN, read and written through python-chess: round trips, and files that are wrong."""

import random
import sys

import pytest

from fogtree import OVER, Invalid
from fogtree.bridges.pgn import ROSTER, Scoresheet, read_pgn, scoresheet, write_pgn
from fogtree.game import label, legal, new_state, read
from fogtree.games.chess import Chess

pytest.importorskip("chess")
GAME = Chess()
ENDING = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 60"
OPERA = """[Event "Paris Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]
[ECO "C41"]

1. e4 e5 2. Nf3 d6 {solid} 3. d4 Bg4?! (3... exd4 4. Qxd4) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6
9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ $1 Nxb8
17. Rd8# 1-0
"""


def random_actions(seed, most=60):
    dice, state, actions = random.Random(seed), new_state(GAME), []
    while len(actions) < most and (choices := legal(GAME, state)):
        actions.append(dice.choice(choices))
        GAME.step(state, actions[-1])
    return actions


def test_a_famous_game_is_read(tmp_path):
    path = tmp_path / "opera.pgn"
    path.write_text(OPERA)
    (sheet,) = read_pgn(path)
    assert (
        sheet.result == "1-0" and sheet.tags["White"] == "Morphy" and sheet.tags["ECO"] == "C41" and sheet.start == ""
    )
    states = sheet.states()
    assert len(sheet.actions) == 33 and label(GAME, states[-2], sheet.actions[-1]) == "Rd8#"
    assert GAME.player(states[-1]) == OVER and GAME.payoff(states[-1], 0) == 1


def test_what_was_written_is_read_back(tmp_path):
    path = tmp_path / "games.pgn"
    sheets = [scoresheet(random_actions(seed), White='Näme "quoted"', Round=str(seed)) for seed in range(5)]
    sheets.append(scoresheet([], start=ENDING))
    sheets.append(scoresheet([], start=ENDING.removesuffix(" 0 60")))  # as it was written
    sheets.append(scoresheet([], Event="nothing was played"))
    write_pgn(path, sheets)
    assert read_pgn(path) == sheets
    again = tmp_path / "again.pgn"
    write_pgn(again, read_pgn(path))
    assert again.read_text() == path.read_text()


def test_the_result_is_what_our_rules_say():
    state, actions = new_state(GAME), []
    for text in ("f3", "e5", "g4", "Qh4#"):
        actions.append(read(GAME, state, text))
        GAME.step(state, actions[-1])
    assert scoresheet(actions).result == "0-1" and scoresheet(actions[:3]).result == "*"
    assert scoresheet([], start="8/8/8/8/8/4k3/8/4K3 w - - 0 60").result == "1/2-1/2"
    assert scoresheet([]).tags == ROSTER
    with pytest.raises(Invalid, match="action 796 is not legal after 1 half-moves"):
        scoresheet([796, 796])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(tmp_path, end):
    path = tmp_path / "two.pgn"
    path.write_bytes((OPERA + "\n" + OPERA).replace("\n", end).encode())
    assert [(sheet.tags["White"], len(sheet.actions)) for sheet in read_pgn(path)] == [("Morphy", 33)] * 2


def test_quotes_and_backslashes_in_tags_are_written_as_the_standard_says(tmp_path):
    path = tmp_path / "quoted.pgn"  # PGN standard, 7: a backslash stands before both
    write_pgn(path, [scoresheet([], White='The "Fool"', Black="a\\b\\")])
    assert '[White "The \\"Fool\\""]' in path.read_text() and '[Black "a\\\\b\\\\"]' in path.read_text()
    (sheet,) = read_pgn(path)
    assert (sheet.tags["White"], sheet.tags["Black"]) == ('The "Fool"', "a\\b\\")


def test_moves_after_a_draw_by_our_rules_are_kept(tmp_path):
    path = tmp_path / "on.pgn"
    there_and_back = "Nf3 Nf6 Ng1 Ng8 " * 30
    path.write_text(f"{there_and_back} *\n")
    (sheet,) = read_pgn(path)
    assert len(sheet.actions) == 120 and GAME.player(sheet.states()[-1]) == OVER


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "bad.pgn has no game in PGN"),
        ("1. e4 e5 2. Ke3 *", "bad.pgn, game 1: illegal san: 'Ke3'"),
        ("1. e4 e5 *\n\n1. Nd2 *", "bad.pgn, game 2: illegal san: 'Nd2'"),
        ('[FEN "8/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n*', "is no position of chess: Black has 0 kings instead of 1"),
        ('[Variant "Atomic"]\n\n1. e4 *', "bad.pgn, game 1: the rules are those of Atomic, not of chess"),
        ('[FEN "nonsense"]\n\n*', "bad.pgn, game 1: "),
        ("\x00\x01\x02", "bad.pgn has no game in PGN"),
        ("this is a letter, and no game", "bad.pgn has no game in PGN"),
        ("1. e4 " + "(" * 2000 + " d5 " + ")" * 2000 + " e5 *", "bad.pgn, game 1: it cannot be read"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(tmp_path, capfd, text, reason):
    path = tmp_path / "bad.pgn"
    path.write_text(text)
    with pytest.raises(Invalid) as refused:
        read_pgn(path)
    assert reason in str(refused.value) and "\n" not in str(refused.value)
    assert capfd.readouterr() == ("", "")


def test_what_cannot_be_written_is_refused_and_leaves_no_file(tmp_path):
    path = tmp_path / "bad.pgn"
    for sheet, reason in [
        (Scoresheet((0,)), "bad.pgn, game 1: action 0 is not legal after 0 half-moves"),
        (Scoresheet((796, -1)), "bad.pgn, game 1: action -1 is not legal after 1 half-moves"),
        (Scoresheet((), "2-0"), "a result is 1-0, 0-1, 1/2-1/2 or *, not 2-0"),
        (Scoresheet((), tags={"a b": "c"}), "bad.pgn, game 1: a tag cannot be written"),
        (Scoresheet((), tags={"White": "a\nb"}), "a tag cannot be written: White has more than one line"),
        (Scoresheet((), tags={"White": "\ud800"}), "a tag cannot be written: 'utf-8' codec can't encode"),
        (Scoresheet((), tags={"FEN": ENDING}), "a scoresheet has no tag FEN: its fields start and result say"),
        (Scoresheet((), tags={"Result": "1-0"}), "a scoresheet has no tag Result: its fields start and result say"),
        (Scoresheet((), start="nowhere"), "'nowhere' is no position of chess"),
    ]:
        with pytest.raises(Invalid) as refused:
            write_pgn(path, [sheet])
        assert reason in str(refused.value) and not path.exists()
    with pytest.raises(Invalid, match="cannot be written"):
        write_pgn(tmp_path / "no" / "folder.pgn", [scoresheet([])])


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(Invalid, match="there is no file"):
        read_pgn(tmp_path / "none.pgn")
    with pytest.raises(Invalid, match="cannot be read"):
        read_pgn(tmp_path)


def test_without_python_chess_the_reader_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "chess.pgn", None)
    with pytest.raises(Invalid, match="python-chess is not installed: pip install chess"):
        read_pgn(tmp_path / "none.pgn")
