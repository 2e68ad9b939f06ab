"""What poker games with raises share: which bets there are, and how people read them."""

from ..game import REFEREE
from ..kernels import inlined

FOLD, CALL, RAISE = 0, 1, 2
UNDEALT = -1


@inlined
def list_bets(facing, may_raise, out):
    """Write the actions of a player; folding is allowed only when facing a bet. Returns how many."""
    count = 0
    if facing:
        out[0] = FOLD
        count = 1
    out[count] = CALL
    count += 1
    if may_raise:
        out[count] = RAISE
        count += 1
    return count


def bet_name(action, facing):
    """What a bet is called, by whether the player faces one."""
    return ("fold", "call" if facing else "check", "raise" if facing else "bet")[action]


def told_hands(player, hands, what="card"):
    """[line] the hands that a player sees; the referee sees all."""
    owner = ["your" if player == who else f"player {who}" for who in range(len(hands))]
    return [f"{owner[who]} {what}: {hand}" for who, hand in enumerate(hands) if player in (who, REFEREE)]
