"""A model server on the loopback that does what healthy servers don't, by a script, and remembers what it was asked.

A reply of the script is a mapping: `http` (200), `headers`, `text` and `finish` (of every choice), `choices` (as they are, in their place),
`usage`, `message` (as it is), `raw` (a body as it is), `hang_s` (say nothing for so long), `drip_s` (send a byte of the body each time so
long has gone by), `cut` (break the connection in the middle of the body), `n_most` (refuse more answers at once), `ignore_n` (give one
answer whatever was asked for).
With `"stream": true` it sends server-sent events, and `cut` breaks these off.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class StubServer:
    """Serves until it is closed; a context manager.

    Args:
        replies: For each word that a prompt may hold, what is said to it, one reply after the other; the last one stays.
        usual: What is said to all other prompts.
    """

    def __init__(self, replies: dict[str, list[dict[str, Any]]] | None = None, usual: dict[str, Any] | None = None):
        self.replies = replies or {}
        self.usual = usual or {"text": "```python\ndef f(n):\n    return n\n```"}
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._over = threading.Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                stub.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A client that has gone is part of the game."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def asked(self) -> Counter[str]:
        """How often each word of the script was asked about."""
        return Counter(self._word(request) for request in self.requests)

    def _word(self, request: dict[str, Any]) -> str:
        sent = json.dumps(request.get("messages") or request.get("prompt"))
        return max((word for word in self.replies if word in sent), key=len, default="")

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers["Content-Length"])
        request = json.loads(handler.rfile.read(length))
        with self._lock:
            word = self._word(request)
            script = self.replies.get(word, [self.usual])
            reply = script[min(self.asked()[word], len(script) - 1)]
            self.requests.append({**request, "path": handler.path})
            self.headers.append(dict(handler.headers))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            self._over.wait(reply.get("hang_s", 0))
            self._send(handler, request, reply)
        finally:
            with self._lock:
                self._at_once -= 1

    def _send(self, handler: BaseHTTPRequestHandler, request: dict[str, Any], reply: dict[str, Any]) -> None:
        if request.get("n", 1) > reply.get("n_most", 1000):
            reply = {"http": 400, "raw": '{"error": {"message": "Field \'n\': Value must be between 1 and the slots"}}'}
        status = reply.get("http", 200)
        streams = request.get("stream") and status == 200 and "raw" not in reply
        body = (_events if streams else _body)(request, reply).encode()
        handler.send_response(status)
        for name, value in reply.get("headers", {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Type", "text/event-stream" if streams else "application/json")
        if streams:
            handler.send_header("Connection", "close")
        else:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if reply.get("cut"):
            handler.wfile.write(body[: len(body) // 2])
            handler.close_connection = True
            return
        drip_s = reply.get("drip_s")
        for at in range(len(body) if drip_s else 0):
            if self._over.wait(drip_s):
                return
            handler.wfile.write(body[at : at + 1])
        if not drip_s:
            handler.wfile.write(body)
        handler.close_connection = bool(streams)


def _choices(request: dict[str, Any], reply: dict[str, Any]) -> list[dict[str, Any]]:
    if "choices" in reply:
        return reply["choices"]
    count = 1 if reply.get("ignore_n") else request.get("n", 1)
    finish = reply.get("finish", "stop")
    if "prompt" in request:
        return [{"index": at, "text": reply.get("text"), "finish_reason": finish} for at in range(count)]
    message = reply.get("message", {"role": "assistant", "content": reply.get("text")})
    return [{"index": at, "message": message, "finish_reason": finish} for at in range(count)]


def _body(request: dict[str, Any], reply: dict[str, Any]) -> str:
    if "raw" in reply:
        return reply["raw"]
    if reply.get("http", 200) != 200:
        return json.dumps({"error": {"message": reply.get("says", "no"), "code": reply.get("code")}})
    usage = reply.get("usage", {"prompt_tokens": 10, "completion_tokens": 7})
    usage = {"total_tokens": sum(usage.values()), **usage}
    marks = {"id": "x", "object": "chat.completion", "created": 1, "model": request["model"]}
    return json.dumps({**marks, "choices": _choices(request, reply), "usage": usage})


def _events(request: dict[str, Any], reply: dict[str, Any]) -> str:
    events = []
    for choice in _choices(request, reply):
        text = (choice["message"]["content"] if "message" in choice else choice["text"]) or ""
        for piece in [*text.splitlines(keepends=True), None]:
            said = {"delta": {"content": piece} if piece else {}} if "message" in choice else {"text": piece or ""}
            end = {"finish_reason": choice["finish_reason"] if piece is None else None}
            events.append({"choices": [{"index": choice["index"], **said, **end}]})
    events.append({"choices": [], "usage": reply.get("usage", {"prompt_tokens": 10, "completion_tokens": 7})})
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
