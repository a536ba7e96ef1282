"""What runs on the far side of the wall: the zygote, its children and the locks they put on themselves.

Nothing here imports ``app`` or anything outside the standard library; the modules see each other by relative imports
only,
because in the zygote this package goes by another name (``app`` must not exist in a process that runs a program).
"""
