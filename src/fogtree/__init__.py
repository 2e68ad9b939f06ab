"""Fogtree: a laboratory for games with hidden information.

Search them, solve them, play them, and measure exactly how far each answer is from perfect play.

The public names stand in __init__.pyi, each with the file that it comes from. A file is loaded when one of its names is first
asked for, so that whoever solves a card game does not wait for chess.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
