"""Searches that think at the table and carry from move to move what they found: `protocol.py` says how they are asked."""
