"""What a search may leave out: handed to `AlphaBeta` as `pruning`.

    Sound()    the default: alpha-beta with scouts. Nothing changes the minimax value
    Whole()    every position is searched with an open window, as minimax does, so that its value is exact; for learning
    Risky()    what tournament engines do: late moves are searched less deeply; a free move for the other shows that a
               position is good enough, where the game has `skip` and a search of less depth proves it; deeper entries of
               the table are believed. Faster, and wrong at times

Each is a `NamedTuple` with these methods:

    opens()                             whether every child is searched with an open window
    trusts(stored, depth, is_open)      whether bounds of a search so deep may be used in one of this depth; they are open if
                                        they rest on an evaluation, and not on ends of the game alone
    keeps_course()                      whether values that rest on the course of the game go into the table
    reduction(depth, number, promise)   how many plies less the next action is searched at first; `number` came before it
    rest(depth)                         how many plies less the position is searched after a free move; 0 for no such try
    proof(depth)                        how deeply the position itself is searched before it is believed that a free move was
                                        good enough, since in zugzwang it is better than any move; 0 for not at all
"""

from typing import NamedTuple

from ...bandits.sharing import shares


class Sound(NamedTuple):
    """Nothing that changes the minimax value."""

    def opens(self):
        return False

    def trusts(self, stored, depth, is_open):
        return stored == depth or (stored < depth and not is_open)

    def keeps_course(self):
        return False

    def reduction(self, depth, number, promise):
        return 0

    def rest(self, depth):
        return 0

    def proof(self, depth):
        return 0


@shares(Sound.keeps_course, Sound.reduction, Sound.rest, Sound.proof)
class Whole(NamedTuple):
    """No pruning: the exact value of every position, as minimax finds it."""

    def opens(self):
        return True

    def trusts(self, stored, depth, is_open):
        return stored == depth


@shares(Sound.opens)
class Risky(NamedTuple):
    """The accelerations of tournament engines, all together."""

    first: int = 4  # actions that are always searched in full depth
    free: int = 2  # plies less after a free move, and one more for each six of depth

    def trusts(self, stored, depth, is_open):
        return stored >= depth or not is_open

    def keeps_course(self):
        return True

    def reduction(self, depth, number, promise):
        if depth < 3 or number < self.first or promise > 0:
            return 0
        return 1 + (number >= 3 * self.first) + (depth >= 6)

    def rest(self, depth):
        return 0 if depth < 3 else self.free + 1 + depth // 6

    def proof(self, depth):
        return max(depth - self.rest(depth), 0)
