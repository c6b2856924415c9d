"""Compiled kernels: numba and nothing else; arrays in, arrays and NamedTuples out.

Every kernel has a readable caller in the folder that it serves. With `NUMBA_DISABLE_JIT=1` they run as plain
Python, for debuggers and coverage.
"""
