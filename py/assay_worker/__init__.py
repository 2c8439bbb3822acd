"""The Python side of a worker: protocol, fork server, one adapter for each engine.

Standard library only, beside the engine under test.
"""
