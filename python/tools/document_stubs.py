"""Writes the docstrings of the compiled part into its stubs, so that editors show them.

    python tools/document_stubs.py

The docstrings are those of the installed package; a test fails when the stubs are out of date.
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

from kalahari import _native

STUBS = Path(__file__).parent.parent / "package" / "kalahari" / "_native.pyi"

Documented = ast.ClassDef | ast.FunctionDef


def _docstring(thing: Any, indent: str) -> list[str]:
    """The lines of the docstring of `thing`, if it has one."""
    # The docstring of a static method is that of its function.
    text = inspect.getdoc(getattr(thing, "__func__", thing))
    if not text:
        return []
    lines = [f'"""{text}', '"""'] if "\n" in text else [f'"""{text}"""']
    whole = "\n".join(lines).replace("\\", "\\\\")
    return [f"{indent}{line}".rstrip() for line in whole.split("\n")]


def _has_docstring(node: Documented) -> bool:
    first = node.body[0]
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def documented(stubs: str) -> str:
    """The same stubs with the docstrings of the compiled part."""
    lines = stubs.split("\n")
    found: list[tuple[Documented, Any]] = []
    for node in ast.parse(stubs).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            thing = getattr(_native, node.name)
            found.append((node, thing))
            if isinstance(node, ast.ClassDef):
                parts = [part for part in node.body if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")]
                found.extend((part, inspect.getattr_static(thing, part.name)) for part in parts)
    # From the end backwards, so that earlier line numbers stay valid.
    for node, thing in sorted(found, key=lambda pair: -pair[0].lineno):
        first = node.body[0]
        new = _docstring(thing, " " * (node.col_offset + 4))
        if _has_docstring(node):
            lines[first.lineno - 1 : first.end_lineno] = new
        elif new:
            place = first.lineno - 1
            if isinstance(first, ast.Expr) and lines[place].endswith(" ..."):
                # The body is an ellipsis after the colon.
                lines[place] = lines[place].removesuffix(" ...")
                place += 1
            else:
                # A decorator stands above the function it belongs to.
                place = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))]) - 1
            lines[place:place] = new
    return "\n".join(lines)


if __name__ == "__main__":
    STUBS.write_text(documented(STUBS.read_text(encoding="utf-8")), encoding="utf-8")
