"""Finds the agent by the frames below it, and has it answer otherwise."""

# /// expect
# outcome = "wrong_answer|forbidden|runtime_error"
# ///

import sys


def f(x):
    frame = sys._getframe()
    while frame:
        agent = frame.f_locals.get("self")
        if type(agent).__name__ == "Agent":
            agent.__class__.answer = lambda self, *_: self.send(("ok", True))
            agent.send(("ok", True))
        frame = frame.f_back
    return x
