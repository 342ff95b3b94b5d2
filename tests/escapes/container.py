"""Runs a command as a container engine with Docker's default settings would run it: `container.py --user root|ordinary COMMAND ...`.

There is no container engine on the machines that run these tests, so what one takes away is taken away here: its own pid, network, IPC
and mount namespaces; a read-only root with a small /tmp and /dev/shm; parts of /proc covered or read-only; all capabilities but the
fourteen that Docker leaves to root, or none for an ordinary user, who may gain none; and the system calls that its default seccomp
profile refuses to whoever has no CAP_SYS_ADMIN. `--allow-namespaces` lifts the last, `--uncovered-proc` leaves /proc whole: the two
things that hold the ladder at L2 there. What is not shown: AppArmor's `docker-default`, which needs a kernel that has it, and user
namespaces round the container.

Needs root. x86-64 only.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import struct
from pathlib import Path

LIBRARY = ctypes.CDLL(None, use_errno=True)
NEW_NAMESPACES = 0x00020000 | 0x08000000 | 0x20000000 | 0x40000000  # mounts, IPC, pids, network
NAMESPACE_FLAGS = 0x7E020000
READ_ONLY, NO_SUID, NO_DEVICES, BIND, REMOUNT, RECURSIVE, PRIVATE = 1, 2, 4, 4096, 32, 16384, 1 << 18
COVERED = ("acpi", "asound", "interrupts", "kcore", "keys", "latency_stats", "sched_debug", "scsi", "timer_list")
WRITE_PROTECTED = ("bus", "fs", "irq", "sys", "sysrq-trigger")
DOCKERS_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}
ORDINARY = 65534
NO_NEW_PRIVILEGES, DROP_FROM_BOUNDING_SET = 38, 24

REFUSED = {
    "ustat": 136, "sysfs": 139, "modify_ldt": 154, "pivot_root": 155, "adjtimex": 159, "acct": 163, "settimeofday": 164, "mount": 165,
    "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "create_module": 174, "init_module": 175, "delete_module": 176, "quotactl": 179, "nfsservctl": 180, "lookup_dcookie": 212,
    "clock_settime": 227, "mbind": 237, "set_mempolicy": 238, "get_mempolicy": 239, "kexec_load": 246, "add_key": 248, "request_key": 249,
    "keyctl": 250, "migrate_pages": 256, "unshare": 272, "move_pages": 279, "perf_event_open": 298, "fanotify_init": 300,
    "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "finit_module": 313,
    "kexec_file_load": 320, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438,
    "process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "set_mempolicy_home_node": 450, "ptrace": 101, "uselib": 134,
    "syslog": 103, "vhangup": 153,
}  # fmt: skip
"""What the profile refuses without CAP_SYS_ADMIN, and some that it refuses on older kernels only (`ptrace` ...), by x86-64 number."""

CLONE, CLONE3 = 56, 435
OPEN_TREE, MOVE_MOUNT = 428, 429
CHECKOUT = Path(__file__).resolve().parents[2]
"""What a container's image would hold."""


def check(result, what):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source, target, kind, flags, options=None):
    texts = [None if text is None else text.encode() for text in (source, target, kind, options)]
    check(LIBRARY.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]), f"mount {target}")


def make_read_only(path):
    """The mount at the path and all below it."""
    attributes = struct.pack("QQQQ", READ_ONLY, 0, 0, 0)
    check(LIBRARY.syscall(442, -100, path.encode(), 0x8000, attributes, len(attributes)), f"mount_setattr {path}")


def furnish(cover):
    """The container's files."""
    mount(None, "/", None, RECURSIVE | PRIVATE)
    make_read_only("/")
    checkout = LIBRARY.syscall(OPEN_TREE, -100, str(CHECKOUT).encode(), 0x8001)
    check(checkout, f"open_tree {CHECKOUT}")
    for path in ("/tmp", "/dev/shm"):
        mount("tmpfs", path, "tmpfs", NO_SUID | NO_DEVICES, "size=64m,mode=1777")
    if not CHECKOUT.exists():  # it lies in /tmp
        CHECKOUT.mkdir(parents=True)
        check(LIBRARY.syscall(MOVE_MOUNT, checkout, b"", -100, str(CHECKOUT).encode(), 4), f"move_mount {CHECKOUT}")
        make_read_only(str(CHECKOUT))
    os.close(checkout)
    mount("proc", "/proc", "proc", NO_SUID | NO_DEVICES)
    if not cover:
        return
    for name in WRITE_PROTECTED:
        path = f"/proc/{name}"
        if Path(path).exists():
            mount(path, path, None, BIND | RECURSIVE)
            mount(None, path, None, BIND | REMOUNT | READ_ONLY)
    for name in COVERED:
        path = f"/proc/{name}"
        if Path(path).is_dir():
            mount("tmpfs", path, "tmpfs", READ_ONLY)
        elif Path(path).exists():
            mount("/dev/null", path, None, BIND)


def refuse_calls():
    """Docker's list as a filter: EPERM, for clone3 ENOSYS, so that the C library falls back to clone."""
    load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
    allow, errno = 0x7FFF0000, 0x00050000
    steps = [(load, 0, 0, 0)]
    for number in REFUSED.values():
        steps += [(equal, 0, 1, number), (give, 0, 0, errno | 1)]
    steps += [(equal, 0, 1, CLONE3), (give, 0, 0, errno | 38), (equal, 0, 3, CLONE)]
    steps += [(load, 0, 0, 16), (any_bit, 0, 1, NAMESPACE_FLAGS), (give, 0, 0, errno | 1), (give, 0, 0, allow)]
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    header = struct.pack("HxxxxxxQ", len(steps), ctypes.cast(program, ctypes.c_void_p).value)
    check(LIBRARY.syscall(317, 1, 0, header), "seccomp")


def become(user):
    """Docker's root, or an ordinary user under `--cap-drop ALL --security-opt no-new-privileges`."""
    for capability in set(range(64)) - (DOCKERS_CAPABILITIES if user == "root" else set()):
        LIBRARY.prctl(
            DROP_FROM_BOUNDING_SET, capability, 0, 0, 0
        )  # one that this kernel hasn't is an error that says nothing
    if user == "ordinary":
        os.setgroups([])
        os.setresgid(ORDINARY, ORDINARY, ORDINARY)
        os.setresuid(ORDINARY, ORDINARY, ORDINARY)
        check(LIBRARY.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", choices=("root", "ordinary"), default="ordinary")
    parser.add_argument("--allow-namespaces", action="store_true")
    parser.add_argument("--uncovered-proc", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    check(LIBRARY.unshare(NEW_NAMESPACES), "unshare")
    child = os.fork()
    if child:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)
    furnish(cover=not asked.uncovered_proc)
    if not asked.allow_namespaces:
        refuse_calls()
    become(asked.user)
    with contextlib.suppress(PermissionError):
        os.chdir("/tmp")
    os.execvp(asked.command[0], asked.command)


if __name__ == "__main__":
    main()
