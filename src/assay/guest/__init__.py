"""Runs beside untrusted code: standard library only, CPython >= 3.9, imports nothing of ours and is imported by nobody.

The files here are loaded by path: `codec.py` on both sides of the border, `agent.py` in the sandboxed process. Nothing in them is
relied on for the soundness of a verdict: whatever bytes an agent sends are data to the judge.
"""
