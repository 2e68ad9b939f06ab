"""What is public: whoever is to move knows the public key, and a key tells all keys before it. So the histories that came
through a key, and no others, share the information sets below it."""

from .asking import Asked
from .history import History, Sight


class Public:
    def __init__(self, asked: Asked):
        self.asked = asked
        self.known: dict = {}  # (player, view) -> the public keys so far, moves
        self.courses: dict = {}  # public key -> the public keys so far, moves

    def look(self, history: History, player: int, views: tuple[int, ...]) -> Sight:
        """The public keys so far, where the game has them."""
        asked = self.asked
        if not asked.has("public"):
            return history.public
        key = asked.word(history, "public", asked.call(history, "public", history.state))
        course = history.public.shown(str(key))
        whole, first = self.courses.setdefault(key, (course, history.moves))
        if whole != course:
            told = f"is {key} as after {asked.moves(first)}, but other keys came before: nothing public is forgotten"
            asked.broken(history, "public", told)
        if player >= 0:
            known, first = self.known.setdefault((player, views[player]), (course, history.moves))
            if known != course:
                there = f"after {asked.moves(first)}, which player {player} cannot tell from this"
                asked.broken(history, "public", f"is {key}, but {there}, it is {known.text}")
        return course
