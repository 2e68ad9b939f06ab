"""Evaluations that learn from their own search: RootStrap, TreeStrap, TD-Leaf, TD-Root (Veness and others 2009)."""
