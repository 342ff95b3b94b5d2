"""seccomp: the filters that every system call of a sample passes, assembled once from the readable list, loaded raw.

Loading costs by length, and the kernel tries the filter on each system call number when it is loaded (to learn which need no look at all).
So the long part is loaded once by the server, which thereby confines itself too, and each child adds a short part that takes away the few
calls that confining needs. In the long part numbers are compressed into ranges and found by binary search.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import signal
import struct
from typing import Any, ClassVar

from assay.sandbox.inside import linux, syscalls

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN, _JUMP = 0x20, 0x15, 0x35, 0x45, 0x06, 0x05
ALLOW, ERRNO, TRAP, KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x00030000, 0x80000000
_DONE, _EPERM, _ENOTTY, _ENOSYS = ERRNO, ERRNO | 1, ERRNO | 25, ERRNO | 38
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4

Step = tuple[int, int, int, Any]
"""Code, jump if true, jump if false, operand; in a tree that isn't laid out yet, the name of a rule stands for the jump to it."""

_CLONE_THREAD, _CLONE_NEWPID, _CLONE_NEW_ANYTHING = 0x00010000, 0x20000000, 0x7E020080
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
_FCNTLS = (*range(8), 9, 11, 16, 36, 37, 38, 1025, 1027, 1028, *range(1030, 1039))
"""Every command but F_SETOWN and F_SETSIG, which have the kernel send signals, F_SETLEASE and F_NOTIFY, which watch files of others."""

_PRCTLS = (15, 16, 0x53564D41)  # PR_SET_NAME PR_GET_NAME PR_SET_VMA
_UNSTOPPABLE = (signal.SIGKILL, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGSYS)
_SOCKET_FLAGS = (0, 0x800, 0x80000, 0x80800)  # SOCK_NONBLOCK SOCK_CLOEXEC
_INET, _STREAMS_AND_DATAGRAMS = (2, 10), tuple(kind | flags for kind in (1, 2) for flags in _SOCKET_FLAGS)
_FILTER_OPTIONS = (26, 50, 51, 52)  # SO_ATTACH_FILTER and its like: programs for the kernel to run
_ANY_TCP_UDP, _SOCKET_TCP = (0, 6, 17), (1, 6)  # protocols; levels of options: SOL_SOCKET IPPROTO_TCP


def server_program(processes: bool, *, into_cgroups: bool = False) -> bytes:
    """What the server loads once, for itself and all its children: all that a sample may do, and what confining one needs.

    `processes`: whether samples may fork, exec, signal and change files by name (where namespaces contain them). `into_cgroups`: whether
    samples are born into cgroups of their own, for which there is only `clone3`.
    """
    contained = f"{syscalls.FILES} {syscalls.PROCESSES}" if processes else ""
    allowed = f"{syscalls.FREE} {syscalls.CONFINING} {contained}"
    rules = _common_rules(processes)
    rules["clone"] = _no_bit_of(_CLONE_NEW_ANYTHING & ~(_CLONE_NEWPID if processes else 0))
    if into_cgroups:
        rules["clone3"] = [_give(ALLOW)]  # to the zygote: the program of each sample refuses it
    actions: dict[int, object] = {linux.CALLS[name]: ALLOW for name in syscalls.names(allowed) if name in linux.CALLS}
    actions.update({linux.CALLS[name]: name for name in rules if name in linux.CALLS})
    return _assemble(_prologue() + _search(_intervals(actions), rules))


def sample_program(processes: bool, *, into_cgroups: bool = False) -> bytes:
    """What each child loads on top: it takes away what only confining needs. Short, because loading costs by length."""
    rules = {
        "clone": _no_bit_of(_CLONE_NEW_ANYTHING) if processes else _threads_only(),
        "prctl": _one_of(0, _PRCTLS, _EPERM),
    }
    if into_cgroups:
        rules["clone3"] = [_give(_ENOSYS)]
    steps: list[Step] = [(_LOAD, 0, 0, _NUMBER_AT)]
    for name, rule in rules.items():
        steps += [(_EQUAL, 0, len(rule), linux.CALLS[name]), *rule]
    taken = [linux.CALLS[name] for name in syscalls.names(syscalls.CONFINING) if name in linux.CALLS]
    steps += [(_EQUAL, len(taken) - i, 0, number) for i, number in enumerate(taken)]
    return _assemble([*steps, _give(ALLOW), _give(_EPERM)])


class _Program(ctypes.Structure):
    """`struct sock_fprog`: a call that holds it holds the instructions too, so that they can't go before the call."""

    _fields_: ClassVar = [("instructions", ctypes.c_ushort), ("first", ctypes.c_char_p)]


