"""Online Outcome Sampling: regret minimisation at the table (Lisý, Lanctot and Bowling 2015).

Outcome sampling (`solvers/regret/mccfr.py`) plays one game a sample and updates the sets on its way. Online, most of the
samples should go where the match now is. With the probability delta a sample is *aimed*: at every move it is drawn only from
the actions that still lead to the target (`aim.py`), in the proportions in which a *free* sample would draw them. The target
is the player's own information set (IST) or all that looks the same in public (PST).

Both players are updated in turn. Of a sample that ends at z, for the player i who is updated:

    free sampling   i draws by f(a) = epsilon / k + (1 - epsilon) sigma(a), the other by (1 - gamma) sigma(a) + gamma / k,
                    chance by its odds; sigma is the present mix of the set, by regret matching
    aimed sampling  f(a) divided by the sum of f over the actions that lead to the target. So s1(z) / s2(z), how much likelier
                    a target's history is in an aimed sample than in a free one, is 1 over the product of these sums
    weight          s(z) = delta s1(z) + (1 - delta) s2(z) is how often z is sampled in all
    regrets         at a set of i on the way, with c the probability by sigma of all that comes after the action a:
                    r(a) += W c,  all r -= W c sigma(a),  W = u_i(z) pi_-i(h) / s(z)
    averages        at a set of the other on the way: the sums get sigma times pi_-i(h) / s(h)

Both are unbiased: the expected update of a set is that of CFR, whatever the target (a test sums many samples and compares
with exact values). The set that is met first without memory is added, and from there on everybody plays at random.

We differ from the printed algorithm in three points. Chance's odds after h belong into c: print leaves them out, which is
wrong as soon as chance moves after a decision. gamma is part of sampling only, not of the mixes that are averaged, so that
averages come as near to equilibrium as one likes. And the weight of the samples of one move: while a target is aimed at, its
sets are met many times more often, and each update is so many times smaller. When the next target is chosen, old and new
updates meet in the same sums: a few coarse ones of before and many fine ones of now, of the same total. The authors' program
multiplies all updates of a move by

    w = (1 - delta) + delta / (the probability that a free sample comes to the target),

so that a visit counts as much as a visit before. (In print w is 1 for IST; OpenSpiel has none.) As the factor is the same for
all sets of a move, it is a weight of iterations and biases nothing. `benchmarks/oos.py` measures what it is worth.

What cancels is not computed: pi_-i(h) / s(h) is kept as one ratio, to which chance and random playouts contribute nothing but
what they change in s1 / s2.
"""

import math
from typing import Any

import numpy as np

from ... import dice
from ...bandits import as_bandit
from ...bandits.regret import RegretMatching
from ...errors import Invalid
from ...game import CHANCE, NONE, OVER
from ...kernels import inlined, kernel
from ...text.naming import as_game
from ...trouble import ENDLESS, require_fine
from ...walk.slices import Watcher, number
from .aim import INSIDE, OUT, Nowhere
from .anytime import DEFAULT_MEMORY, Searcher, TreeSearch
from .tree import CHOSEN, ITERATIONS, SET

DELTA, EPSILON, GAMMA = 0.9, 0.4, 0.01  # the paper's, in matches
TRIED = 64  # aimed samples that estimate how often a free one comes to the target
VERBS = ("mixture", "regret", "remember")  # that make a bandit a regret rule
ALWAYS = 1.0 - 1e-9  # of these
TIMES, MASS = 0, 1  # words of `hit`: aimed samples that came to the target | the sum of 1 / s1 * s2 over them


@kernel
def sample_slice(game, rule, aim, delta, epsilon, gamma, weight, tree, hit, growing, samples, random):
    """Sample for one player and the other in turn; returns the samples done before the tree was full, or a trouble."""
    need = rule.slots(tree.room.choice.shape[0])
    for done in range(samples):
        if growing and not tree.has_room(need, 1):
            return done
        me = tree.used[ITERATIONS] & 1
        wrong = sample(game, rule, aim, delta, epsilon, gamma, weight, tree, hit, growing, me, random)
        if wrong < 0:
            return wrong
        tree.used[ITERATIONS] += 1
    return samples


