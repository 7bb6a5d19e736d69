"""The identity of an agent written in Python: its name, its version, and a checksum of its source.

A store continues a match only if the same agents play it. The checksum covers the source of the function or class, of what
it uses from its own module and from others beside it, what its closure and its attributes hold, and the versions of the
packages it uses. If a source or a value cannot be read, the agent cannot be identified, and nothing is resumed.

If an object has a method `identity()`, its text stands for the attributes. An object whose attributes change while it plays, such as
a source of random numbers, needs that method to be recognised afterwards.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import pickle
import sys
import sysconfig
import types
from importlib import metadata
from pathlib import Path
from typing import Any


class Unknown(Exception):
    """Why an agent cannot be identified."""


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
    """A checksum that tells an agent from all others of its name; raises `Unknown` with the reason if there is none."""
    digest = _Digest()
    digest.add("name", name_of(agent).encode())
    try:
        digest.value(agent)
    except RecursionError as error:
        raise Unknown("its attributes are nested too deep to be looked at") from error
    return f"sha256:{digest.sum.hexdigest()}"


class _Digest:
    """Goes through everything an agent is made of, each thing once."""

    def __init__(self) -> None:
        self.sum = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []

    def add(self, kind: str, content: bytes) -> None:
        self.sum.update(f"{kind} {len(content)}\n".encode())
        self.sum.update(content)

    def is_new(self, thing: Any) -> bool:
        """Whether a thing is met for the first time. If not, only a reference to it is added."""
        number = self.seen.setdefault(id(thing), len(self.kept))
        if number < len(self.kept):
            self.add("again", str(number).encode())
            return False
        # Temporary objects are kept; otherwise another object could get the same place in memory, and so the same id.
        self.kept.append(thing)
        return True

    def value(self, value: Any) -> None:
        """Adds an agent, or something that an agent holds or uses."""
        if isinstance(value, types.ModuleType):
            self.module(value)
        elif isinstance(value, types.MethodType):
            self.value(value.__func__)
            self.value(value.__self__)
        elif isinstance(value, functools.partial):
            for part in (value.func, *value.args, *(item for pair in sorted(value.keywords.items()) for item in pair)):
                self.value(part)
        elif isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, type):
            self.add_class(value)
        elif isinstance(value, (types.BuiltinFunctionType, types.MethodDescriptorType)):
            self.foreign("builtin", value)
            holder = getattr(value, "__self__", None)
            if holder is not None and not isinstance(holder, (types.ModuleType, type)):
                self.value(holder)
        elif isinstance(getattr(value, "__wrapped__", None), types.FunctionType):
            # A cache around a function, which is not a function itself.
            self.foreign("wrapper", type(value))
            self.value(value.__wrapped__)
        elif type(value) in _CONTAINERS:
            self.container(value)
        elif _is_written_in_python(type(value)) and not isinstance(value, (BaseException,)):
            self.object(value)
        else:
            self.plain(value)

    def container(self, value: Any) -> None:
        """Adds a list or another container. It may hold functions, of which a pickle has only the names."""
        kind = type(value).__name__
        if isinstance(value, (set, frozenset)):
            # Their order differs from run to run.
            self.add(kind, b"".join(sorted(map(_sum_of, value))))
            return
        parts = [part for pair in value.items() for part in pair] if isinstance(value, dict) else value
        if all(type(part) in _SCALARS for part in parts):
            self.add(kind, repr(parts).encode())
            return
        if self.is_new(value):
            self.add(kind, str(len(value)).encode())
            for part in parts:
                self.value(part)

    def module(self, module: types.ModuleType) -> None:
        if not self.is_new(module):
            return
        self.add("module", f"{module.__name__} {_version(module.__name__)}".encode())
        if _is_foreign(module.__name__):
            return
        # A module without a file is a folder, which has no source of its own.
        file = getattr(module, "__file__", None)
        try:
            self.add("source", b"" if file is None and hasattr(module, "__path__") else Path(str(file)).read_bytes())
        except OSError as error:
            raise Unknown(f"the source of {module.__name__} cannot be found") from error

    def foreign(self, kind: str, thing: Any) -> None:
        """Adds something from another package: its name and version say what it is."""
        self.add(kind, f"{thing.__module__}.{thing.__qualname__} {_version(thing.__module__)}".encode())

    def function(self, function: types.FunctionType) -> None:
        if not self.is_new(function):
            return
        if _is_foreign(function.__module__):
            self.foreign("function", function)
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
        """Adds what a function uses from its module."""
        package: types.ModuleType | None = None
        for name in code.co_names:
            used = names.get(name, getattr(package, name, None) if package is not None else None)
            if name in names or isinstance(used, types.ModuleType):
                self.add("name", name.encode())
                self.value(used)
            if isinstance(used, types.ModuleType) and not _is_foreign(used.__name__):
                # In `package.module.function` the next name may be a module of it.
                package = used
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.names(constant, names)

    def add_class(self, kind: type) -> None:
        if not self.is_new(kind):
            return
        if not _is_written_in_python(kind):
            self.foreign("type", kind)
            return
        self.source(kind)
        for base in kind.__bases__:
            self.add_class(base)
        for name, part in vars(kind).items():
            self.part(kind, name, part)

    def part(self, kind: type, name: str, part: Any) -> None:
        """Adds what the source of a class does not show: what its methods use, and what its attributes hold."""
        for inner in ("__func__", "fget", "func"):
            # Static methods, class methods, properties and cached properties.
            if isinstance(part, (staticmethod, classmethod, property, functools.cached_property)):
                part = getattr(part, inner, part)
        part = inspect.unwrap(part) if callable(part) else part
        if isinstance(part, types.FunctionType):
            if part.__module__ == kind.__module__:
                self.names(part.__code__, part.__globals__)
        elif not (name.startswith("_") and name.endswith("_")) and not name.startswith("_abc_") and not hasattr(part, "__get__"):
            self.add("attribute", name.encode())
            self.value(part)

    def object(self, value: Any) -> None:
        if not self.is_new(value):
            return
        self.add_class(type(value))
        identity = getattr(value, "identity", None)
        if callable(identity):
            self.add("identity", str(identity()).encode())
            return
        for name, attribute in sorted(_attributes(value).items()):
            self.add("attribute", name.encode())
            self.value(attribute)

    def plain(self, value: Any) -> None:
        kind = type(value)
        if kind in _SCALARS:
            self.add(kind.__name__, repr(value).encode())
            return
        self.foreign("type", kind)
        try:
            self.add("value", pickle.dumps(value, protocol=4))
        except Exception as error:
            raise Unknown(f"a {kind.__name__} that it holds cannot be pickled: {error}") from error

    def source(self, thing: Any) -> None:
        try:
            self.add("source", inspect.getsource(thing).encode())
        except (OSError, TypeError) as error:
            raise Unknown(f"the source of {thing.__qualname__} cannot be found") from error


_SCALARS = {bool, int, float, complex, str, bytes, type(None)}
_CONTAINERS = {list, tuple, dict, set, frozenset}


def _sum_of(value: Any) -> bytes:
    """The checksum of a single thing."""
    digest = _Digest()
    digest.value(value)
    return digest.sum.digest()


def _attributes(value: Any) -> dict[str, Any]:
    """What an object holds, in its dictionary or in slots."""
    found: dict[str, Any] = {}
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            name = f"_{kind.__name__.lstrip('_')}{slot}" if slot.startswith("__") and not slot.endswith("__") else slot
            if slot not in {"__dict__", "__weakref__"} and hasattr(value, name):
                found[name] = getattr(value, name)
    found.update(getattr(value, "__dict__", {}))
    return found


@functools.cache
def _version(module: str | None) -> str:
    """The version of the package that a module belongs to; nothing if it has none of its own."""
    root = (module or "").partition(".")[0]
    version = getattr(sys.modules.get(root), "__version__", None)
    if version is None and _is_foreign(module) and root not in sys.stdlib_module_names:
        with contextlib.suppress(metadata.PackageNotFoundError):
            version = metadata.version(root)
    return str(version or "")


def _is_foreign(module: str | None) -> bool:
    """Whether a module belongs to a package that has a version of its own, or to Python."""
    root = (module or "").partition(".")[0]
    if root in {"__main__", "__mp_main__", ""}:
        return False
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    return file == "" or "site-packages" in file or file.startswith(_LIBRARY)


_LIBRARY = sysconfig.get_paths()["stdlib"]


def _is_written_in_python(kind: type) -> bool:
    return bool(kind.__flags__ & (1 << 9)) and not _is_foreign(kind.__module__)
