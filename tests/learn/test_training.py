"""Training by self-play: the same to the last bit from the same seed, gone on with after a stop, and better than before."""

import numpy as np
import pytest

from fogtree import Invalid, Kuhn
from fogtree.arena.pairs import match
from fogtree.evaluation import features_of, linear
from fogtree.games import Breakthrough, ConnectFour
from fogtree.games.connect_four import ConnectFourFeatures
from fogtree.learn.training import METHODS, PART_GAMES, Training, train
from fogtree.learn.weights import load_weights
from fogtree.runs import stored_runs

GAME = ConnectFour(4, 5)


def trainee(by="treestrap", seed=1, **options):
    return Training(GAME, features_of(GAME), by, seed=seed, depth=2, **options)


def test_the_same_seed_gives_the_same_weights_and_another_gives_others():
    first, again, other = (train(trainee(seed=seed), games=6)[-1] for seed in (1, 1, 2))
    assert (first.weight == again.weight).all() and first[1:4] == again[1:4]
    assert (first.weight != other.weight).any() and first.games == 6


def test_training_goes_on_where_it_stopped(tmp_path):
    store = tmp_path / "runs.sqlite"

    def stop_after_one(progress):
        if progress.done == 1:
            raise KeyboardInterrupt

    whole = train(trainee(), games=2 * PART_GAMES + 5)
    with pytest.raises(KeyboardInterrupt):
        train(trainee(), games=2 * PART_GAMES + 5, store=store, progress=stop_after_one)
    pieces = train(trainee(), games=2 * PART_GAMES + 5, store=store)
    assert [point.games for point in pieces] == [0, PART_GAMES, 2 * PART_GAMES, 2 * PART_GAMES + 5]
    (known,) = stored_runs(store)
    assert (known.done, known.wanted) == (3, 3)
    for one, other in zip(whole, pieces, strict=True):
        assert (one.weight == other.weight).all() and one[1:4] == other[1:4]


def test_a_second_process_at_the_same_training_is_told_so_between_two_parts_too(tmp_path):
    store = tmp_path / "runs.sqlite"
    told = []

    def meanwhile(progress):
        with pytest.raises(Invalid, match=r"another process is at work on this run \(learn, ") as refused:
            train(trainee(), games=PART_GAMES + 5, store=store)
        told.append(refused)

    curve = train(trainee(), games=PART_GAMES + 5, store=store, progress=meanwhile)
    assert len(told) == 2 and curve[-1].games == PART_GAMES + 5
    assert train(trainee(), games=PART_GAMES + 5, store=store)[-1].nodes == curve[-1].nodes  # and then it is free


@pytest.mark.parametrize("much", [{"games": 10**15}, {"minutes": 1e15}])
def test_training_that_would_never_end_begins_at_once(much):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(trainee(), **much, progress=stop)


def test_minimax_alone_prunes_nothing():
    found = {by: type(trainee(by).pupil.search.pruning).__name__ for by in METHODS}
    assert found == dict.fromkeys(METHODS, "Sound") | {"treestrap-minimax": "Whole"}


def test_time_is_the_processors():
    curve = train(trainee(), minutes=0.005)
    assert len(curve) == 2 and 0.3 <= curve[-1].seconds < 3 and curve[-1].nodes > curve[-1].moves > 0


@pytest.mark.parametrize("by", ["rootstrap", "treestrap", pytest.param("td-leaf", marks=pytest.mark.slow)])
def test_who_has_learned_beats_who_has_not(by):
    curve = train(trainee(by), games=300)
    new, old = (linear(GAME, features_of(GAME), curve[k].weight) for k in (-1, 0))
    score = match(GAME, new, old, pairs=60, depth=2, seed=9)
    assert score.mean > 0.5 + 2 * score.deviation


def test_an_evaluation_is_even_with_itself():
    evaluation = linear(GAME, features_of(GAME), train(trainee(), games=5)[-1].weight)
    score = match(GAME, evaluation, evaluation, pairs=10, depth=2)
    assert score == (0.5, 0.0, 20)


def test_weights_are_a_file_with_an_identity(tmp_path):
    path, made = tmp_path / "weights.npz", trainee()
    train(made, games=2)
    made.weights("the command").save(path)
    read = load_weights(path)
    assert read.command == "the command" and (read.weight == made.pupil.evaluation.weight).all()
    evaluation = read.evaluation(GAME, features_of(GAME))
    assert (evaluation.weight == read.weight).all()
    with pytest.raises(
        Invalid, match=r"these weights are for the game ConnectFour\(rows=4.*not for ConnectFour\(rows=5"
    ):
        read.evaluation(ConnectFour(5, 5), features_of(GAME))
    with pytest.raises(Invalid, match=r"these weights are for the features ConnectFourFeatures\(rows=4"):
        read.evaluation(GAME, ConnectFourFeatures(4, 4))
    np.savez(path, format=1, game="", features="", command="", weight=np.array([np.nan]))
    with pytest.raises(Invalid, match="holds no valid weights"):
        load_weights(path)
    with pytest.raises(Invalid, match="there is no file"):
        load_weights(tmp_path / "none.npz")


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(Invalid, match=f"there is no way to learn called 'magic': valid are {', '.join(METHODS)}"):
        trainee("magic")
    with pytest.raises(Invalid, match="give a number of games or of minutes"):
        train(trainee())
    with pytest.raises(Invalid, match="minutes must be a finite number above 0, not inf"):
        train(trainee(), minutes=float("inf"))
    with pytest.raises(Invalid, match="step must be a number above 0, not 0"):
        trainee(step=0)
    with pytest.raises(Invalid, match="Kuhn has no features to learn with"):
        features_of(Kuhn())
    assert features_of(Breakthrough(5, 4)).size() == 31
