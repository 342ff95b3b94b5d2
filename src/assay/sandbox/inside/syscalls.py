"""Names and numbers of the system calls that a sample may make: the list to read when one asks what a sample can do.

Everything that is not here answers EPERM (ENOSYS from the first number that this list has never heard of, so that a newer C library
falls back as it does on an older kernel). `FREE` needs no look at its arguments, `RULED` is allowed by the argument rules of
`seccomp.py`, `FILES` and `PROCESSES` fall away where there are no namespaces to hold what they do. Numbers come from the kernel's
headers. x86-64 is tested on every run; **aarch64 is written from the generic table and unverified**. No other architecture is known:
there no child can be cloned or confined, and the server ends with an error that says so.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

FREE = """
    # files and directories
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat openat2 creat close
    close_range stat fstat lstat newfstatat statx lseek access faccessat faccessat2 dup dup2 dup3
    fsync fdatasync sync_file_range ftruncate fallocate fadvise64 getdents getdents64 getcwd chdir
    fchdir readlink readlinkat umask statfs fstatfs
    sendfile copy_file_range readahead getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
    # memory
    mmap mprotect munmap mremap msync mincore madvise brk
    # waiting
    poll ppoll select pselect6 pause nanosleep clock_nanosleep epoll_create epoll_create1 epoll_ctl epoll_wait
    epoll_pwait epoll_pwait2 eventfd eventfd2 wait4 waitid timerfd_create timerfd_settime timerfd_gettime pipe pipe2
    futex futex_waitv
    # time
    time gettimeofday clock_gettime clock_getres getitimer setitimer alarm timer_create timer_settime
    timer_gettime timer_getoverrun timer_delete times
    # signals
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
    restart_syscall
    # who am I
    setsid setpgid getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid getpgrp getsid
    getrusage getrlimit getpriority sysinfo uname getcpu getrandom sched_getaffinity sched_getparam
    sched_getscheduler sched_get_priority_max sched_get_priority_min capget
    # threads and ends
    set_robust_list get_robust_list set_tid_address rseq membarrier exit exit_group
    # the session socket
    sendto recvfrom sendmsg recvmsg shutdown getsockopt getsockname getpeername
"""
"""Allowed whatever the arguments are. Lines that begin with `#` are headings."""

FILES = """
    flock truncate rename renameat renameat2 mkdir mkdirat rmdir link linkat unlink unlinkat symlink symlinkat
    chmod fchmod fchmodat utime utimes utimensat futimesat mknod mknodat
"""
"""Allowed only where a root of its own holds them: what changes a file without opening it to write. Landlock has no say in modes, times
and locks, so without namespaces a sample could take its user's own files away from him.
"""

PROCESSES = "fork vfork execve arch_prctl connect"
"""Allowed only where namespaces hold what comes of it: one of pids that ends what a sample leaves behind, one of nets with no way out.

`arch_prctl` is what the loader of a started program needs.
"""

RULED = "sched_yield clone clone3 fcntl prctl ioctl prlimit64 socket socketpair setsockopt kill tkill tgkill"
"""Allowed for some arguments: see the rules in `seccomp.py`."""

CONFINING = """
    sched_setaffinity setns setresuid setresgid capset mount pidfd_open pidfd_send_signal seccomp landlock_restrict_self
    io_uring_register
"""
"""What the server needs to confine, end and clean up after a child, and to pin memory before the first comes. The filter that a child adds
takes it away again.
"""

_X86_64 = """
    read=0 write=1 open=2 close=3 stat=4 fstat=5 lstat=6 poll=7 lseek=8 mmap=9 mprotect=10 munmap=11 brk=12
    rt_sigaction=13 rt_sigprocmask=14 rt_sigreturn=15 ioctl=16 pread64=17 pwrite64=18 readv=19 writev=20 access=21
    pipe=22 select=23 sched_yield=24 mremap=25 msync=26 mincore=27 madvise=28 dup=32 dup2=33 pause=34 nanosleep=35
    getitimer=36 alarm=37 setitimer=38 getpid=39 sendfile=40 socket=41 connect=42 sendto=44 recvfrom=45 sendmsg=46 recvmsg=47 shutdown=48
    getsockname=51 getpeername=52 socketpair=53 setsockopt=54 getsockopt=55 clone=56 fork=57 vfork=58 execve=59
    exit=60 wait4=61 kill=62 uname=63 fcntl=72 flock=73 fsync=74 fdatasync=75 truncate=76 ftruncate=77 getdents=78
    getcwd=79 chdir=80 fchdir=81 rename=82 mkdir=83 rmdir=84 creat=85 link=86 unlink=87 symlink=88 readlink=89
    chmod=90 fchmod=91 umask=95 gettimeofday=96 getrlimit=97 getrusage=98 sysinfo=99 times=100 getuid=102 getgid=104
    geteuid=107 getegid=108 setpgid=109 getppid=110 getpgrp=111 setsid=112 getgroups=115 getresuid=118 getresgid=120
    getpgid=121 getsid=124 capget=125 capset=126 rt_sigpending=127 rt_sigtimedwait=128 rt_sigsuspend=130
    sigaltstack=131 utime=132 mknod=133 statfs=137 fstatfs=138 getpriority=140 sched_getparam=143
    sched_getscheduler=145 sched_get_priority_max=146 sched_get_priority_min=147 pivot_root=155 prctl=157 arch_prctl=158 gettid=186
    readahead=187 getxattr=191 lgetxattr=192 fgetxattr=193 listxattr=194 llistxattr=195 flistxattr=196 tkill=200
    time=201 futex=202 sched_setaffinity=203 sched_getaffinity=204 epoll_create=213 getdents64=217 set_tid_address=218 restart_syscall=219
    fadvise64=221 timer_create=222 timer_settime=223 timer_gettime=224 timer_getoverrun=225 timer_delete=226
    clock_gettime=228 clock_getres=229 clock_nanosleep=230 exit_group=231 epoll_wait=232 epoll_ctl=233 tgkill=234
    utimes=235 waitid=247 openat=257 mkdirat=258 mknodat=259 futimesat=261 newfstatat=262 unlinkat=263 renameat=264
    linkat=265 symlinkat=266 readlinkat=267 fchmodat=268 faccessat=269 pselect6=270 ppoll=271 set_robust_list=273
    get_robust_list=274 sync_file_range=277 utimensat=280 epoll_pwait=281 timerfd_create=283 eventfd=284
    fallocate=285 timerfd_settime=286 timerfd_gettime=287 eventfd2=290 epoll_create1=291 dup3=292 pipe2=293
    preadv=295 pwritev=296 prlimit64=302 getcpu=309 renameat2=316 seccomp=317 getrandom=318 membarrier=324
    copy_file_range=326 preadv2=327 pwritev2=328 statx=332 rseq=334 clone3=435 close_range=436 openat2=437
    faccessat2=439 epoll_pwait2=441 mount_setattr=442 setns=308 setresuid=117
    setresgid=119 mount=165 pidfd_send_signal=424 io_uring_setup=425 io_uring_register=427 pidfd_open=434
    landlock_restrict_self=446 futex_waitv=449
