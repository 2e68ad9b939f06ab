"""Selection functions ("bandits"), one a file: which action to try next at an information set, from what it brought so far.

A bandit is a `NamedTuple` with plain methods; any search takes any bandit. It keeps `slots(k)` numbers for an information set
with k actions, which the search sets to 0 when the set is new:

    slots(k)                                        how many numbers it remembers
    reward(payoff, low, high)                       what it makes of a payoff that lies in [low, high]
    choose(memory, k, random)                       the position of an action, and the probability with which it was drawn
    learn(memory, k, chosen, probability, reward)   what came of it
    policy(memory, k, out)                          writes the strategy to output, which sums to 1
"""

from typing import Any

from ..errors import Invalid
from ..text.parameters import build, spell
from ..text.user_files import from_file
from .deterministic import DeterministicUCT
from .exp3 import Exp3
from .greedy import EpsilonGreedy
from .nondeterministic import NondeterministicUCT
from .regret import RegretMatching, RegretMatchingPlus
from .reset import ResettingUCT
from .tuned import UCB1Tuned
from .uct import UCT
from .uniform import UniformRandom
from .window import SlidingWindowUCT

BANDITS: dict[str, Any] = {
    "uct": UCT,
    "tuned": UCB1Tuned,
    "exp3": Exp3,
    "rm": RegretMatching,
    "rm+": RegretMatchingPlus,
    "greedy": EpsilonGreedy,
    "uct-det": DeterministicUCT,
    "uct-eps": NondeterministicUCT,
    "uct-window": SlidingWindowUCT,
    "uct-reset": ResettingUCT,
    "uniform": UniformRandom,
}


def load_bandit(text: str) -> Any:
    """The bandit that a text names: `rm`, `exp3:gamma=0.2`, `my_bandit.py:MyBandit:c=1` for a file of one's own."""
    if (own := from_file(text, "bandit", "choose", "fogtree.bandits")) is not None:
        return own
    known, _, parameters = text.strip().partition(":")
    if known not in BANDITS:
        raise Invalid(f"there is no bandit '{known}': valid are {', '.join(BANDITS)}")
    return build(BANDITS[known], parameters, known)


def bandit_name(bandit: Any) -> str:
    """The text that `load_bandit` turns into this bandit."""
    head = next((known for known, made in BANDITS.items() if made is type(bandit)), type(bandit).__name__)
    parameters = spell(bandit)
    return f"{head}:{parameters}" if parameters else head
