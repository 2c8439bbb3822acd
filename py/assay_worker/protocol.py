"""Numbers of the worker protocol. Written by tools/make-protocol from
src/target/protocol.def."""

PROTOCOL = 1
HEADER_SIZE = 12
BODY_MAX = 1 << 20

HELLO = 1
WELCOME = 2
RUN = 3
STARTED = 4
RESULT = 5
EXITED = 6
ERROR = 7
BYE = 8
