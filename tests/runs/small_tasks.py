"""Tasks of runs, in a file that loads nothing by name."""

import pathlib


def make(held):
    def task(seed):
        return held

    return task


class Worker:
    def __init__(self, tool):
        self.tool = tool

    def lesson(self, seed):
        return self.tool.value(seed)


def read(plan):
    path = pathlib.Path(plan.partition(":")[2])
    return path.read_text() if path.is_file() else ""
