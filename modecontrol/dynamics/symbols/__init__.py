"""Equations in symbols: sympy enters here and nowhere else."""
