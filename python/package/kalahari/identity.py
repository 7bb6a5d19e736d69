"""Who an agent written in Python is: its name, its version, and a checksum of its source.

A store goes on with a match only if the same agents play it. The checksum covers the source of the function or class, of what
it uses from its own module, what its closure and its attributes hold, and the versions of the modules it uses. Where a source
or a value cannot be had, nobody knows who plays, and nothing is resumed.

An object that has a method `identity()` answers for its attributes itself.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import pickle
import types
from typing import Any


class Unknown(Exception):
    """Why nobody knows who an agent is."""


def name_of(agent: Any) -> str:
    """An agent's name: its `name`, or that of the function or class, and its `version` if it has one.

    >>> def greedy(position, limits): ...
    >>> name_of(greedy)
    'greedy'
    """
    if isinstance(agent, functools.partial):
        return name_of(agent.func)
    name = getattr(agent, "name", None) or getattr(agent, "__name__", None) or type(agent).__name__
    version = getattr(agent, "version", None)
    name = str(name).replace("<lambda>", "lambda")
    return f"{name} {version}" if version else name


def checksum(agent: Any) -> str:
    """What tells an agent from every other of its name; `Unknown` says why that is not known."""
    digest = _Digest()
    digest.add("name", name_of(agent).encode())
    digest.value(agent)
    return f"sha256:{digest.sum.hexdigest()}"


class _Digest:
    """Goes through everything an agent is made of, each once."""

    def __init__(self) -> None:
        self.sum = hashlib.sha256()
        self.seen: set[int] = set()

    def add(self, kind: str, content: bytes) -> None:
        self.sum.update(f"{kind} {len(content)}\n".encode())
        self.sum.update(content)

    def value(self, value: Any) -> None:
        """Adds an agent, or something that an agent holds or uses."""
        if isinstance(value, types.ModuleType):
            version = getattr(value, "__version__", "")
            self.add("module", f"{value.__name__} {version}".encode())
        elif isinstance(value, types.MethodType):
            self.value(value.__func__)
            self.value(value.__self__)
        elif isinstance(value, functools.partial):
            for part in (value.func, *value.args, *(item for pair in sorted(value.keywords.items()) for item in pair)):
                self.value(part)
        elif isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, type):
            self.type(value)
        elif isinstance(value, (types.BuiltinFunctionType, types.MethodDescriptorType)):
            self.add("builtin", f"{value.__module__}.{value.__qualname__}".encode())
        elif _is_written_in_python(type(value)) and not isinstance(value, (BaseException,)):
            self.object(value)
        else:
            self.plain(value)

    def function(self, function: types.FunctionType) -> None:
        if id(function) in self.seen:
            return
        self.seen.add(id(function))
        if _is_foreign(function.__module__):
            self.add("function", f"{function.__module__}.{function.__qualname__}".encode())
            return
        self.source(function)
        for cell in function.__closure__ or ():
            try:
                self.value(cell.cell_contents)
            except ValueError:
                self.add("cell", b"empty")
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.value(default)
        self.names(function.__code__, function.__globals__)

    def names(self, code: types.CodeType, names: dict[str, Any]) -> None:
        """Adds what a function uses of its module."""
        for name in code.co_names:
            if name in names:
                self.add("name", name.encode())
                self.value(names[name])
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.names(constant, names)

    def type(self, kind: type) -> None:
        if id(kind) in self.seen:
            return
        self.seen.add(id(kind))
        if not _is_written_in_python(kind):
            self.add("type", f"{kind.__module__}.{kind.__qualname__}".encode())
            return
        self.source(kind)
        for base in kind.__bases__:
            self.type(base)
        for part in vars(kind).values():
            part = part.__func__ if isinstance(part, (staticmethod, classmethod)) else part
            part = part.fget if isinstance(part, property) else part
            if isinstance(part, types.FunctionType) and part.__module__ == kind.__module__:
                self.names(part.__code__, part.__globals__)

    def object(self, value: Any) -> None:
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        self.type(type(value))
        identity = getattr(value, "identity", None)
        if callable(identity):
            self.add("identity", str(identity()).encode())
            return
        for name, attribute in sorted(getattr(value, "__dict__", {}).items()):
            self.add("attribute", name.encode())
            self.value(attribute)

    def plain(self, value: Any) -> None:
        try:
            self.add("value", pickle.dumps(value, protocol=4))
        except Exception as error:
            raise Unknown(f"a {type(value).__name__} that it holds cannot be pickled: {error}") from error

    def source(self, thing: Any) -> None:
        try:
            self.add("source", inspect.getsource(thing).encode())
        except (OSError, TypeError) as error:
            raise Unknown(f"the source of {thing.__qualname__} cannot be found") from error


def _is_foreign(module: str | None) -> bool:
    """Whether a module belongs to a package that has a version of its own, or to Python."""
    root = (module or "").partition(".")[0]
    if root in {"__main__", "__mp_main__", ""}:
        return False
    loaded = __import__("sys").modules.get(root)
    file = getattr(loaded, "__file__", None) or ""
    return file == "" or "site-packages" in file or file.startswith(_LIBRARY)


_LIBRARY = __import__("sysconfig").get_paths()["stdlib"]


def _is_written_in_python(kind: type) -> bool:
    return bool(kind.__flags__ & (1 << 9)) and not _is_foreign(kind.__module__)
