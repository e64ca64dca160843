"""Kernels of the proof of how little any grouping can lose."""
