"""Makes this folder importable, so that tests in every folder find the helpers that lie here."""
