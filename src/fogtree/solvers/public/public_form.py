"""A game of public cards as solvers with vectors over hands walk it: its betting, its boards, and the hands on each board.

The public tree of a poker game is a betting tree (`betting.py`) with a deal of public cards between its stages. All boards of
a stage have the same betting, so neither is written out for the other: a place in the public tree is a board and a node.

**Betting.** The nodes of a stage lie entry by entry: an *entry* is a place where chance has dealt. Below it are decisions and
ends, and *gates* to the entries of the next stage. Nodes lie breadth first, so that the children of a node are neighbours. A
showdown before the last stage, where nobody has anything left to bet, goes through gates to the last stage, because the cards
are dealt anyway. The entries of the last stage are taken in *groups*, which are small enough for the cache.

**Boards.** They are listed depth first, one of each kind: boards that differ only by a symmetry of the cards have the same
values for moved hands. So a board has *images*, one for each board of its kind, that say where its hands are in the deal
before. This is exact if whatever else tells hands apart, such as ranges, has the same symmetries.

**Hands.** Each player has a list of hands with a weight each: all of them, or a range. On a board only those hands are listed
that share no card with it, so that small decks waste nothing.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import Invalid
from ...game import NONE, OVER, identity
from ...walk.slices import Progress, Watcher
from .betting import BettingTree, betting_tree, told_tree
from .cards import Board, Hands, PublicCards, hands_of, moved_hands, orbits, public_cards
from .lines import FOLD, GATE, SHOW

GROUP = 48 << 10  # numbers in the rows of a group of entries: what a core's cache holds
PARTS = 3  # of what an end pays: see `Betting.pay`


class Betting(NamedTuple):
    """The betting of all stages, as compiled code reads it."""

    kind: np.ndarray  # [nodes] a player, FOLD, SHOW or GATE
    first: np.ndarray  # [nodes] the first child; the others follow
    count: np.ndarray  # type: ignore[assignment]  # [nodes] children
    block: np.ndarray  # [nodes] how many rows of actions the same player has before it in the stage
    locked: np.ndarray  # [nodes] whether its mixes are given, and neither learned nor replaced by a best response
    source: np.ndarray  # [player, nodes] for a player: where the other's reach was last changed, here or above
    pay: np.ndarray  # [player, nodes, PARTS] what an end pays: by what is weaker, what is not stronger, and by all
    entry: np.ndarray  # [entries] the nodes where lines of betting begin
    gate: np.ndarray  # [entries] the gate before each, NONE for the first
    start: np.ndarray  # [groups + 1] where the nodes of a group begin
    opens: np.ndarray  # [groups + 1] where its entries begin
    folds: np.ndarray  # [groups + 1] and its folds
    shows: np.ndarray  # [groups + 1] and its showdowns
    fold: np.ndarray  # [folds] the nodes
    show: np.ndarray  # [showdowns]
    groups: np.ndarray  # [stages + 1] where the groups of a stage begin; all stages but the last have one
    shift: np.ndarray  # [groups] the row of a node in scratch is its number less this


class Boards(NamedTuple):
    """One board of each kind, depth first."""

    stage: np.ndarray  # [boards]
    parent: np.ndarray  # [boards] NONE for the first
    after: np.ndarray  # [boards] the next board that does not come out of it


class Hold(NamedTuple):
    """A player's hands on all boards. Those of a board lie side by side, in the order of the player's list."""

    width: np.ndarray  # [boards] how many
    start: np.ndarray  # [boards]
    low: np.ndarray  # [all] a card, counted from 1
    high: np.ndarray  # [all] the other (`cards.Hands`)
    read: np.ndarray  # [all] the other as it is read
    up: np.ndarray  # [all] its place on the board before
    same: np.ndarray  # [all] the place of the same hand in the other's list; behind the last if it is not there
    order: np.ndarray  # [all] the places, weakest first; on boards of the last stage
    rank: np.ndarray  # [all] how strong the hands in this order are: equal numbers split the pot
    images: np.ndarray  # [boards + 1] where the images of a board begin
    image: np.ndarray  # [images] where the places of an image begin in the next array
    place: np.ndarray  # [all images] places on the board before
    weight: np.ndarray  # [hands of the first board]


class PublicForm(NamedTuple):
    """A game of public cards, ready for vectors over hands."""

    name: str
    game: Any
    tree: BettingTree
    cards: PublicCards
    betting: Betting
    boards: Boards
    hold: tuple[Hold, Hold]
    node: (
        np.ndarray
    )  # [nodes] which node of the tree a node of the betting is; NONE for gates behind which there is an end
    board: list[Board]  # [boards]
    hands: tuple[list[np.ndarray], list[np.ndarray]]  # [player][board][hand] its number in `cards.all_hands`
    images: list[list[np.ndarray]]  # [boards] symmetries to the boards of its kind that follow the same board
    blocks: np.ndarray  # [player, stage] rows of actions
    zero_sum: bool
    chance: np.ndarray  # [stages] the weight of a pair of hands on one board

    def entries(self, player: int) -> int:
        """How many numbers there are for a player: one for each action of each information set."""
        return int((self.blocks[player][self.boards.stage] * self.hold[player].width).sum())

    def all_images(self, board: int) -> list[np.ndarray]:
        """Symmetries to all boards that this one stands for."""
        parent = int(self.boards.parent[board])
        before = [np.arange(self.cards.cards)] if parent == NONE else self.all_images(parent)
        return [outer[inner] for outer in before for inner in self.images[board]]

    def alike(self, player: int, board: int) -> list[np.ndarray]:
        """[symmetry][hand] where each symmetry that keeps a board, deal by deal, takes the hands of a player's list there.
        Only the identity where no board stands for another. Whatever else is asked of such hands must be the same too."""
        hands = self.hands[player][board]
        if all(len(images) == 1 for images in self.images):
            return [np.arange(len(hands))]
        path = [board]
        while (before := int(self.boards.parent[path[0]])) != NONE:
            path.insert(0, before)
        sizes = [len(self.board[b]) for b in path]
        deals = [set(self.board[board][a:b]) for a, b in zip([0, *sizes], sizes, strict=False)]
        found = []
        for symmetry in map(np.array, self.cards.symmetries):
            if all({int(symmetry[card]) for card in deal} == deal for deal in deals):
                found.append(np.searchsorted(hands, moved_hands(hands_of(self.cards), symmetry)[hands]))
        return found

    def stages(self, nodes: np.ndarray) -> np.ndarray:
        """On which stage nodes of the betting stand."""
        return np.searchsorted(self.betting.start[self.betting.groups], nodes, side="right") - 1

    def find(self, cards: Sequence[int]) -> tuple[int, np.ndarray]:
        """The board that stands for the first board with these cards dealt after it, and the symmetry that leads from it to
        the one that was asked for."""
        most = sum(self.cards.dealt[1 : self.tree.stages])
        if len(cards) > most:
            told = f"only {most} card{'' if most == 1 else 's'} can be dealt there, not {len(cards)}"
            raise Invalid(told if most else "no card can be dealt there any more")
        if {*self.board[0]} & {*cards}:
            raise Invalid(f"{'one of these cards' if len(cards) > 1 else 'this card'} lies on the board already")
        b, symmetry, at = 0, np.arange(self.cards.cards), 0
        while at < len(cards):
            stage = int(self.boards.stage[b]) + 1
            number = self.cards.dealt[stage] if stage < self.tree.stages else len(cards)
            back = np.argsort(symmetry)
            wanted = {int(back[card]) for card in cards[at : at + number]}
            for child in np.flatnonzero(self.boards.parent == b).tolist():
                fresh = self.board[child][len(self.board[b]) :]
                images = [image for image in self.images[child] if {int(image[card]) for card in fresh} == wanted]
                if images:
                    b, symmetry = child, symmetry[images[0]]
                    break
            else:
                raise Invalid("these cards cannot be dealt there")
            at += number
        return b, symmetry

    def infosets(self) -> int:
        """How many information sets both players have, those of one kind of board counted once."""
        found = 0
        decisions = [
            np.bincount(self.tree.stage[self.tree.player == player], minlength=self.tree.stages) for player in (0, 1)
        ]
        for player in (0, 1):
            found += int((decisions[player][self.boards.stage] * self.hold[player].width).sum())
        return found


def public_form(game: Any, *, dtype: Any = np.float64, progress: Watcher | None = None) -> PublicForm:
    """The form of a game that tells its cards (`cards.py`)."""
    cards = public_cards(game)
    return _formed(game, cards, *_told(game, cards), dtype, progress)


def checked_down(form: PublicForm) -> PublicForm:
    """The same cards without any betting: what player 0 gets is their equity, a win 1 and a tie a half."""
    last = np.array([form.tree.stages - 1])
    tree, _ = told_tree(np.array([OVER]), last, np.array([NONE]), np.array([NONE]), np.array([True]), np.ones(1))
    halves = np.array([[[0.5, 0.5, 0.0]] * 2])
    widest = max(int(one.width.max()) for one in form.hold)
    betting, node, blocks = _betting(tree, halves, form.chance.tolist(), widest, np.float64)
    return form._replace(tree=tree, betting=betting, node=node, blocks=blocks)


def _formed(
    game: Any, cards: Any, tree: BettingTree, pays: np.ndarray, dtype: Any, progress: Watcher | None
) -> PublicForm:
    if len(cards.dealt) != tree.stages:
        raise Invalid(f"the betting has {tree.stages} stages and the cards have {len(cards.dealt)}")
    hands = hands_of(cards)
    ranges = getattr(cards, "ranges", None)
    weights = [np.ones(len(hands.low)) if ranges is None else np.asarray(ranges[p], float) for p in (0, 1)]
    root = tuple(getattr(cards, "board", ()))
    lists = [np.flatnonzero((weights[p] > 0) & ~_blocked(cards, hands, root)) for p in (0, 1)]
    meetings = meeting_weight(cards, hands, [weights[p] * ~_blocked(cards, hands, root) for p in (0, 1)])
    if meetings <= 0:
        raise Invalid(
            "no hand of one player can meet a hand of the other: all share a card with each other or the board"
        )
    stage_weight = [1.0 / (meetings * ways) for ways in _runs(cards, len(root), tree.stages)]
    found = list(_listed(cards, tree.stages, root))
    boards = _boards(found)
    held = tuple(_hold(cards, hands, found, lists, weights, p, tree.stages, progress) for p in (0, 1))
    widest = max(int(one.width.max()) for one, _ in held)
    betting, node, blocks = _betting(tree, pays, stage_weight, widest, dtype)
    return PublicForm(
        identity(game), game, tree, cards, betting, boards, (held[0][0], held[1][0]), node,
        [part.board for part in found], (held[0][1], held[1][1]), [part.images for part in found], blocks,
        game.shape().zero_sum, np.array(stage_weight),
    )  # fmt: skip


def _told(game: Any, cards: Any) -> tuple[BettingTree, np.ndarray]:
    """The betting tree, and [node, player, part] what its ends pay: as the game tells them, or read from it."""
    if hasattr(cards, "betting"):
        told = cards.betting()
        tree, order = told_tree(told.player, told.stage, told.parent, told.action, told.shown, told.scale)
        return tree, told.pay[order]
    tree = betting_tree(game)
    shown = tree.shown()
    pay = np.zeros((len(tree.player), 2, PARTS))
    pay[shown] = tree.scale[shown][:, None, None] * np.array(
        [1.0, 1.0, -1.0]
    )  # weaker - stronger = weaker + not stronger - all
    pay[~shown, :, 2] = tree.scale[~shown][:, None] * np.array([1.0, -1.0])
    return tree, pay


def meeting_weight(cards: PublicCards, hands: Hands, weights: Any) -> float:
    """The sum of the products of the weights of two hands, over all pairs that can meet."""
    first, second = weights
    mass = np.zeros(cards.cards + 2)
    np.add.at(mass, hands.low, second)
    np.add.at(mass, hands.high, second)
    if cards.hole == 1:
        return float(first @ (second.sum() - second))
    return float(first @ (second.sum() - mass[hands.low] - mass[hands.high] + second))


def _blocked(cards: PublicCards, hands: Hands, board: Board) -> np.ndarray:
    blocked = np.zeros(cards.cards + 2, bool)
    blocked[[card + 1 for card in board]] = True
    return blocked[hands.low] | blocked[hands.high]


def _runs(cards: PublicCards, known: int, stages: int) -> list[int]:
    """[stage] in how many ways the board of a stage can follow, for two given hands."""
    left, ways, found = cards.cards - 2 * cards.hole - known, 1, [1]
    for stage in range(1, stages):
        ways *= math.comb(left, cards.dealt[stage])
        left -= cards.dealt[stage]
        found.append(ways)
    return found


# --- boards and hands ----------------------------------------------------------------------------------------------


class _Listed(NamedTuple):
    board: Board
    stage: int
    parent: int
    images: list[np.ndarray]  # symmetries to the boards of its kind; the first is the identity


def _listed(cards: PublicCards, stages: int, root: Board) -> Iterator[_Listed]:
    """One board of each kind, depth first."""
    met = [0]

    def below(board: Board, stage: int, parent: int, symmetries: list, images: list) -> Iterator[_Listed]:
        number = met[0]
        met[0] += 1
        yield _Listed(board, stage, parent, images)
        if stage + 1 == stages:
            return
        left = [card for card in range(cards.cards) if card not in board]
        for more, others, kept in orbits(left, cards.dealt[stage + 1], symmetries):
            yield from below(board + more, stage + 1, number, kept, others)

    symmetries = [np.array(symmetry) for symmetry in cards.symmetries]
    kept = [symmetry for symmetry in symmetries if {int(symmetry[c]) for c in root} == set(root)]
    yield from below(root, 0, NONE, kept, [np.arange(cards.cards)])


def _boards(found: list[_Listed]) -> Boards:
    stage = np.array([part.stage for part in found])
    after = np.full(len(found), len(found))
    for b in range(len(found) - 2, -1, -1):
        at = b + 1
        while at < len(found) and stage[at] > stage[b]:
            at = int(after[at])
        after[b] = at
    return Boards(stage, np.array([part.parent for part in found]), after)


def _hold(
    cards: PublicCards, hands: Hands, found: list[_Listed], lists: Any, weights: Any, me: int, stages: int,
    progress: Watcher | None,
) -> tuple[Hold, list[np.ndarray]]:  # fmt: skip
    rows: dict[str, list[np.ndarray]] = {name: [] for name in ("up", "same", "order", "rank", "place")}
    live: list[np.ndarray] = []
    image, images, width, start, at, filled = list[int](), [0], list[int](), list[int](), 0, 0
    moved: dict[bytes, np.ndarray] = {}
    where = np.zeros(len(hands.low), np.int64)  # of a hand on the board before
    for number, part in enumerate(found):
        mine = lists[me][~_blocked(cards, hands, part.board)[lists[me]]]
        other = lists[1 - me][~_blocked(cards, hands, part.board)[lists[1 - me]]]
        live.append(mine)
        rows["same"].append(np.full(len(mine), len(other)))
        spot = np.minimum(np.searchsorted(other, mine), max(len(other) - 1, 0))
        if len(other):
            rows["same"][-1] = np.where(other[spot] == mine, spot, len(other))
        if part.parent == NONE:
            rows["up"].append(np.zeros(len(mine), np.int64))
        else:
            before = live[part.parent]
            where[before] = np.arange(len(before))
            rows["up"].append(where[mine])
            for symmetry in part.images:
                key = symmetry.tobytes()
                if key not in moved:
                    moved[key] = moved_hands(hands, symmetry)
                image.append(filled)
                rows["place"].append(where[moved[key][mine]])
                filled += len(mine)
        images.append(len(image))
        if part.stage + 1 == stages:
            strength = cards.strength(part.board)
            order = np.argsort(strength[mine], kind="stable")
            levels = np.unique(np.concatenate([strength[mine], strength[other]]))
            rows["order"].append(order)
            rows["rank"].append(np.searchsorted(levels, strength[mine][order]))
        else:
            rows["order"].append(np.zeros(len(mine), np.int64))
            rows["rank"].append(np.zeros(len(mine), np.int64))
        width.append(len(mine))
        start.append(at)
        at += len(mine)
        if progress and number % 256 == 0:
            progress(Progress("boards", me * len(found) + number, 2 * len(found)))
    joined = {
        name: np.concatenate(parts).astype(np.int32) if parts else np.zeros(0, np.int32) for name, parts in rows.items()
    }
    numbers = np.concatenate(live)
    low, high, read = (np.ascontiguousarray(part[numbers], np.int32) for part in (hands.low, hands.high, hands.read))
    held = Hold(
        np.array(width), np.array(start), low, high, read,
        joined["up"], joined["same"], joined["order"], joined["rank"],
        np.array(images), np.array(image, np.int64), joined["place"], weights[me][lists[me]],
    )  # fmt: skip
    return held, live


# --- betting -------------------------------------------------------------------------------------------------------


class _Node(NamedTuple):
    kind: int
    node: int  # of the tree
    children: int


def _betting(
    tree: BettingTree, pays: np.ndarray, stage_weight: list[float], widest: int, dtype: Any
) -> tuple[Betting, np.ndarray, np.ndarray]:
    shown, last = tree.shown(), tree.stages - 1
    nodes: list[_Node] = []
    rows: dict[str, list] = {
        name: [] for name in ("first", "block", "source", "entry", "gate", "opens", "start", "shift")
    }
    groups, blocks = [0], np.zeros((2, tree.stages), np.int64)
    entering: list[tuple[int, int]] = [(0, NONE)]  # the node of the tree behind each gate, and the gate
    most = max(1, GROUP // max(widest, 1))
    for stage in range(tree.stages):
        gates: list[tuple[int, int]] = []
        base = begin = len(nodes)
        rows["start"].append(begin)
        rows["opens"].append(len(rows["entry"]))
        rows["shift"].append(0)
        for root, gate in entering:
            if stage == last and len(nodes) > begin and len(nodes) - begin + _size(tree, root) > most:
                begin = len(nodes)
                rows["start"].append(begin)
                rows["opens"].append(len(rows["entry"]))
                rows["shift"].append(begin - base)
            rows["entry"].append(len(nodes))
            rows["gate"].append(gate)
            queue = [root]
            at = len(nodes)
            sources = [[at, at]]
            for place, n in enumerate(queue):  # it grows
                number = at + place
                below: list[int] = []
                if tree.player[n] == OVER:
                    kind = (SHOW if stage == last else GATE) if shown[n] else FOLD
                else:
                    kind = int(tree.player[n]) if tree.stage[n] == stage else GATE
                    below = tree.below(n) if kind != GATE else []
                if kind == GATE:
                    gates.append((n, number))
                rows["first"].append(at + len(queue))
                rows["source"].append(sources[place])
                rows["block"].append(int(blocks[kind, stage]) if kind in (0, 1) else 0)
                if kind in (0, 1):
                    blocks[kind, stage] += len(below)
                for k in range(len(below)):
                    child = list(sources[place])
                    child[1 - kind] = at + len(queue) + k  # the reach of who moves, as the other sees it
                    sources.append(child)
                queue += below
                nodes.append(_Node(kind, n, len(below)))
        groups.append(len(rows["start"]))
        entering = gates
    rows["start"].append(len(nodes))
    rows["opens"].append(len(rows["entry"]))
    kinds = np.array([node.kind for node in nodes])
    start = np.array(rows["start"])
    pay = np.zeros((2, len(nodes), PARTS))
    stage_of = np.searchsorted(start[np.array(groups)], np.arange(len(nodes)), side="right") - 1
    for n in np.flatnonzero((kinds == FOLD) | (kinds == SHOW)).tolist():
        pay[:, n] = pays[nodes[n].node] * stage_weight[stage_of[n]]
    fold, show = np.flatnonzero(kinds == FOLD), np.flatnonzero(kinds == SHOW)
    made = Betting(
        kinds,
        np.array(rows["first"]),
        np.array([node.children for node in nodes]),
        np.array(rows["block"]),
        np.zeros(len(nodes), np.int64),
        np.ascontiguousarray(np.array(rows["source"]).T),
        pay.astype(dtype),
        np.array(rows["entry"]),
        np.array(rows["gate"]),
        start,
        np.array(rows["opens"]),
        np.searchsorted(fold, start),
        np.searchsorted(show, start),
        fold,
        show,
        np.array(groups),
        np.array(rows["shift"]),
    )
    return made, np.array([node.node for node in nodes]), blocks


def _size(tree: BettingTree, root: int) -> int:
    """How many nodes the line of betting below an entry has."""
    queue = [root]
    for n in queue:  # it grows
        if tree.player[n] != OVER and tree.stage[n] == tree.stage[root]:
            queue += tree.below(n)
    return len(queue)
