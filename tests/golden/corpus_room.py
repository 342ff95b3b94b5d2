"""Judges in a process of its own, which reads what to judge from its standard input and tells what came of it, both as JSON.

A process of its own, so that it can be an ordinary user's, can have the environment and the limits that a case wants on the host, and so
that what samples leave behind can be told from what others do: whatever they disown becomes a child of this process.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import resource
import sys
import threading
from pathlib import Path

import msgspec

from assay.engine import Settings, Work, judge_work, worker
from assay.records import Problem, Sample
from assay.sandbox import ServerSpec

SET_CHILD_SUBREAPER = 36
OURS = 3
"""How far below the engine our own processes go: launcher, server, child. What is further down was made by a sample or a test."""

OBSERVER = """
import gc, hashlib, os, random, resource, signal, sys, threading

def names(path):
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        return type(error).__name__

files = [names(path) for path in (".", "/tmp", "/dev/shm")]
knobs = gc.isenabled(), gc.get_threshold(), sys.getswitchinterval(), sys.getrecursionlimit()
outside = os.path.exists("/etc/passwd"), os.umask(0), sorted(os.environ)
process = resource.getrlimit(resource.RLIMIT_NOFILE), signal.getsignal(signal.SIGALRM), threading.active_count(), os.getcwd()
raise LookupError(f"{files}, {hashlib.sha256(repr((knobs, outside, process)).encode()).hexdigest()[:16]}")
"""
"""A program that tells what it finds, in place of an answer."""


class Seen:
    """The engine's events, kept, and the processes that samples had made which were still there when the last sample was done."""

    def __init__(self, counts):
        self.counts = counts
        self.left = sum(counts.values())
        self.verdicts = []
        self.invalids = {}
        self.isolation = None
        self.survivors = None

    def started(self, isolation):
        self.isolation = isolation

    def in_doubt(self, held, done=0, again=0):
        pass

    def note(self, text):
        pass

    def invalid(self, found):
        self.invalids[found.id] = found.reason
        self._done(self.counts[found.id])

    def verdict(self, verdict):
        self.verdicts.append(msgspec.to_builtins(verdict))
        self._done(1)

    def _done(self, number):
        self.left -= number
        if not self.left:
            self.survivors = [words for depth, words in processes_below(os.getpid()) if depth > OURS]


def living():
    """The parent and the command line of each living process."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()[:2]
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if state != "Z":
                yield int(folder.name), int(parent), words[:200]


def processes_below(pid):
    """How far below a process each of its living descendants is, with its command line."""
    children = {}
    for child, parent, words in living():
        children.setdefault(parent, []).append((child, words))
    found, fresh, depth = [], [pid], 1
    while fresh:
        below = [child for parent in fresh for child in children.get(parent, ())]
        found += [(depth, words) for _, words in below]
        fresh, depth = [child for child, _ in below], depth + 1
    return found


ROOMS = ("assay-corpus-", "assay-escapes-")
"""What the folders of such rooms as this one begin with: another test may have one open at the same time."""


def of_others():
    """What lies in the folders that everybody may write to and is not root's, nor another room of the tests."""
    found = set()
    for folder in ("/tmp", "/dev/shm"):
        for entry in os.scandir(folder):
            try:
                if entry.stat(follow_symlinks=False).st_uid != 0 and not entry.name.startswith(ROOMS):
                    found.add(entry.path)
            except FileNotFoundError:
                continue
    return found


def belongings():
    """What this process has open and running, and what lies in its own folders."""
    return {
        "descriptors": sorted(path.name for path in Path("/proc/self/fd").iterdir()),
        "threads": threading.active_count(),
        "files": {str(path): path.is_file() and path.read_text() for path in Path(os.environ["TMPDIR"]).rglob("*")},
    }


def judge(asked, seen):
    """Judges all that is asked in one run."""
    worker.ServerSpec = functools.partial(ServerSpec, without=tuple(asked["without"]))
    work = []
    for problem, samples in asked["work"]:
        given = msgspec.convert(samples, list[Sample])
        work.append(Work(msgspec.convert(problem, Problem), functools.partial(iter, given), len(given)))
    judge_work(work, msgspec.convert(asked["settings"], Settings), seen, lambda _id, _index: None)


def main():
    asked = json.load(sys.stdin)
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for name, value in asked["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    seen = Seen({problem["id"]: len(samples) for problem, samples in asked["work"]})
    before, others = belongings(), of_others()
    judge(asked, seen)
    answer = {
        "isolation": msgspec.to_builtins(seen.isolation),
        "verdicts": seen.verdicts,
        "invalids": seen.invalids,
        "before": before,
        "after": belongings(),
        "survivors": seen.survivors,
        "processes": [words for _, words in processes_below(os.getpid())],
        "strays": sorted(of_others() - others),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
