"""What a hostile program is run by: it comes over the session, and tells what it got with `say`.

It finds the names `say(value)`, `attempt(do)` (`done`, or the error's name), `syscall(name, ...)` (the same for a raw system call), `fd`
(its session) and `there`: what the host has within reach, if there were no walls.
"""

import ctypes
import errno
import json
import os

LIBRARY = ctypes.CDLL(None, use_errno=True)
LIBRARY.syscall.restype = ctypes.c_long

NUMBERS = {
    "ioctl": 16, "mincore": 27, "shmget": 29, "shmat": 30, "getpid": 39, "sendto": 44, "clone": 56, "fork": 57, "vfork": 58, "semget": 64,
    "msgget": 68, "ptrace": 101, "syslog": 103, "setuid": 105, "setgid": 106, "setgroups": 116, "setresuid": 117, "setresgid": 119,
    "setfsuid": 122, "capset": 126, "rt_sigqueueinfo": 129, "uselib": 134, "personality": 135, "ustat": 136, "setpriority": 141,
    "sched_setparam": 142, "sched_setscheduler": 144, "mlock": 149, "mlockall": 151, "vhangup": 153, "modify_ldt": 154, "pivot_root": 155,
    "prctl": 157, "arch_prctl": 158, "adjtimex": 159, "setrlimit": 160, "chroot": 161, "acct": 163, "settimeofday": 164, "mount": 165,
    "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "init_module": 175, "delete_module": 176, "quotactl": 179, "setxattr": 188, "tkill": 200, "io_setup": 206, "lookup_dcookie": 212,
    "remap_file_pages": 216, "clock_settime": 227, "mbind": 237, "set_mempolicy": 238, "mq_open": 240, "mq_unlink": 241, "kexec_load": 246,
    "add_key": 248, "request_key": 249, "keyctl": 250, "ioprio_set": 251, "inotify_init": 253, "migrate_pages": 256, "unshare": 272,
    "splice": 275, "tee": 276, "vmsplice": 278, "move_pages": 279, "signalfd": 282, "inotify_init1": 294, "rt_tgsigqueueinfo": 297,
    "perf_event_open": 298, "fanotify_init": 300, "prlimit64": 302, "name_to_handle_at": 303, "open_by_handle_at": 304,
    "clock_adjtime": 305, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "finit_module": 313,
    "sched_setattr": 314, "seccomp": 317, "memfd_create": 319, "kexec_file_load": 320, "bpf": 321, "execveat": 322, "userfaultfd": 323,
    "pkey_alloc": 330, "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsmount": 432, "fspick": 433, "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438,
    "process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "landlock_create_ruleset": 444, "memfd_secret": 447,
    "process_mrelease": 448, "set_mempolicy_home_node": 450, "cachestat": 451, "fchmodat2": 452,
}  # fmt: skip
"""Of x86-64, from the kernel's table: calls that Python has no name for."""


def attempt(do):
    """`done`, or the name of the error: the system's own where there is one."""
    try:
        do()
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)
    except BaseException as error:  # noqa: BLE001 (its name is what is asked for)
        return type(error).__name__
    return "done"


def syscall(name, *arguments):
    """`done`, or the name of the error of a raw system call; a text is given as its bytes."""
    given = [argument.encode() if isinstance(argument, str) else argument for argument in arguments]
    words = [ctypes.c_long(one) if isinstance(one, int) else one for one in given]
    result = LIBRARY.syscall(ctypes.c_long(NUMBERS[name]), *words)
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def main(fd):
    def take(count):
        data = b""
        while len(data) < count:
            data += os.read(fd, count - len(data))
        return data

    asked = json.loads(take(int.from_bytes(take(4), "little")))

    def say(value):
        os.write(fd, json.dumps(value, default=repr).encode() + b"\n")

    names = {
        "__name__": "sample",
        "say": say,
        "attempt": attempt,
        "syscall": syscall,
        "fd": fd,
        "there": asked["there"],
    }
    exec(compile(asked["source"], asked["name"], "exec"), names)
