"""Exact arithmetic: programs, cones and sets in rational numbers, and certificates of answers found in
floating point.
"""
