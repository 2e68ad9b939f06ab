"""Pictures by Matplotlib: empty panels, bands over runs, curves. Only functions load it, for that takes a while."""