@inlined
def sample(game, rule, aim, delta, epsilon, gamma, weight, tree, hit, growing, me, random):
    """One sample that updates `me`: play, add at most one set, learn. Returns 0 or a trouble."""
    state, room, memory = tree.state, tree.room, tree.memory
    game.start(state)
    at, aimed = aim.begin(), False
    if at != INSIDE:
        aimed = dice.unit(random) < delta
    else:
        delta = 0.0  # there is no target
    ratio = 1.0  # pi_-i(h) / s(h)
    ahead = 1.0  # s1(h) over s2(h)
    length, inside_tree = 0, True
    for made in range(room.moves + 2):  # one round more than moves: leaving a tree that cannot grow is no move
        player = game.player(state)
        if player == OVER:
            break
        if made > room.moves:
            return ENDLESS
        if player == CHANCE or not inside_tree:
            if at < 0 and player != CHANCE:  # nobody looks: the odds of random moves cancel
                game.step(state, game.any_action(state, room.choice, random))
                continue
            count = game.actions(state, room.choice)
            if player == CHANCE:
                game.odds(state, room.odds)
            else:
                if count > 1:
                    at = aim.look(at, player, game.view(state, player))
                for a in range(count):
                    room.odds[a] = 1.0 / count
            chosen = 0
            if count > 1:
                if at >= 0:
                    mass = restrict(aim, at, player, room, count, aimed)
                    chosen = dice.pick(random, room.odds, count)
                    at = aim.after(at, player, chosen, room.choice[chosen])
                    before, ahead = ahead, (0.0 if at == OUT else ahead / mass)
                    ratio *= (delta * before + 1.0 - delta) / (delta * ahead + 1.0 - delta)
                else:
                    chosen = dice.pick(random, room.odds, count)
            elif at >= 0:
                at = aim.forced(at)
            game.step(state, room.choice[chosen])
            continue
        view = game.view(state, player)
        i = tree.table.find(view, player)
        if i == NONE:
            count = game.actions(state, room.choice)
            if count == 1:
                at = at if at < 0 else aim.forced(at)
                game.step(state, room.choice[0])
                continue
            inside_tree = False
            if not growing:  # it plays at random from here on
                continue
            i = tree.expand(rule, view, player, count, 0)
            memory = tree.memory
        at = aim.look(at, player, view)
        first, count = tree.actions(i)
        begin, end = tree.span(rule, i)
        mine = memory[begin:end]
        rule.mixture(mine, count, room.odds)
        if player != me:
            rule.remember(mine, count, room.odds, weight * ratio)
        even, keep = (epsilon / count, 1.0 - epsilon) if player == me else (gamma / count, 1.0 - gamma)
        if not inside_tree:
            even, keep = 1.0 / count, 0.0
        if at >= 0:
            for a in range(count):
                room.choice[a] = tree.action[first + a]
            chosen, drawn, share, mass = draw_aimed(aim, at, player, room, count, even, keep, aimed, random)
            at = aim.after(at, player, chosen, room.choice[chosen])
            before, ahead = ahead, (0.0 if at == OUT else ahead / mass)
            ratio *= (delta * before + 1.0 - delta) / (delta * ahead + 1.0 - delta)
        else:
            chosen, drawn, share = draw_free(room.odds, count, even, keep, random)
        if player == me:
            tree.path[length, SET], tree.path[length, CHOSEN], tree.odds[length] = i, chosen, share
            length += 1
            ratio /= drawn
        else:
            ratio *= share / drawn
        game.step(state, np.int64(tree.action[first + chosen]))
    if aimed and at == INSIDE:
        hit[TIMES] += 1.0
        hit[MASS] += 1.0 / ahead
    gain = weight * ratio * game.payoff(state, me)
    for step in range(length - 1, -1, -1):
        if gain == 0.0:
            break
        i, value = tree.path[step, SET], gain * tree.odds[step]
        begin, end = tree.span(rule, i)
        rule.regret(memory[begin:end], tree.width(i), tree.path[step, CHOSEN], gain, value)
        gain = value
    return 0


@inlined
def draw_free(mix, count, even, keep, random):
    """Draw from a mix with exploration; returns the position, the probability of the draw, and that of the mix."""
    left, chosen = dice.unit(random) - even - keep * mix[0], 0
    for a in range(1, count):
        chosen += left >= 0.0  # once below 0 it stays there
        left -= even + keep * mix[a]
    return chosen, even + keep * mix[chosen], mix[chosen]


@inlined
def draw_aimed(aim, at, player, room, count, even, keep, aimed, random):
    """The same where the target lies ahead. The probability is that of a free sample; then comes the sum of these over all
    actions that lead to the target."""
    mass = 0.0
    for a in range(count):
        if aim.after(at, player, a, room.choice[a]) != OUT:
            mass += even + keep * room.odds[a]
    left, chosen, drawn, share = dice.unit(random) * (mass if aimed else 1.0), 0, 1.0, 1.0
    for a in range(count):
        if aimed and aim.after(at, player, a, room.choice[a]) == OUT:
            continue
        q = even + keep * room.odds[a]
        if left >= 0.0:
            chosen, drawn, share = a, q, room.odds[a]
        left -= q
    return chosen, drawn, share, mass


