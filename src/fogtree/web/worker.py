"""A worker process from the inside: `python -m fogtree.web.worker GIB`.

It reads JSON from its standard input, a line at a time: first what to do, then questions. It writes facts and answers to its
standard output; whatever else prints there goes to the standard error. The work runs in the main thread, and questions are
answered in another one, also while a search runs. The process ends when its input does, so no worker outlives its server;
on Linux the system ends it with its server, also where it is paused or compiles and cannot see the end of its input.
"""

import ctypes
import json
import math
import os
import signal
import sys
import threading
import time
from typing import Any

from ..errors import FogtreeError
from ..kernels import compiling
from .curves import CurvesJob
from .matches import MatchJob
from .offer import Offer
from .spots import SpotJob
from .strategies import StrategyJob

JOBS: dict[str, Any] = {"match": MatchJob, "curves": CurvesJob, "strategy": StrategyJob, "spot": SpotJob}
PARENT_DEATH = 1  # PR_SET_PDEATHSIG of Linux: the signal that a process gets when its parent ends
LOOKED = 0.2  # seconds between two looks at the compiler
NICE = 5  # behind the server, which must answer at once


class Line:
    """The way back to the server."""

    def __init__(self, file: Any):
        self._file, self._lock = file, threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        with self._lock:
            self._file.write(json.dumps(message) + "\n")
            self._file.flush()

    def tell(self, **facts: Any) -> None:
        self.send(facts)


def main() -> None:
    line = Line(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)
    limit_memory(float(sys.argv[1]))
    os.nice(NICE)
    first = json.loads(sys.stdin.readline() or "null")
    if first is None:
        return
    try:
        spec = first["spec"]
        offer = Offer(**spec.pop("offer"))
        job = JOBS[first["start"]](line.tell, offer, **spec)
        listening = threading.Thread(target=listen, args=(line, job), daemon=True)
        listening.start()
        threading.Thread(target=watch_compiler, args=(line,), daemon=True).start()
        job.run()
    except FogtreeError as error:
        line.tell(failed=str(error), busy=False)
        return
    except MemoryError:
        line.tell(failed=f"This needs more than {sys.argv[1]} GiB, the most that this page allows.", busy=False)
        return
    except Exception as error:
        line.tell(failed=f"The work broke off: {type(error).__name__}: {error}.", busy=False)
        raise
    line.tell(busy=False)
    listening.join()


def listen(line: Line, job: Any) -> None:
    """Answer questions until the server is gone."""
    for text in sys.stdin:
        message = json.loads(text)
        number = message["number"]
        try:
            line.send({"number": number, "answer": getattr(job, f"ask_{message['ask']}")(**message["more"])})
        except FogtreeError as error:
            line.send({"number": number, "refused": str(error)})
        except Exception as error:  # a question must not end the work
            line.send({"number": number, "refused": f"{type(error).__name__}: {error}"})
    os._exit(0)


def watch_compiler(line: Line) -> None:
    """Tell when the compiler begins and when it has done its work."""
    told = False
    while True:  # it ends with the process
        if bool(compiling()) != told:
            told = not told
            line.tell(compiling=told)
        time.sleep(LOOKED)


def limit_memory(gib: float) -> None:
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    most = int(gib * 2**30) if math.isfinite(gib) else resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
