"""A server on this machine that answers as a service does, and fails as one does."""

import threading
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Asked:
    """A request as it came."""

    path: str
    query: dict
    headers: dict
    moment: float


@dataclass
class Reply:
    """What to answer; `how` is one of whole, cut, hang, drip, drip-headers, close."""

    content: bytes = b""
    status: int = 200
    headers: dict = field(default_factory=dict)
    how: str = "whole"


HTML = Reply(b"<!DOCTYPE html><html><body><h1>Down for maintenance</h1></body></html>")
"""What proxies and broken services say instead of JSON or XML, with status 200."""


class LiveServer:
    """Answers each request with the next reply of `script`, then by `service`."""

    def __init__(self):
        self.asked = []
        self.script = deque()
        self.service = lambda asked: Reply(status=404)
        self.ended = threading.Event()
        self.most_at_once = self._at_once = 0
        self._lock = threading.Lock()

    def answers(self, *replies):
        self.script.extend(replies)

    @property
    def queries(self):
        return [asked.query for asked in self.asked]

    def reply_to(self, asked):
        with self._lock:
            self.asked.append(asked)
            reply = self.script.popleft() if self.script else None
        return reply or self.service(asked)

    @contextmanager
    def counted(self):
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1


@contextmanager
def served(service=None):
    """Run a `LiveServer` at `.url` while the block lasts."""
    live = LiveServer()
    live.service = service or live.service

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            with live.counted():
                parts = urlsplit(self.path)
                headers = {name.lower(): value for name, value in self.headers.items()}
                query = dict(parse_qsl(parts.query, keep_blank_values=True))
                reply = live.reply_to(Asked(parts.path, query, headers, time.monotonic()))
                try:
                    self._send(reply)
                except OSError:
                    pass  # who asked has gone
            self.close_connection = True

        def _send(self, reply):
            if reply.how == "hang":
                live.ended.wait(60)
                return
            if reply.how == "close":
                return
            if reply.how == "drip-headers":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                self._drip(b"x" * 10_000)
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.content)))
            self.end_headers()
            if reply.how == "cut":
                self.wfile.write(reply.content[: len(reply.content) // 2])
            elif reply.how == "drip":
                self._drip(reply.content)
            else:
                self.wfile.write(reply.content)

        def _drip(self, content):
            for byte in content:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                if live.ended.wait(0.02):
                    return

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    live.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield live
    finally:
        live.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
