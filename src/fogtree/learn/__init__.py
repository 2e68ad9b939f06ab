"""Evaluations that learn from their own search: RootStrap, TreeStrap, TD-Leaf, TD-Root (Veness, Silver, Uther, Blair 2009)."""
