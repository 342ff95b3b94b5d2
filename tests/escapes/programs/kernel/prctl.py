"""Changes what it may, by every option that there is but those about its own names and memory."""

# /// expect
# each = "EPERM"
# ///

for option in {*range(1, 80), 0x4D4D444C, 0x59616D61} - {15, 16}:
    say(syscall("prctl", option, 1, 0, 0, 0))
