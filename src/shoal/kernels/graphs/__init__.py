"""Kernels of networks: groups that grow by attributes and neighbourhoods, and their refinement."""
