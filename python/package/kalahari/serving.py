"""Agents as engines for other runners, over the universal game interface."""

from __future__ import annotations

import sys
from contextlib import ExitStack, redirect_stdout

from . import _native
from .hosting import Playing, invite

__all__ = ["serve_ugi"]


def serve_ugi(agent: Playing) -> None:
    """Serves an agent over the universal game interface until `quit` or the end of the input.

    A file of two lines is an engine that any runner can start, `kalahari match "ugi:python3 mine.py" engine`, for one:

        import kalahari
        kalahari.serve_ugi(lambda position, limits: position.legal_moves()[0])

    What the agent prints goes to the standard error, so that it does not get into the conversation.
    """
    with ExitStack() as stack:
        invited = invite(agent, processes=0, errors="forfeit", notes=[], stack=stack, resumes=False)
        sys.stdout.flush()
        with redirect_stdout(sys.stderr):
            _native.serve_ugi(invited)
