"""Pictures. Boards, trees and charts are SVG; measurements are drawn by Matplotlib, which takes a while to load, so that only
functions load it. This room draws what it is given and knows no algorithm; the rooms above hand it numbers."""
