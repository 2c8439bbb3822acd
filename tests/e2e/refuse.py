#!/usr/bin/env python3
"""refuse.py WHAT[,WHAT] COMMAND...: runs a command with some system calls refused, as on an older or a restricted kernel.

WHAT is "namespaces" (EPERM, as with the default profile of container engines) or "landlock" (ENOSYS, as on a kernel
without it). The seccomp filter also applies to all processes that the command starts. For Linux on x86-64 or aarch64; exits
with the status of the command, or 125 if no filter can be set.
"""
import ctypes
import errno
import os
import platform
import struct
import sys

NUMBERS = {
    "x86_64": {"clone": 56, "unshare": 272, "setns": 308, "clone3": 435, "landlock_create_ruleset": 444},
    "aarch64": {"clone": 220, "unshare": 97, "setns": 268, "clone3": 435, "landlock_create_ruleset": 444},
}
CLONE_FLAGS = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
REFUSED = {
    "namespaces": [("unshare", errno.EPERM, None), ("setns", errno.EPERM, None), ("clone3", errno.ENOSYS, None),
                   ("clone", errno.EPERM, CLONE_FLAGS)],
    "landlock": [("landlock_create_ruleset", errno.ENOSYS, None)],
}
LOAD, JUMP_EQUAL, JUMP_SET, RETURN = 0x20, 0x15, 0x45, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JSET|K, BPF_RET|K
ALLOW, ERRNO = 0x7FFF0000, 0x00050000  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO
NUMBER_AT, FIRST_ARGUMENT_AT = 0, 16  # in struct seccomp_data
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


def filter_of(what: list[str]) -> bytes:
    """The filter's instructions (struct sock_filter: code, jump if true, jump if false, operand)."""
    numbers = NUMBERS[platform.machine()]
    code = []
    for call, error, flags in (row for kind in what for row in REFUSED[kind]):
        code.append((LOAD, 0, 0, NUMBER_AT))
        if flags is None:
            code += [(JUMP_EQUAL, 0, 1, numbers[call])]
        else:
            code += [(JUMP_EQUAL, 0, 3, numbers[call]), (LOAD, 0, 0, FIRST_ARGUMENT_AT), (JUMP_SET, 0, 1, flags)]
        code.append((RETURN, 0, 0, ERRNO | error))
    code.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("HBBI", *row) for row in code)


def main() -> None:
    code = filter_of(sys.argv[1].split(","))
    instructions = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        print(f"refuse.py: no filter can be set: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        sys.exit(125)
    os.execvp(sys.argv[2], sys.argv[2:])


main()
