"""Pictures. Boards, trees and charts are SVG; measurements are drawn by Matplotlib, which takes a while to load, so that only
functions load it. This room draws the numbers that it is given. It computes no result."""
