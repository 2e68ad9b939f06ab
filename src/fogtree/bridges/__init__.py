"""Other people's formats and engines, one a file. Nothing below imports these but `fogtree.load`, when it meets a file."""
