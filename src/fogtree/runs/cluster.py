"""Pieces of work on a Ray cluster."""

import contextlib
import importlib.util
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import Invalid
from .workers import LOSSES, Done, do, lost

PATIENCE = 5.0  # seconds for a cluster to answer


def on_cluster(
    task: Callable, pieces: Sequence[dict], missing: list[int], cores: int | None, on: str
) -> Iterator[Done]:
    """On a Ray cluster, as its own tasks: each comes back as soon as it is done, and Ray does those of dead workers again.
    (Through joblib's Ray backend all would come back together, at the end, and a kill would lose them.)"""
    with _ray(on, cores) as ray:
        work = ray.remote(num_cpus=1, max_retries=LOSSES)(do)
        waiting, pending = missing[::-1], list[Any]()
        try:
            while waiting or pending:
                room = cores or 2 * int(ray.cluster_resources().get("CPU", 1))  # a cluster may grow
                while waiting and len(pending) < room:
                    index = waiting.pop()
                    pending.append(work.remote(task, index, pieces[index]))
                ready, pending = ray.wait(pending, num_returns=1)
                yield ray.get(ready[0])
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, ray.exceptions.RaySystemError):  # the task never began: its module is not there
                reason = str(error.cause).strip().rpartition("\n")[2]
                raise Invalid(f"a worker of the cluster has not what the task needs: {reason}") from None
            raise error.cause from None
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
            raise lost(cores or "so many") from None
        finally:
            with contextlib.suppress(Exception):  # the cluster may be gone
                for unfinished in pending:
                    ray.cancel(unfinished, force=True)


def _require_answer(address: str) -> None:
    """Raise `Invalid` where nobody listens at an address with a port: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # such as "auto" or "local": no address to be tried
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE):
            pass
    except (OSError, OverflowError) as error:
        raise Invalid(f"there is no Ray cluster to be had at {address}: {error}") from None


def require_cluster(on: str) -> None:
    """Raise `Invalid` where no cluster can be had, before any work is made ready for it."""
    if on != "ray" and not on.startswith("ray://"):
        raise Invalid(f"there is nothing to run on called '{on}': valid are ray and ray://ADDRESS")
    if importlib.util.find_spec("ray") is None:
        raise Invalid("ray is not installed: pip install 'ray[client]'")
    _require_answer(on if on != "ray" else os.environ.get("RAY_ADDRESS", ""))


@contextlib.contextmanager
def _ray(on: str, cores: int | None) -> Iterator[Any]:
    """Ray, connected: to the cluster at ray://ADDRESS; or to that of RAY_ADDRESS; or to one made here and now."""
    require_cluster(on)
    import ray

    if ray.is_initialized():
        yield ray
        return
    where: dict[str, Any] = {"address": on}
    if on == "ray" and "RAY_ADDRESS" in os.environ:
        where = {}
    elif on == "ray":  # not whichever cluster was last started on this machine, which may be gone
        where = {"address": "local", "num_cpus": cores, "include_dashboard": False}
    try:
        ray.init(**where, log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # it has many kinds
        raise Invalid(f"there is no Ray cluster to be had at {on}: {str(error).partition(chr(10))[0]}") from None
    try:
        yield ray
    finally:
        ray.shutdown()
