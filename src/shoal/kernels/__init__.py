"""Kernels: the only numba in Shoal; free functions, arrays and scalars in, arrays out.

Compiled code is kept in a folder named after the source of all kernels: numba itself notices a
change of the file a kernel stands in, but not of the kernels it calls in other files. The folder
lies beside these files or, where those are read-only (a system-wide install, a container), in
the user's cache; `compiling.njit` tells numba of it for our functions only, and a folder that a
user chose (``NUMBA_CACHE_DIR``) is left alone.

A folder in here is a family that nothing else calls: each of its files calls only itself and the
files beside this one, so that working on it does not compile everything else again. What calls
its kernels in rounds stands in their file (`searching.regrowing`): a round is read in one place.
"""
