"""Agents as engines for other runners, over the universal game interface."""

from __future__ import annotations

import sys
from contextlib import ExitStack, redirect_stdout

from . import _native
from .hosting import Playing, invite

__all__ = ["serve_ugi"]


def serve_ugi(agent: Playing) -> None:
    """Serves an agent over the universal game interface (UGI), until the other side says `quit` or closes the input.

    A file of two lines is an engine that other programs can start, for example `kalahari match "ugi:python3 mine.py" engine`:

    >>> import os, subprocess, sys, tempfile
    >>> file = os.path.join(tempfile.mkdtemp(), "mine.py")
    >>> with open(file, "w") as mine:
    ...     _ = mine.write("import kalahari\\n")
    ...     _ = mine.write("kalahari.serve_ugi(lambda position, limits: position.legal_moves()[0])\\n")
    >>> said = subprocess.run([sys.executable, file], input="ugi\\nquit\\n", capture_output=True, text=True).stdout
    >>> "ugiok" in said
    True

    What the agent prints goes to standard error, so that it does not disturb the conversation.
    """
    with ExitStack() as stack:
        invited = invite(
            agent, processes=0, patience=None, grace=0.0, errors="forfeit", notes=[], stack=stack, resumes=False
        )
        sys.stdout.flush()
        with redirect_stdout(sys.stderr):
            _native.serve_ugi(invited)
