"""Files and folders that are replaced as a whole: a reader finds the old one or the new one, even if the writer is killed."""

import contextlib
import ctypes
import fcntl
import os
import shutil


def write(path, text):
    """Writes a file beside the old one, then puts it in its place."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(text)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def remove(path):
    """Removes a folder with all that is in it, or a file, or a link; whatever is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def swap(one, other):
    """Exchanges two folders in one step, where the system can do that."""
    libc = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    if hasattr(libc, "renameat2"):  # Linux
        return libc.renameat2(-100, names[0], -100, names[1], 2) == 0
    if hasattr(libc, "renamex_np"):  # macOS
        return libc.renamex_np(*names, 2) == 0
    return False


def copy_folder(source, place):
    """Copies a folder beside `place`, then puts it there. Cleans up after earlier runs that were killed."""
    new, old = (place.with_name(f".{place.name}.{word}") for word in ("new", "old"))
    place.parent.mkdir(parents=True, exist_ok=True)
    parent = os.open(place.parent, os.O_RDONLY)
    try:
        # Two of these at once would clean up each other's copy. Not every file system has locks for folders.
        with contextlib.suppress(OSError):
            fcntl.flock(parent, fcntl.LOCK_EX)
        for leftover in (new, old):
            remove(leftover)
        shutil.copytree(source, new)
        if not os.path.lexists(place):
            os.rename(new, place)
        elif not swap(new, place):
            os.rename(place, old)
            os.rename(new, place)
    finally:
        for leftover in (new, old):
            remove(leftover)
        os.close(parent)
