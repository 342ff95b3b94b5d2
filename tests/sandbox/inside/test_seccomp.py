"""The filters, run as programs by a small interpreter of their language, against the readable list."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.sandbox.inside import linux, seccomp, syscalls

pytestmark = pytest.mark.skipif(linux.MACHINE != "x86_64", reason="the numbers are those of x86-64")
EPERM, ENOSYS, ENOTTY = seccomp.ERRNO | 1, seccomp.ERRNO | 38, seccomp.ERRNO | 25
ARCHITECTURE = 0xC000003E


def answer(program, number, *arguments, architecture=ARCHITECTURE):
    """What the program returns for a call."""
    data = struct.pack("IIQ6Q", number, architecture, 0, *[*arguments, 0, 0, 0, 0, 0, 0][:6])
    steps = [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]
    at = value = 0
    while True:
        code, true, false, operand = steps[at]
        at += 1
        if code == 0x20:
            value = struct.unpack_from("I", data, operand)[0]
        elif code == 0x06:
            return operand
        elif code == 0x05:
            at += operand
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            at += true if holds else false


SERVER, SAMPLE = seccomp.server_program(processes=True), seccomp.sample_program(processes=True)
SERVER_ALONE, SAMPLE_ALONE = seccomp.server_program(processes=False), seccomp.sample_program(processes=False)


def both(number, *arguments, processes=True):
    """What a sample gets: the kernel takes the stricter of the two."""
    programs = (SERVER, SAMPLE) if processes else (SERVER_ALONE, SAMPLE_ALONE)
    answers = [answer(program, number, *arguments) for program in programs]
    return next((one for one in answers if one != seccomp.ALLOW), seccomp.ALLOW)


@given(st.integers(0, 600), st.booleans())
def test_a_sample_may_make_exactly_the_listed_calls(number, processes):
    free = syscalls.names(syscalls.FREE) + (
        syscalls.names(f"{syscalls.FILES} {syscalls.PROCESSES}") if processes else []
    )
    ruled = {linux.CALLS[name] for name in syscalls.names(syscalls.RULED)}
    if number in ruled:
        return
    allowed = number in {linux.CALLS[name] for name in free}
    known = number <= max(linux.CALLS[name] for name in [*free, *syscalls.names(syscalls.CONFINING)])
    assert both(number, processes=processes) == (seccomp.ALLOW if allowed else EPERM if known else ENOSYS)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (17,), seccomp.ALLOW),
        ("clone", (0x20000000 | 17,), EPERM),
        ("clone", (0x10000000 | 17,), EPERM),
        ("clone3", (), ENOSYS),
        ("prctl", (15,), seccomp.ALLOW),
        ("prctl", (4,), EPERM),
        ("prctl", (1,), EPERM),
        ("ioctl", (0, 0x5401), seccomp.ALLOW),
        ("ioctl", (0, 0x5412), ENOTTY),
        ("socketpair", (1, 1), seccomp.ALLOW),
        ("socketpair", (1, 1 | 0x80800), seccomp.ALLOW),
        ("socketpair", (1, 2), EPERM),
        ("socketpair", (1, 3), EPERM),
        ("socketpair", (1, 5), EPERM),
        ("socketpair", (2, 1), EPERM),
        ("fcntl", (3, 4), seccomp.ALLOW),
        ("fcntl", (3, 1030), seccomp.ALLOW),
        ("fcntl", (3, 8), EPERM),
        ("fcntl", (3, 10), EPERM),
        ("fcntl", (3, 15), EPERM),
        ("fcntl", (3, 1024), EPERM),
        ("fcntl", (3, 1026), EPERM),
        ("socket", (2, 1, 0), seccomp.ALLOW),
        ("socket", (10, 2 | 0x80800, 17), seccomp.ALLOW),
        ("socket", (1, 1, 0), EPERM),
        ("socket", (16, 3, 0), EPERM),
        ("socket", (2, 3, 1), EPERM),
        ("socket", (2, 1, 132), EPERM),
        ("setsockopt", (3, 1), seccomp.ALLOW),
        ("setsockopt", (3, 0), EPERM),
        ("setsockopt", (3, 6, 1), seccomp.ALLOW),
        ("setsockopt", (3, 1, 26), EPERM),
        ("setsockopt", (3, 1, 52), EPERM),
        ("prlimit64", (0,), seccomp.ALLOW),
        ("prlimit64", (1,), EPERM),
        ("kill", (1, 9), seccomp.KILL_PROCESS),
        ("kill", (0, 9), seccomp.KILL_PROCESS),
        ("kill", (1, 19), seccomp.TRAP),
        ("kill", (2, 19), seccomp.ALLOW),
        ("tgkill", (1, 1, 19), seccomp.TRAP),
        ("kill", (1, 15), seccomp.ALLOW),
        ("kill", (2, 9), seccomp.ALLOW),
        ("tgkill", (1, 1, 11), seccomp.KILL_PROCESS),
        ("tgkill", (1, 1, 6), seccomp.ALLOW),
    ],
)
def test_arguments_decide(name, arguments, expected):
    assert both(linux.CALLS[name], *arguments) == expected


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (0x00010000,), seccomp.ALLOW),
        ("clone", (17,), EPERM),
        ("clone", (0x00010000 | 0x10000000,), EPERM),
        ("kill", (1, 0), EPERM),
        ("tgkill", (1, 1, 6), EPERM),
        ("execve", (), EPERM),
        ("fork", (), EPERM),
        ("chmod", (), EPERM),
        ("utimensat", (), EPERM),
        ("unlink", (), EPERM),
    ],
)
def test_without_namespaces_there_are_threads_only_and_no_file_changes_by_its_name(name, arguments, expected):
    assert both(linux.CALLS[name], *arguments, processes=False) == expected


@pytest.mark.parametrize("program", [SERVER, SERVER_ALONE])
def test_a_foreign_architecture_ends_the_process(program):
    assert answer(program, 0, architecture=0x40000003) == seccomp.KILL_PROCESS
    assert answer(program, 0x40000000) == seccomp.KILL_PROCESS


@pytest.mark.parametrize("name", syscalls.names(syscalls.CONFINING))
def test_the_server_may_do_what_confining_needs(name):
    assert answer(SERVER, linux.CALLS[name]) == seccomp.ALLOW


def test_what_a_child_loads_is_short():
    assert len(SAMPLE) // 8 < 40


@pytest.mark.parametrize("processes", [True, False])
def test_only_the_zygote_may_give_birth_into_cgroups(processes):
    plain = seccomp.server_program(processes), seccomp.sample_program(processes)
    leaves = (
        seccomp.server_program(processes, into_cgroups=True),
        seccomp.sample_program(processes, into_cgroups=True),
    )
    clone3 = linux.CALLS["clone3"]
    assert answer(plain[0], clone3) == ENOSYS
    assert [answer(program, clone3) for program in leaves] == [seccomp.ALLOW, ENOSYS]
