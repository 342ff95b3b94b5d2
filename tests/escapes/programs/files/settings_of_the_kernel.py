"""Reads and changes settings of the kernel."""

# /// expect
# each = "ENOENT|EACCES|EPERM|EROFS|EISDIR"
# ///

for path in (
    "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/kallsyms", "/proc/kcore", "/proc/mounts", "/proc/cpuinfo",
    "/sys/kernel/uevent_helper", "/sys/fs/cgroup", "/sys/kernel/debug", "/proc/sys/user/max_user_namespaces", "/proc/self/oom_score_adj",
):  # fmt: skip
    for mode in ("r", "w"):
        say(attempt(lambda: open(path, mode)))
