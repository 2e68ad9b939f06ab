"""Worker processes as the server sees them.

A job is one match, comparison, strategy or spot, with a process of its own. The process tells facts, a JSON object a line;
the server keeps the newest value of each. It never holds what a worker has not told, so a page cannot show what is still
hidden.

A job can be ended at any time, and ends by itself where it reaches a cap: too many seconds without a pause, too much memory.
The reason is kept as a sentence for the page. One spare process waits with everything loaded, so that a match begins at once.
"""

import asyncio
import contextlib
import itertools
import json
import os
import secrets
import signal
import sys
import time
from typing import Any, NamedTuple

from ..errors import Invalid
from .html import sentence

LINE = 1 << 26  # bytes of one message, at most
ANSWER_SECONDS = 60.0  # for a question to a worker
REMEMBERED = 50  # jobs that have ended, whose pages can still be looked at
TICK = 0.5  # seconds between two looks at the clock
ENVIRONMENT: dict[str, str] | None = None  # of the worker processes; None is that of the server


class Caps(NamedTuple):
    """How much a page may ask of the machine."""

    matches: int = 8  # at once
    jobs: int = 4  # comparisons, strategies and spots at once
    seconds: float = 300.0  # that an agent may think at a move, with what it compiles
    job_seconds: float = 1800.0  # that a comparison may take, and a solver beside those that it was given
    memory: float = 4.0  # GiB, of each worker
    spares: int = 1  # processes that wait for work with everything loaded


class Job:
    """One piece of work, and what its process has told."""

    def __init__(self, id: str, kind: str, process: asyncio.subprocess.Process, seconds: float):
        self.id, self.kind, self.process, self.seconds = id, kind, process, seconds
        self.address, self.title, self.more = f"/{kind}/{id}", "", dict[str, Any]()  # what the pages know of it
        self.facts: dict[str, Any] = {}
        self.version = 0
        self.ended = ""  # the reason, in a sentence
        self.paused = False
        self.busy_since: float | None = time.monotonic()
        self.cache: dict[Any, Any] = {}  # what was drawn of this version
        self.watchers, self.looked = 0, time.monotonic()  # streams that are open | when somebody looked at it last
        self._change = asyncio.Event()
        self._asked: dict[int, asyncio.Future] = {}
        self._number = itertools.count()
        self._listening = asyncio.create_task(self._listen())

    async def ask(self, what: str, **more: Any) -> Any:
        """A question to the process, and its answer; `Invalid` with a sentence where it refuses."""
        if self.ended:
            raise Invalid(self.ended)
        number, answer = next(self._number), asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            self._send({"ask": what, "number": number, "more": more})
            return await asyncio.wait_for(answer, ANSWER_SECONDS)
        except TimeoutError:
            raise Invalid("the worker is busy and has not answered in time: ask again later") from None
        finally:
            self._asked.pop(number, None)

    async def changed(self, since: int, seconds: float) -> None:
        """Wait until there is something newer than this version, but no longer than so many seconds."""
        if self.version == since:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._change.wait(), seconds)

    def pause(self) -> None:
        if not self.facts:  # before its first word a process cannot be sure to end with the server
            raise Invalid("this is still being set up: pause it a moment later")
        if not self.ended and not self.paused:
            os.kill(self.process.pid, signal.SIGSTOP)
            self.paused = True
            self._tell({})

    def go_on(self) -> None:
        if not self.ended and self.paused:
            os.kill(self.process.pid, signal.SIGCONT)
            self.paused, self.busy_since = False, time.monotonic()
            self._tell({})

    def end(self, reason: str) -> None:
        """End the process. What it has told is kept."""
        if not self.ended:
            self.ended = reason
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self._tell({})

    def look_at_clock(self) -> None:
        """End the job if it has been busy for too long."""
        if self.busy_since is not None and not self.paused and time.monotonic() - self.busy_since > self.seconds:
            self.end(f"This was ended after {self.seconds:g} s without a pause, the most that this page allows.")

    def _tell(self, facts: dict[str, Any]) -> None:
        if "busy" in facts:
            self.busy_since = time.monotonic() if facts["busy"] else None
        self.facts.update(facts)
        self.version += 1
        self.cache.clear()
        self._change.set()
        self._change = asyncio.Event()

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _listen(self) -> None:
        """Read what the process tells until it ends."""
        assert self.process.stdout
        with contextlib.suppress(ValueError, ConnectionError):  # a line that is too long, or a pipe that breaks
            async for line in self.process.stdout:
                message = json.loads(line)
                if "number" not in message:
                    self._tell(message)
                elif (answer := self._asked.get(message["number"])) and not answer.done():
                    if "refused" in message:
                        answer.set_exception(Invalid(message["refused"]))
                    else:
                        answer.set_result(message["answer"])
        code = await self.process.wait()
        if not self.ended:
            words = f"The process that did this work has ended (code {code}). It may have needed too much memory."
            self.ended = sentence(self.facts.get("failed") or words)
        self._tell({"busy": False})
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Invalid(self.ended))


