"""A plan that sees cards through types and plays at random, for what reads such plans."""

import numpy as np


class DrawnPlan:
    """The methods of a `TypePlan` that are asked for, with random probabilities for Leduc hold'em's types."""

    def __init__(self, form, seed):
        self.form, self.rng, self.made = form, np.random.default_rng(seed), {}

    def table(self, node):
        """[action, type]"""
        if node not in self.made:
            tree, cards = self.form.tree, self.form.cards.cards
            types = cards if tree.stage[node] == 0 else cards * (cards - 1)
            drawn = self.rng.random((len(tree.below(node)), types)) + 0.01
            self.made[node] = drawn / drawn.sum(axis=0)
        return self.made[node]