@inlined
def restrict(aim, at, player, room, count, aimed):
    """The sum of the odds of what leads to the target; an aimed sample keeps only that."""
    mass = 0.0
    for a in range(count):
        if aim.after(at, player, a, room.choice[a]) != OUT:
            mass += room.odds[a]
    if aimed:
        for a in range(count):
            leads = aim.after(at, player, a, room.choice[a]) != OUT
            room.odds[a] = room.odds[a] / mass if leads else 0.0
    return mass


class OOS(TreeSearch):
    """A search that can be stopped, aimed anew and continued.

        search = OOS(Leduc(), seed=1)
        search.run(seconds=1)                     # from the start of the game
        search.aim(aiming.observe(view))          # the match has come to a decision (`aim.py`)
        search.run(seconds=1)
        search.policy(player, view)

    `rule` is a bandit that is a regret rule: rm or rm+. `delta` of the samples are aimed, the updated player explores with
    the probability `epsilon`, the other with `gamma`. `weigh=False` leaves out the weight of the samples of a move. An
    iteration is one sample, of one player and the other in turn. The same seed and iterations give the same tree, however
    they are divided into runs.
    """

    name = "OOS"

    def __init__(
        self,
        game: Any,
        rule: Any = RegretMatching(),  # noqa: B008  (a tuple cannot change)
        seed: int = 0,
        *,
        delta: float = DELTA,
        epsilon: float = EPSILON,
        gamma: float = GAMMA,
        weigh: bool = True,
        memory: float = DEFAULT_MEMORY,
        sets: float = math.inf,
    ):
        game, rule = as_game(game), as_bandit(rule)
        if game.shape().players != 2:
            raise Invalid(f"OOS is for two players, and this game has {game.shape().players}")
        if missing := [verb for verb in VERBS if not hasattr(rule, verb)]:
            raise Invalid(f"OOS needs a regret rule, as rm or rm+: {type(rule).__name__} has no method `{missing[0]}`")
        self.delta, self.epsilon, self.gamma = map(_share, (delta, epsilon, gamma), ("delta", "epsilon", "gamma"))
        if self.delta == 1.0 or self.epsilon == 0.0 or self.gamma == 0.0:
            raise Invalid(
                "delta must be below 1, and epsilon and gamma above 0: everything must be sampled now and then"
            )
        super().__init__(game, rule, seed, memory=memory, sets=sets, extra=lambda: np.zeros(2))
        self.weigh, self.weight = weigh, 1.0
        self.target: Any = Nowhere()

    def aim(self, target: Any) -> "OOS":
        """From now on aim at this target (`aim.py`)."""
        self.target, self.weight = target, 1.0
        if self.weigh and self.delta and not isinstance(target, Nowhere):
            self.weight = self._weight()
        return self

    def _weight(self) -> float:
        """Of the samples of a move. Aimed samples that teach nothing tell how often a free one comes to the target."""
        searcher = self.searchers[0]
        hit, tree = searcher.extra, searcher.tree
        hit[:], done = 0.0, tree.used[ITERATIONS]
        how = ALWAYS, self.epsilon, self.gamma, 0.0
        wrong = sample_slice(self.game, self.bandit, self.target, *how, tree, hit, False, TRIED, searcher.random)
        require_fine(wrong, self.game)
        tree.used[ITERATIONS] = done
        times, mass = hit
        return 1.0 - self.delta + self.delta * times / mass if mass > 0.0 else 1.0

    def run(
        self, *, iterations: int | None = None, seconds: float | None = None, progress: Watcher | None = None
    ) -> "OOS":
        """Sample so many more times, or for so many seconds."""

        def simulate(searcher: Searcher, count: int) -> int:
            how = self.target, self.delta, self.epsilon, self.gamma, self.weight
            parts = searcher.tree, searcher.extra, not searcher.full, count, searcher.random
            return sample_slice(self.game, self.bandit, *how, *parts)

        self._run(simulate, iterations=iterations, seconds=seconds, progress=progress)
        return self


def _share(value: Any, what: str) -> float:
    found = number(value, what)
    if found > 1.0:
        raise Invalid(f"{what} lies between 0 and 1, not {value!r}")
    return found
