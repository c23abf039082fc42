"""A real HTTP server on this machine that speaks the chat-completions protocol and fails on request."""

from __future__ import annotations

import base64
import io
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from PIL import Image

from garten.records import Frame

PATIENCE = 20.0
"""Seconds a hanging reply waits for its test to end."""


@dataclass(frozen=True)
class Fault:
    """A reply sent as it stands."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False  # send nothing until the server closes
    drip: bool = False  # send a byte now and then until the server closes
    drop: bool = False  # close the connection inside the reply


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    path: str
    headers: Mapping[str, str]  # names in lower case
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All text of the conversation."""
        return "\n".join(part["text"] for part in self.parts if part["type"] == "text")

    @property
    def images(self) -> list[Frame]:
        """All pictures of the conversation, decoded."""
        return [_decode(part["image_url"]["url"]) for part in self.parts if part["type"] == "image_url"]

    @property
    def parts(self) -> Iterator[dict[str, Any]]:
        for message in self.body["messages"]:
            content = message["content"]
            yield from [{"type": "text", "text": content}] if isinstance(content, str) else content


Reply = str | Fault | dict[str, Any]
"""Text becomes a well-formed completion; a dict is sent as JSON."""

Script = Callable[[Request], Reply]


class ChatServer:
    """The running server: its address and what was asked of it."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = False  # so that closing waits for every connection
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@contextmanager
def serve(script: Script | Sequence[Reply]) -> Iterator[ChatServer]:
    """A server that answers by a function of the request, or by a list whose last entry repeats."""
    server = ChatServer(script if callable(script) else _in_turn(script))
    server.start()
    try:
        yield server
    finally:
        server.close()


def completion(text: Any, *, finish: str = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    """A chat completion."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        if usage is None
        else usage,
    }


def error(status: int, message: str, **headers: str) -> Fault:
    """A refusal in the protocol's form."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
    return Fault(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


def _in_turn(replies: Sequence[Reply]) -> Script:
    lock, rest = threading.Lock(), list(replies)

    def script(request: Request) -> Reply:
        with lock:
            return rest.pop(0) if len(rest) > 1 else rest[0]

    return script


def _decode(url: str) -> Frame:
    match = re.fullmatch(r"data:image/(png|jpeg);base64,([A-Za-z0-9+/=]+)", url)
    assert match, url[:60]
    with Image.open(io.BytesIO(base64.b64decode(match.group(2), validate=True))) as image:
        assert (image.format or "").lower() == match.group(1)
        return np.asarray(image.convert("RGB"))


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:  # named by http.server
            self.close_connection = True
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = Request(
                self.path,
                {name.lower(): value for name, value in self.headers.items()},
                json.loads(body),
            )
            server.requests.append(request)
            reply = server.script(request)
            if isinstance(reply, str):
                reply = completion(reply)
            if isinstance(reply, dict):
                reply = Fault(body=json.dumps(reply).encode())
            with suppress(OSError):  # the client has gone, as in the tests of its time limits
                self._send(reply)

        def _send(self, reply: Fault) -> None:
            if reply.hang:
                server.closing.wait(PATIENCE)
                return
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Connection", "close")
            missing = 1000 if reply.drip or reply.drop else 0
            self.send_header("Content-Length", str(len(reply.body) + missing))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)
            while reply.drip and not server.closing.wait(0.02):
                self.wfile.write(b" ")

        def log_message(self, format: str, *args: Any) -> None:
            """Keep quiet."""

    return Handler