class Workers:
    """All jobs of a server."""

    def __init__(self, caps: Caps):
        self.caps, self.jobs = caps, dict[str, Job]()
        self._spares: list[asyncio.subprocess.Process] = []
        self._clock: asyncio.Task | None = None
        self._starting = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._refill()
        self._clock = asyncio.create_task(self._watch_clock())

    async def close(self) -> None:
        if self._clock:
            self._clock.cancel()
        self._end_all()
        for spare in self._spares:
            with contextlib.suppress(ProcessLookupError):
                spare.kill()
            await spare.wait()
        await asyncio.gather(*(job._listening for job in self.jobs.values()))

    def end_all(self) -> None:
        """End all jobs, which also ends their streams. It can be called by the handler of a signal."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._end_all)

    def _end_all(self) -> None:
        for job in self.jobs.values():
            job.end("The page was closed.")

    async def start(self, kind: str, title: str, spec: dict[str, Any], **more: Any) -> Job:
        """A new job; `Invalid` where there are too many. `more` is kept for its pages."""
        async with self._starting:  # one after the other, so that no cap is passed
            self._make_room(kind)
            ready = [spare for spare in self._spares if spare.returncode is None]
            process, self._spares = ready[0] if ready else await _process(self.caps), ready[1:]
            own = spec.get("seconds", 0.0)  # a solver stops by itself after these, and keeps what it has found
            seconds = self.caps.seconds if kind == "match" else self.caps.job_seconds + own
            job = Job(secrets.token_urlsafe(9), kind, process, seconds)
            job.title, job.more, self.jobs[job.id] = title, more, job
            job._send({"start": kind, "spec": spec})
            await self._refill()
        return job

    async def _refill(self) -> None:
        while len(self._spares) < self.caps.spares:  # each turn adds one
            self._spares.append(await _process(self.caps))

    def find(self, id: str, kind: str) -> Job:
        job = self.jobs.get(id)
        if job is None or job.kind != kind:
            what = {"curves": "comparison"}.get(kind, kind)
            raise LookupError(f"There is no such {what}: it was closed, or the server was started anew.")
        return job

    def put_away(self, job: Job) -> None:
        """End a job and forget it."""
        job.end("This was put away.")
        del self.jobs[job.id]

    def living(self, kind: str) -> list[Job]:
        """The jobs that have a process, the oldest first."""
        return [job for job in self.jobs.values() if (job.kind == "match") == (kind == "match") and not job.ended]

    def _make_room(self, kind: str) -> None:
        """End one that is finished, if there are too many, or else the match that has waited for its person for the longest
        time; refuse if there is none. Forget those that ended long ago."""
        for job in [job for job in self.jobs.values() if job.ended][:-REMEMBERED]:
            del self.jobs[job.id]
        living, most = self.living(kind), self.caps.matches if kind == "match" else self.caps.jobs
        if len(living) >= most:
            finished = [job for job in living if job.facts.get("finished")]
            left = [job for job in living if kind == "match" and job.busy_since is None and not job.watchers]
            if not finished and not left:
                what = "matches" if kind == "match" else "comparisons, strategies and spots"
                raise Invalid(f"{len(living)} {what} are open, the most that this page allows: end one of them first")
            oldest = min(finished or left, key=lambda job: (job.watchers, job.looked))
            oldest.end("This was closed to make room for another one.")

    async def _watch_clock(self) -> None:
        while True:  # it ends with the server
            await asyncio.sleep(TICK)
            for job in list(self.jobs.values()):
                if not job.ended:
                    job.look_at_clock()


async def _process(caps: Caps) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    words = [sys.executable, "-m", "fogtree.web.worker", str(caps.memory)]
    return await asyncio.create_subprocess_exec(
        *words, stdin=pipe, stdout=pipe, limit=LINE, start_new_session=True, env=ENVIRONMENT
    )
