"""The Python side of a worker: protocol, fork server, one adapter for each engine.

It imports only the standard library and the engine under test.
"""