class Filter:
    """A program with the C structures round it made ready, so that loading it in a child is one prepared call, `call`."""

    def __init__(self, program: bytes) -> None:
        set_mode_filter, no_flags = 1, 0
        header = ctypes.byref(_Program(len(program) // 8, program))
        self.call = linux.prepare("seccomp", set_mode_filter, no_flags, header)

    def load(self) -> None:
        """Loads it for this process and all that it will start; needs no_new_privs. Nothing takes it off again."""
        linux.make(self.call)


def _common_rules(processes: bool) -> dict[str, list[Step]]:
    """What is looked at beyond the number, for server and samples alike: a rule reads the low half of one argument and returns."""
    rules = {
        "clone3": [
            _give(_ENOSYS)
        ],  # its flags lie in memory, which a filter can't read; the C library falls back to clone
        "sched_yield": [
            _give(_DONE)
        ],  # nobody waits for a processor of his own will: such waits are not counted as his time
        "ioctl": _one_of(1, _IOCTLS, _ENOTTY),
        "prlimit64": _one_of(0, (0,), _EPERM),  # its own limits only
        "fcntl": _one_of(1, _FCNTLS, _EPERM),
        "socketpair": _pair_of_streams(),
        "setsockopt": [*_require(1, _SOCKET_TCP, _EPERM), *_none_of(2, _FILTER_OPTIONS, _EPERM)],
        "prctl": _one_of(0, (*_PRCTLS, linux.PR_SET_PDEATHSIG, linux.PR_SET_DUMPABLE), _EPERM),
    }
    if processes:
        rules.update(kill=_signal_to_itself(1), tkill=_signal_to_itself(1), tgkill=_signal_to_itself(2))
        rules["socket"] = [
            *_require(0, _INET, _EPERM),
            *_require(1, _STREAMS_AND_DATAGRAMS, _EPERM),
            *_one_of(2, _ANY_TCP_UDP, _EPERM),
        ]
    return rules


def _no_bit_of(bits: int) -> list[Step]:
    return [_argument(0), (_ANY_BIT, 0, 1, bits), _give(_EPERM), _give(ALLOW)]


def _threads_only() -> list[Step]:
    return [_argument(0), (_ANY_BIT, 1, 0, _CLONE_THREAD), _give(_EPERM), *_no_bit_of(_CLONE_NEW_ANYTHING)[1:]]


def _pair_of_streams() -> list[Step]:
    """AF_UNIX and SOCK_STREAM only: half of a pair of datagram sockets can send to every socket of the host that has a name."""
    return [*_require(0, (1,), _EPERM), *_one_of(1, tuple(1 | flags for flags in _SOCKET_FLAGS), _EPERM)]


def _signal_to_itself(signal_argument: int) -> list[Step]:
    """Lets signals pass, but for what pid 1 sends itself (or its group, 0) that the kernel would ignore and no handler can catch.

    What ends a process ends it; what stops one traps, and the trap's handler waits for ever (`linux.pause_on`).
    """
    tests = [(_EQUAL, len(_UNSTOPPABLE) - i, 0, int(number)) for i, number in enumerate(_UNSTOPPABLE)]
    return [
        _argument(0),
        (_EQUAL, 2, 0, 1),
        (_EQUAL, 1, 0, 0),
        _give(ALLOW),
        _argument(signal_argument),
        (_EQUAL, 0, 1, int(signal.SIGSTOP)),
        _give(TRAP),
        *tests,
        _give(ALLOW),
        _give(KILL_PROCESS),
    ]


def _one_of(argument: int, values: tuple[int, ...], otherwise: int) -> list[Step]:
    return [*_require(argument, values, otherwise), _give(ALLOW)]


def _none_of(argument: int, values: tuple[int, ...], otherwise: int) -> list[Step]:
    tests = [(_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [_argument(argument), *tests, _give(ALLOW), _give(otherwise)]


def _require(argument: int, values: tuple[int, ...], otherwise: int) -> list[Step]:
    """Goes on to the next step if the argument has one of the values."""
    tests = [(_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    return [_argument(argument), *tests, _give(otherwise)]


def _argument(index: int) -> Step:
    return (_LOAD, 0, 0, 16 + 8 * index)


def _give(action: int) -> Step:
    return (_RETURN, 0, 0, action)


def _prologue() -> list[Step]:
    """A foreign architecture's call (int 0x80, x32) ends the process."""
    architecture = (_EQUAL, 1, 0, syscalls.AUDIT_ARCHITECTURE[linux.MACHINE])
    x32 = (_AT_LEAST, 0, 1, 0x40000000)
    return [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        architecture,
        _give(KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER_AT),
        x32,
        _give(KILL_PROCESS),
    ]


def _intervals(actions: dict[int, object]) -> list[tuple[int, object]]:
    """`(first number, action)` of each run of numbers with the same action, from 0 up; a string is the name of a rule."""
    last = max(actions)
    runs: list[tuple[int, object]] = []
    for number in range(last + 2):
        action = actions.get(number, _EPERM) if number <= last else _ENOSYS
        if not runs or runs[-1][1] != action:
            runs.append((number, action))
    return runs


def _search(runs: list[tuple[int, object]], rules: dict[str, list[Step]]) -> list[Step]:
    """Binary search over the runs; leaves return or jump to their rule behind the tree."""
    tree = _tree(runs)
    body: list[Step] = []
    where = {}
    for name, rule in rules.items():
        where[name] = len(tree) + len(body)
        body += rule
    jumps = [
        (_JUMP, 0, 0, where[step[3]] - place - 1) if isinstance(step[3], str) else step
        for place, step in enumerate(tree)
    ]
    return jumps + body


def _tree(runs: list[tuple[int, object]]) -> list[Step]:
    if len(runs) == 1:
        action = runs[0][1]
        return [(_JUMP, 0, 0, action) if isinstance(action, str) else (_RETURN, 0, 0, action)]
    middle = len(runs) // 2
    below, above = _tree(runs[:middle]), _tree(runs[middle:])
    return [(_AT_LEAST, len(below), 0, runs[middle][0]), *below, *above]


def _assemble(steps: list[Step]) -> bytes:
    return b"".join(struct.pack("HBBI", code, true, false, operand) for code, true, false, operand in steps)
