"""Does not get so far as to be asked."""

# /// expect
# outcome = "time_limit"
# slow = true
# ///

while True:
    pass
