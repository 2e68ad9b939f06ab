"""Games made of games: with open cards, restricted to a book, seen through an abstraction. They know no particular game."""
