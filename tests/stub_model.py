"""A language model that answers by a script, on this machine."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


def chat(text, **more):
    """Shape an answer as the OpenAI API does."""
    usage = {"prompt_tokens": 30, "completion_tokens": 20}
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice | more], "usage": usage}).encode()


def grouped(prompt):
    """Answer well: texts go together by their first word."""
    texts = prompt.split("\n")[1:-1]
    firsts = dict.fromkeys(text.split()[0] for text in texts)
    lines = []
    for first in firsts:
        lines += ["", f"**{first.title()} things**"]
        lines += [f"- {text}" for text in texts if text.split()[0] == first]
    return "\n".join(lines)


class StubModel:
    """A server whose answers are taken from a list, the last one again and again.

    An answer is a text for the model to say, a function of the prompt, bytes to send as they are, a
    number as status, a pair of status and headers, ``"hang"`` or ``"trickle"``.
    """

    def __init__(self):
        self.script = [grouped]
        self.requests = []
        self.stopped = threading.Event()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.requests.append((self.path, dict(self.headers), body))
                answer = stub.script.pop(0) if len(stub.script) > 1 else stub.script[0]
                stub.answer(self, answer, body["messages"][0]["content"])

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # It looks that often whether it is to end, and each test waits for that.
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def answer(self, handler, answer, prompt):
        status, headers, content = 200, {}, b""
        if callable(answer):
            content = chat(answer(prompt))
        elif answer == "hang":
            self.stopped.wait(30)
            return
        elif answer == "trickle":
            handler.send_response(200)
            handler.end_headers()
            while not self.stopped.is_set():
                try:
                    handler.wfile.write(b" ")
                    handler.wfile.flush()
                except OSError:
                    return
                time.sleep(0.02)
            return
        elif isinstance(answer, int):
            status, content = answer, b"no such thing"
        elif isinstance(answer, tuple):
            status, headers = answer
        else:
            content = answer if isinstance(answer, bytes) else chat(answer)
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    def close(self):
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def stub():
    model = StubModel()
    yield model
    model.close()
