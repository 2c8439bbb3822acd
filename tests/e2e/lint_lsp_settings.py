"""Drives `assay lsp` in a tree of settings files: each document takes the nearest one, and a broken one is reported."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

ASSAY, ROOT = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
TEXT = "from torch.autograd import Variable\nimport torch\n\nx = Variable(torch.zeros(3))\n"
QUIET = '[tool.assay.lint]\nignore = ["SB091"]\n'


class Client:
    """A server process and the messages to and from it."""

    def __init__(self, **initialize: object) -> None:
        self.process = subprocess.Popen([ASSAY, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/")
        self.n = 0
        self.talk: list[dict] = []
        self.request("initialize", {"capabilities": {"textDocument": {"diagnostic": {}}}, **initialize})
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def request(self, method: str, params: dict) -> dict:
        self.n += 1
        self.send({"id": self.n, "method": method, "params": params})
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if message.get("id") == self.n and "result" in message:
                return message["result"]
            self.talk.append(message)

    def codes(self, uri: str) -> list[str]:
        item = {"uri": uri, "languageId": "python", "version": 1, "text": TEXT}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        return self.again(uri)

    def again(self, uri: str) -> list[str]:
        result = self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return [item["code"] for item in result["items"]]

    def changed(self) -> None:
        self.send({"method": "workspace/didChangeWatchedFiles", "params": {"changes": []}})


def main() -> None:
    nested = ROOT / "nested"
    nested.mkdir(parents=True)
    (nested / "pyproject.toml").write_text(QUIET)
    outer, inner, unsaved = (ROOT / "a.py").as_uri(), (nested / "b.py").as_uri(), "untitled:Untitled-1"
    client = Client(rootUri=ROOT.as_uri())
    assert client.codes(outer) == ["SB091"], "a file beside no settings"
    assert client.codes(inner) == [], "the nearest settings are not read"
    (nested / "pyproject.toml").write_text("[tool.assay.lint]\nignore = [\n")
    client.changed()
    assert client.again(inner) == ["SB091"], "without settings that can be read the built-in ones hold"
    client.request("textDocument/hover", {"textDocument": {"uri": inner}, "position": {"line": 0, "character": 0}})
    assert any(m.get("method") == "window/showMessage" and "pyproject.toml" in m["params"]["message"] for m in client.talk), client.talk
    (nested / "pyproject.toml").write_text(QUIET)
    client.changed()
    assert client.again(inner) == [] and client.again(outer) == ["SB091"], "settings that changed"
    (ROOT / "pyproject.toml").write_text('[tool.assay.lint]\nextend-exclude = ["old"]\n')
    (ROOT / "old").mkdir()
    left_out = (ROOT / "old" / "c.py").as_uri()
    client.changed()
    assert client.codes(left_out) == [], "a document that the settings leave out"
    asked = {"textDocument": {"uri": left_out}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}}
    assert client.request("textDocument/codeAction", {**asked, "context": {"diagnostics": []}}) == [], "it is offered no edit"
    (ROOT / "pyproject.toml").unlink()
    client.changed()
    assert client.again(left_out) == ["SB091"], "settings that left it out are gone"
    other = Client(rootUri=None, workspaceFolders=[{"uri": nested.as_uri(), "name": "n"}])
    assert other.codes(unsaved) == [], "a text without a file has the settings of the workspace"


main()
