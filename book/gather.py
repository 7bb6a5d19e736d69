#!/usr/bin/env python3
"""Puts together what mdBook builds the HTML from: the book, the laboratory notes and the other documents that it links to.

    python3 book/gather.py FOLDER

In the repository, links lead from document to document and to any other file. The HTML has to work without it, so documents become chapters, other
files are copied along, and links to folders become plain text. If a link leads nowhere, the exit status is 1. FOLDER must be new or
empty, or made by this script; then it is made again.
"""

import os
import re
import shutil
import sys
from pathlib import Path

import whole

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book" / "src"
# Documents outside the book, and their names in it. Each becomes a chapter.
NOTES = {path: f"notes/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))}
OTHERS = {
    ROOT / "examples/agents/README.md": "notes/your-own-agent.md",
    ROOT / "examples/class/README.md": "notes/class.md",
    ROOT / "python/README.md": "notes/python.md",
    ROOT / "crates/web/API.md": "notes/page-api.md",
    # mdBook would turn a file called README into an index page.
    ROOT / "README.md": "notes/kalahari.md",
    ROOT / "ARCHITECTURE.md": "notes/architecture.md",
    ROOT / "CONTRIBUTING.md": "notes/contributing.md",
    ROOT / "SECURITY.md": "notes/security.md",
    ROOT / "CHANGELOG.md": "notes/changelog.md",
}
MARK = ".made-by-gather"
LINK = re.compile(r"\[([^\[\]]*)\]\(([^)\s]+)\)")
TARGET = re.compile(r"(?<=\]\()[^)\s]+(?=\))")


def title_of(path):
    return next((line[2:].strip() for line in path.read_text().splitlines() if line.startswith("# ")), path.stem)


def clear(folder):
    """Makes a folder, or empties one of an earlier run; the mark stays, so that a run that was killed can be repeated."""
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / MARK
    if any(folder.iterdir()) and not mark.is_file():
        sys.exit(f"{folder} is not empty, and nothing in it says that book/gather.py made it; name another folder, or delete it")
    mark.touch()
    for path in folder.iterdir():
        if path != mark:
            whole.remove(path)


def main(folder):
    source = folder / "src"
    clear(folder)
    shutil.copytree(BOOK, source)
    for name in ("book.toml", "theme.css"):
        shutil.copy(ROOT / "book" / name, folder)
    # Where each document of the repository is in the book.
    places = {path: str(path.relative_to(BOOK)) for path in BOOK.rglob("*.md")} | NOTES | OTHERS
    wrong = []

    def is_folder(document, target):
        return not re.match(r"[a-z]+:", target) and (document.parent / target).is_dir()

    def without_folders(document, line):
        return LINK.sub(lambda match: match[1] if is_folder(document, match[2]) else match[0], line)

    def moved(document, target):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return target
        found = (document.parent / path).resolve()
        if not found.exists() or ROOT not in found.parents:
            wrong.append(f"{document.relative_to(ROOT)}: {target}")
            return target
        if found not in places:
            places[found] = str(found.relative_to(BOOK)) if BOOK in found.parents else f"files/{found.relative_to(ROOT)}"
            copy = source / places[found]
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found, copy)
        there = os.path.relpath(places[found], Path(places[document]).parent)
        return f"{there}#{anchor}" if anchor else there

    for document in list(places):
        fenced, lines = False, []
        for line in document.read_text().splitlines():
            fenced ^= line.lstrip().startswith("```")
            if not fenced:
                line = TARGET.sub(lambda match: moved(document, match[0]), without_folders(document, line))
            lines.append(line)
        copy = source / places[document]
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text("\n".join(lines) + "\n")
    with open(source / "SUMMARY.md", "a") as summary:
        for part, chapters in (("Laboratory notes", NOTES), ("Other documents", OTHERS)):
            summary.write(f"\n# {part}\n\n")
            summary.writelines(f"- [{title_of(path)}]({place})\n" for path, place in chapters.items())
    if wrong:
        sys.exit("these links lead nowhere:\n" + "\n".join(wrong))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(Path(sys.argv[1]))
    except (OSError, shutil.Error) as error:
        sys.exit(f"book/gather.py: {error}")
