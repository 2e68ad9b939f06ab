"""Selection functions ("bandits"), one in each file: which action to try next at an information set, from past rewards.

A bandit is a `NamedTuple` with plain methods; any search takes any bandit. It keeps `slots(k)` numbers for an information set
with k actions, which the search sets to 0 when the set is new:

    slots(k)                                        how many numbers it remembers
    reward(payoff, low, high)                       the reward for a payoff that lies in [low, high]
    choose(memory, k, random)                       the position of an action, and the probability with which it was drawn:
                                                    it is handed to `learn`, and may be 1 if `learn` makes nothing of it
    learn(memory, k, chosen, probability, reward)   updates the memory with the reward of the chosen action
    policy(memory, k, out)                          writes the strategy to output, which sums to 1

Each of these is optional:

    at(iteration)                                   the bandit as it is in this iteration, counted from 1
    begin(memory, k, depth, prior)                  prepares the memory of a new set, before which its player made `depth`
                                                    decisions in this search; `prior` [k] are weights of its actions, all
                                                    equal if nothing is known
    means(memory, k, out)                           writes the expected reward of each action: MCTS needs it
    mixture(memory, k, out)                         writes what it would play next, without exploration
    regret(memory, k, chosen, gain, value)          takes a value from the regrets of all actions and adds a gain to that of
                                                    the chosen one: with `mixture` and `remember` it makes a bandit a regret
                                                    rule, for searches that weigh what they sample (OOS)
    remember(memory, k, mix, weight)                adds a mix to the mean that `policy` writes, by a weight
    overhear(memory, k, heard, reward)              heard[i]: action i was played by this player here or later in the
                                                    simulation, before anybody else played it (for RAVE)
    in_world(world)                                 the bandit as it is in a simulation of this world, in searches that
                                                    have worlds (PIMC); `risk.py` has it, which no other search can use
    plays_best()                                    true if agents should play its likeliest action and not draw from its
                                                    strategy, unless they are told otherwise
"""

import math
from typing import Any

from ..entrance import look
from ..errors import Invalid
from ..kernels import optional
from ..text.parameters import build, spell
from ..text.user_files import from_file
from .deep_exp3 import DeepExp3
from .deterministic import DeterministicUCT
from .exp3 import Exp3
from .greedy import EpsilonGreedy
from .nondeterministic import NondeterministicUCT
from .rave import RAVE, HandSelectedRAVE
from .regret import RegretMatching, RegretMatchingPlus
from .reset import ResettingUCT
from .tuned import UCB1Tuned
from .uct import UCT
from .uniform import UniformRandom
from .widening import WideningUCT
from .window import SlidingWindowUCT

BANDITS: dict[str, Any] = {
    "uct": UCT,
    "tuned": UCB1Tuned,
    "exp3": Exp3,
    "exp3-deep": DeepExp3,
    "rm": RegretMatching,
    "rm+": RegretMatchingPlus,
    "greedy": EpsilonGreedy,
    "uct-det": DeterministicUCT,
    "uct-eps": NondeterministicUCT,
    "uct-window": SlidingWindowUCT,
    "uct-reset": ResettingUCT,
    "uct-wide": WideningUCT,
    "rave": RAVE,
    "rave-hand": HandSelectedRAVE,
    "uniform": UniformRandom,
}


def _the_same(bandit, iteration):
    """Stands in for `at`."""
    return bandit


def _nothing_to_begin(bandit, memory, k, depth, prior):
    """Stands in for `begin`."""


def _deaf(bandit, memory, k, heard, reward):
    """Stands in for `overhear`; it is never called."""


def _no_means(bandit, memory, k, out):
    """Stands in for `means`: nothing is known."""
    for i in range(k):
        out[i] = math.nan


optional("at", _the_same)
optional("means", _no_means)
optional("begin", _nothing_to_begin)
optional("overhear", _deaf)
optional("in_world", _the_same)


def load_bandit(text: str) -> Any:
    """The bandit that a text names: `rm`, `exp3:gamma=0.2`, `my_bandit.py:MyBandit:c=1` for a file of one's own."""
    from ..contract.guests import BANDIT  # not on top: `fogtree bandits` needs no check

    if (own := from_file(text, "bandit", "choose", "fogtree.bandits", BANDIT.verbs)) is not None:
        return own
    known, _, parameters = text.strip().partition(":")
    if known not in BANDITS:
        raise Invalid(f"there is no bandit {known!r}: valid are {', '.join(BANDITS)}")
    return build(BANDITS[known], parameters, known)


def as_bandit(given: Any) -> Any:
    """The bandit itself, or the one that a text names; a sentence for anything else. A user's own is checked once, before
    compiled code runs on it (`entrance.py`)."""
    if isinstance(given, str):
        given = load_bandit(given)
    if isinstance(given, type) or not hasattr(given, "choose"):
        what = f"the class {given.__name__}" if isinstance(given, type) else f"a {type(given).__name__}"
        raise Invalid(f"a bandit is needed, or the text that names one, not {what}")
    if not isinstance(given, tuple):
        name = type(given).__name__
        raise Invalid(f"{name} is no NamedTuple: write class {name}(NamedTuple), with the methods of fogtree.bandits")
    look((given,))
    return given


def bandit_name(bandit: Any) -> str:
    """The text that `load_bandit` turns into this bandit."""
    head = next((known for known, made in BANDITS.items() if made is type(bandit)), type(bandit).__name__)
    parameters = spell(bandit)
    return f"{head}:{parameters}" if parameters else head
