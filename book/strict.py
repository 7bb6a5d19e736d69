#!/usr/bin/env python3
"""Makes mdBook's pages fit to be part of Kalahari's page.

    python3 book/strict.py FOLDER

`kalahari serve` tells browsers to ignore scripts and styles inside a page, so that nothing that somebody wrote into a name or a game can
run there. mdBook's pages have both, so they are moved into files of their own. Links to the analysis board lead to the
page that the book is part of, wherever that is. A second run changes nothing.
"""

import hashlib
import os
import re
import sys
from pathlib import Path

import whole

SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
STYLE = re.compile(r'(<[a-z][^>]*?) style="([^"]*)"')
BOARD = re.compile(r'href="http://localhost:8080/(#/[^"]*)"')


def name_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main(folder):
    pages = sorted(folder.rglob("*.html"))
    if not pages:
        sys.exit(f"there is no page in {folder}")
    scripts = folder / "scripts"
    scripts.mkdir(exist_ok=True)
    styles = folder / "css" / "inside.css"
    styles.parent.mkdir(exist_ok=True)
    # An earlier run has moved its rules already.
    rules = set(styles.read_text().splitlines()) if styles.is_file() else set()

    def strict(page):
        def script(match):
            text = match[1].strip() + "\n"
            file = scripts / f"{name_of(text)}.js"
            whole.write(file, text)
            return f'<script src="{os.path.relpath(file, page.parent)}"></script>'

        def style(match):
            rules.add(f'[data-style="{name_of(match[2])}"] {{ {" ".join(match[2].split())} }}')
            return f'{match[1]} data-style="{name_of(match[2])}"'

        text = STYLE.sub(style, SCRIPT.sub(script, page.read_text()))
        link = f'<link rel="stylesheet" href="{os.path.relpath(styles, page.parent)}"></head>'
        if link not in text:
            text = text.replace("</head>", link, 1)
        # The book is a folder of the page.
        board = os.path.relpath(folder.parent, page.parent)
        return BOARD.sub(rf'href="{board}/\1"', text)

    made = {page: strict(page) for page in pages}
    # The rules come before the pages that need them, so that a run that was killed can be repeated.
    whole.write(styles, "".join(f"{rule}\n" for rule in sorted(rules)))
    for page, text in made.items():
        whole.write(page, text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]).resolve())
