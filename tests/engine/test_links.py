"""The engine's end of a judge fork: what it does when the other end ends, is silent, or speaks out of turn."""

from __future__ import annotations

import asyncio
import socket

import pytest

from assay.engine.links import JudgeDied, JudgeLink
from assay.judge.wire import codec


def frame(message):
    data = codec.encode(message)
    return len(data).to_bytes(4, "little") + data


def talk(conversation):
    """Runs `conversation(link, the judge's end)` in a loop that fails the test for an error that nobody took."""

    async def run():
        unheard = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
        ours, theirs = socket.socketpair()
        link = JudgeLink(ours)
        try:
            result = await conversation(link, theirs)
        finally:
            link.close()
            theirs.close()
        await asyncio.sleep(0)
        assert not unheard
        return result

    return asyncio.run(run())


def test_an_answer_that_comes_in_pieces_is_one_answer():
    async def conversation(link, judge):
        whole = frame(("report", "x" * 300_000))
        asking = asyncio.create_task(link.ask(("judge",)))
        await asyncio.sleep(0)
        for start in range(0, len(whole), 50_001):
            judge.sendall(whole[start : start + 50_001])
            await asyncio.sleep(0.001)
        return await asking

    assert talk(conversation) == ("report", "x" * 300_000)


def test_a_fork_that_hangs_up_has_died():
    async def conversation(link, judge):
        asking = asyncio.create_task(link.ask(("judge",)))
        await asyncio.sleep(0)
        judge.shutdown(socket.SHUT_RDWR)
        with pytest.raises(JudgeDied):
            await asking
        with pytest.raises(JudgeDied):
            await link.ask(("judge",))

    talk(conversation)


@pytest.mark.parametrize("unasked", [b"\x00", frame(("report",)), b"x" * 100_000])
def test_what_comes_unasked_ends_the_link(unasked):
    async def conversation(link, judge):
        judge.sendall(unasked)
        await asyncio.sleep(0.01)
        with pytest.raises(JudgeDied, match="unasked"):
            await link.ask(("judge",))

    talk(conversation)


@pytest.mark.parametrize(
    "answer", [frame(("report",)) + b"x", b"\xff\xff\xff\xff", frame(5), frame(()), b"\x01\x00\x00\x00\xff"]
)
def test_an_answer_that_cannot_be_read_ends_the_link(answer):
    async def conversation(link, judge):
        asking = asyncio.create_task(link.ask(("judge",)))
        await asyncio.sleep(0)
        judge.sendall(answer)
        with pytest.raises(JudgeDied):
            await asking

    talk(conversation)


def test_patience_ends():
    async def conversation(link, _):
        with pytest.raises(TimeoutError):
            await link.ask(("judge",), patience_s=0.01)

    talk(conversation)


def test_an_agents_socket_is_closed_even_if_the_fork_is_gone():
    async def conversation(link, judge):
        judge.close()
        await asyncio.sleep(0.01)
        ours, agent = socket.socketpair()
        with pytest.raises(JudgeDied):
            await link.ask(("judge",), agent)
        with ours:
            return ours.recv(1), agent.fileno()

    assert talk(conversation) == (b"", -1)
