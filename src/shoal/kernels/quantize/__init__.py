"""Kernels of vector quantization: cutting into clusters, distances, pushing back, stirring."""
