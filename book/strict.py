#!/usr/bin/env python3
"""Moves the scripts that stand inside mdBook's pages into files of their own.

    python3 book/strict.py FOLDER

`kalahari serve` tells browsers to run no script that stands inside a page, so that nothing that somebody wrote into a name or a game
can run there. mdBook's pages begin with such scripts, and without them have no table of contents and no search.
"""

import hashlib
import os
import re
import sys
from pathlib import Path

SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)


def main(folder):
    scripts = folder / "scripts"
    scripts.mkdir(exist_ok=True)
    for page in sorted(folder.rglob("*.html")):

        def outside(match):
            text = match[1].strip() + "\n"
            file = scripts / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.js"
            file.write_text(text)
            return f'<script src="{os.path.relpath(file, page.parent)}"></script>'

        text = page.read_text()
        strict = SCRIPT.sub(outside, text)
        if strict != text:
            page.write_text(strict)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
