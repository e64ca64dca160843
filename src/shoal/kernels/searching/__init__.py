"""Kernels of the long search: neighbouring groups pooled and grown again, at random."""
