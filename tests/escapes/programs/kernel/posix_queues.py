"""Makes message queues, which outlive their maker."""

# /// expect
# each = "EPERM"
# ///

say(syscall("mq_open", "queue", 0o102, 0o666, 0))
say(syscall("mq_unlink", "queue"))
