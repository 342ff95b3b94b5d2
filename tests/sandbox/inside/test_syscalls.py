"""The tables of system calls agree with the kernel's headers, where those are installed."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from assay.sandbox.inside import syscalls

X86_64 = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
GENERIC = Path("/usr/include/asm-generic/unistd.h")


@pytest.mark.skipif(not X86_64.exists(), reason="the kernel's headers for x86-64 are not installed")
def test_the_numbers_of_x86_64_are_the_kernels():
    kernel = {name: int(number) for name, number in re.findall(r"__NR_(\w+) (\d+)", X86_64.read_text())}
    assert {name: kernel.get(name) for name in syscalls.NUMBERS["x86_64"]} == syscalls.NUMBERS["x86_64"]


@pytest.mark.skipif(not GENERIC.exists(), reason="the kernel's generic headers are not installed")
def test_the_numbers_of_aarch64_are_those_of_the_generic_table():
    kernel = {name: int(number) for name, number in re.findall(r"__NR(?:3264)?_(\w+) (\d+)", GENERIC.read_text())}
    kernel["newfstatat"] = kernel["fstatat"]  # the one name that the two tables spell differently
    assert {name: kernel.get(name) for name in syscalls.NUMBERS["aarch64"]} == syscalls.NUMBERS["aarch64"]


def test_every_call_of_the_lists_has_a_number_on_x86_64():
    lists = (syscalls.FREE, syscalls.PROCESSES, syscalls.RULED, syscalls.CONFINING)
    listed = [name for text in lists for name in syscalls.names(text)]
    assert set(listed) <= set(syscalls.NUMBERS["x86_64"])
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(
    "name",
    [
        "bind",
        "listen",
        "accept",
        "accept4",
        "ptrace",
        "memfd_create",
        "bpf",
        "unshare",
        "keyctl",
        "io_uring_setup",
        "execveat",
    ],
)
def test_a_call_that_a_sample_must_not_make_is_in_no_list(name):
    lists = (syscalls.FREE, syscalls.PROCESSES, syscalls.RULED)
    assert name not in [listed for text in lists for listed in syscalls.names(text)]


def test_this_machine_is_known():
    if os.uname().machine not in syscalls.NUMBERS:
        pytest.skip("no table for this machine")
    assert os.uname().machine in syscalls.AUDIT_ARCHITECTURE