"""

_AARCH64 = """
    getxattr=8 lgetxattr=9 fgetxattr=10 listxattr=11 llistxattr=12 flistxattr=13 getcwd=17 eventfd2=19
    epoll_create1=20 epoll_ctl=21 epoll_pwait=22 dup=23 dup3=24 fcntl=25 ioctl=29 flock=32 mknodat=33 mkdirat=34
    unlinkat=35 symlinkat=36 linkat=37 renameat=38 pivot_root=41 statfs=43 fstatfs=44 truncate=45 ftruncate=46
    fallocate=47 faccessat=48 chdir=49 fchdir=50 fchmod=52 fchmodat=53 openat=56 close=57 pipe2=59 getdents64=61
    lseek=62 read=63 write=64 readv=65 writev=66 pread64=67 pwrite64=68 preadv=69 pwritev=70 sendfile=71 pselect6=72
    ppoll=73 readlinkat=78 newfstatat=79 fstat=80 fsync=82 fdatasync=83 sync_file_range=84 timerfd_create=85
    timerfd_settime=86 timerfd_gettime=87 utimensat=88 capget=90 capset=91 exit=93 exit_group=94 waitid=95
    set_tid_address=96 futex=98 set_robust_list=99 get_robust_list=100 nanosleep=101 getitimer=102 setitimer=103
    timer_create=107 timer_gettime=108 timer_getoverrun=109 timer_settime=110 timer_delete=111 clock_gettime=113
    clock_getres=114 clock_nanosleep=115 sched_getscheduler=120 sched_getparam=121 sched_setaffinity=122 sched_getaffinity=123
    sched_yield=124 sched_get_priority_max=125 sched_get_priority_min=126 restart_syscall=128 kill=129 tkill=130
    tgkill=131 sigaltstack=132 rt_sigsuspend=133 rt_sigaction=134 rt_sigprocmask=135 rt_sigpending=136
    rt_sigtimedwait=137 rt_sigreturn=139 getpriority=141 getresuid=148 getresgid=150 times=153 setpgid=154
    getpgid=155 getsid=156 setsid=157 getgroups=158 uname=160 getrlimit=163 getrusage=165 umask=166 prctl=167
    getcpu=168 gettimeofday=169 getpid=172 getppid=173 getuid=174 geteuid=175 getgid=176 getegid=177 gettid=178
    sysinfo=179 socket=198 socketpair=199 connect=203 getsockname=204 getpeername=205 sendto=206 recvfrom=207 setsockopt=208 getsockopt=209
    shutdown=210 sendmsg=211 recvmsg=212 readahead=213 brk=214 munmap=215 mremap=216 clone=220 execve=221 mmap=222
    fadvise64=223 mprotect=226 msync=227 mincore=232 madvise=233 wait4=260 prlimit64=261 renameat2=276 seccomp=277
    getrandom=278 membarrier=283 copy_file_range=285 preadv2=286 pwritev2=287 statx=291 rseq=293 clone3=435
    close_range=436 openat2=437 faccessat2=439 epoll_pwait2=441 mount_setattr=442
    setns=268 setresuid=147 setresgid=149 mount=40 pidfd_send_signal=424 io_uring_setup=425 io_uring_register=427 pidfd_open=434
    landlock_restrict_self=446 futex_waitv=449
"""


def _table(text: str) -> dict[str, int]:
    pairs = (entry.split("=") for entry in text.split())
    return {name: int(number) for name, number in pairs}


NUMBERS = {"x86_64": _table(_X86_64), "aarch64": _table(_AARCH64)}
"""System call numbers by `os.uname().machine`."""

AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""What the kernel puts into `seccomp_data.arch`, by machine."""


def names(text: str) -> list[str]:
    """The names in one of the lists above, headings left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return " ".join(lines).split()
