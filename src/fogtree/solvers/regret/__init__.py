"""Regret minimisation: counterfactual regret over forms, or over sampled games."""
