#!/usr/bin/env python3
"""Checks the built book: every link, picture, script and style leads to a file that is there, and every anchor to a place in it.

    python3 book/links.py FOLDER

A link may not lead out of the book. Links to other hosts are not followed. Everything that is wrong is listed, and the exit status is then 1.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


# An address in a srcset, and perhaps a width or a density behind it.
CANDIDATE = re.compile(r"([^\s,](?:\S*[^\s,])?)(?:\s+[\w.]+)?\s*(?:,|$)")


class Page(HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(found[name] for name in ("id", "name") if found.get(name))
        self.links += [found[name] for name in ("href", "src", "poster") if found.get(name)]
        self.links += CANDIDATE.findall(found.get("srcset") or "")


def wrong_links(folder, pages):
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            # The page for missing addresses, and a page that is part of others, have links relative to other places.
            if parts.scheme not in ("", "file") or parts.netloc or path.name in ("404.html", "toc.html"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target == folder.parent and parts.fragment.startswith("/analysis?"):
                continue  # the page that the book is part of; the tests of documents check the position
            target = target / "index.html" if target.is_dir() else target
            if folder not in target.parents:
                yield path, link, "it leads out of the book"
            elif not target.is_file():
                yield path, link, "there is no such file"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield path, link, "there is no such place in it"


def main(folder):
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    if not pages:
        sys.exit(f"there is no page in {folder}")
    wrong = [f"{path.relative_to(folder)}: {link}: {why}" for path, link, why in wrong_links(folder, pages)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]).resolve())
