"""Frames on the protocol's descriptor: reads take no byte of a later frame, so processes can take turns."""

import json
import os
import struct
from dataclasses import dataclass
from typing import Any

from assay_worker import protocol

HEADER = struct.Struct("<IBBHI")


class Closed(Exception):
    """The pool has closed its end."""


class Broken(Exception):
    """The bytes that arrived are no frame."""


@dataclass(frozen=True)
class Frame:
    kind: int
    seq: int
    body: dict[str, Any]


def _read_exactly(fd: int, n: int) -> bytes:
    parts = []
    while n:
        part = os.read(fd, n)
        if not part:
            raise Closed
        parts.append(part)
        n -= len(part)
    return b"".join(parts)


def read(fd: int) -> Frame:
    length, kind, zero, zeros, seq = HEADER.unpack(_read_exactly(fd, protocol.HEADER_SIZE))
    if length > protocol.BODY_MAX or zero or zeros:
        raise Broken(f"a frame of {length} bytes, reserved bytes {zero} {zeros}")
    body = json.loads(_read_exactly(fd, length)) if length else {}
    if not isinstance(body, dict):
        raise Broken("the body of a frame is no object")
    return Frame(kind, seq, body)


def write(fd: int, kind: int, seq: int, body: dict[str, Any]) -> None:
    text = json.dumps(body, separators=(",", ":")).encode()
    if len(text) > protocol.BODY_MAX:
        raise Broken(f"a frame of {len(text)} bytes")
    data = memoryview(HEADER.pack(len(text), kind, 0, 0, seq) + text)
    while data:
        data = data[os.write(fd, data) :]
