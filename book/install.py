#!/usr/bin/env python3
"""Copies the built book to where `kalahari serve` and `scripts/site` find it. Called by scripts/book.

    KALAHARI=path/to/kalahari python3 book/install.py FOLDER
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import whole


def main(built):
    # The exit status says that something is wrong, which may be something else.
    program = os.environ.get("KALAHARI") or "kalahari"
    try:
        answer = subprocess.run([program, "doctor", "--json"], capture_output=True, text=True)
        said = json.loads(answer.stdout)
        if not said["data"]:
            sys.exit(f"The book is built, in {built}, but not copied: {'; '.join(said['problems'])}")
        whole.copy_folder(built, Path(said["data"]["path"]) / "book")
    except ValueError:
        sys.exit(f"The book is built, in {built}, but not copied: '{program} doctor --json' does not answer. {answer.stderr}")
    except OSError as error:
        sys.exit(f"The book is built, in {built}, but cannot be copied to where the program looks for it (KALAHARI_HOME): {error}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]).resolve())
