"""The package itself: its documentation, its versions, its stubs, and the processors it runs on."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import kalahari
from kalahari import _native, _processor

MODULES = sorted(module.name for module in pkgutil.iter_modules(kalahari.__path__, "kalahari."))
OPTIONAL = {"kalahari.pettingzoo": "pettingzoo", "kalahari.gymnasium": "gymnasium"}


@pytest.mark.parametrize("name", ["kalahari", *MODULES])
def test_examples_in_the_documentation_are_right(name):
    if name in OPTIONAL:
        pytest.importorskip(OPTIONAL[name])
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    if name == "kalahari":
        # The examples of the compiled classes are found, too.
        assert result.attempted > 40


def test_examples_of_compiled_properties_are_right():
    """Doctest does not look for them, nor for static methods."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for name in kalahari.__all__:
        kind = getattr(kalahari, name)
        for part, value in public(kind) if inspect.isclass(kind) else ():
            if inspect.isgetsetdescriptor(value) or inspect.isbuiltin(value):
                where = f"{name}.{part}"
                runner.run(doctest.DocTestParser().get_doctest(inspect.getdoc(value), {}, where, None, None))
    assert runner.tries > 40 and runner.failures == 0


def public(thing):
    parts = [(name, part) for name, part in vars(thing).items() if not name.startswith("_")]
    # The docstring belongs to the function behind a static method.
    return [(name, part.__func__ if isinstance(part, (staticmethod, classmethod)) else part) for name, part in parts]


def test_everything_is_documented():
    for name in kalahari.__all__:
        thing = getattr(kalahari, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            assert thing.__doc__, name
        if inspect.isclass(thing):
            for part_name, part in public(thing):
                if callable(part) or inspect.isdatadescriptor(part):
                    assert inspect.getdoc(part), f"{name}.{part_name}"
    text = subprocess.run(
        [sys.executable, "-c", "import kalahari; help(kalahari)"], capture_output=True, text=True, check=True
    ).stdout
    assert "Which agent is better" in text and "class Position" in text


def test_the_first_example_plays_and_draws(tmp_path):
    pytest.importorskip("matplotlib")
    example = Path(__file__).parent.parent / "examples" / "first_agent.py"
    picture = tmp_path / "match.png"
    done = subprocess.run(
        [sys.executable, example, picture],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MPLBACKEND": "agg"},
    )
    assert "Results of guest:eager vs level:2" in done.stdout and picture.stat().st_size > 1000


def test_versions_agree():
    from importlib.metadata import PackageNotFoundError, version

    try:
        assert version("kalahari") == kalahari.__version__
    except PackageNotFoundError:
        pytest.skip("the package is not installed")


def test_an_old_processor_gets_an_import_error(tmp_path, monkeypatch):
    monkeypatch.setattr(_processor.platform, "machine", lambda: "x86_64")
    old = tmp_path / "cpuinfo"
    old.write_text("processor : 0\nflags : fpu sse sse2 ssse3 sse4_1 sse4_2 avx\n")
    missing = {"SSE42": True, "AVX2": False, "FMA3": False}
    for features in (_processor.linux_features(old), missing):
        assert _processor.is_old(features)
        if _native.PROCESSOR == "any":
            _processor.check(features)
        else:
            with pytest.raises(ImportError, match="processor of 2013 or later"):
                _processor.check(features)
    new = tmp_path / "new"
    new.write_text("flags : avx2 bmi1 bmi2 fma movbe f16c abm\n")
    _processor.check(_processor.linux_features(new), _processor.linux_features(tmp_path / "none"))
    # numpy asks the processor itself, and it is installed.
    assert "AVX2" in _processor.numpy_features()
    monkeypatch.setattr(_processor.platform, "machine", lambda: "aarch64")
    _processor.check(missing)


def test_everything_has_an_example():
    """A new user learns from examples. A method without an example points to one."""
    bare = []
    for name in kalahari.__all__:
        thing = getattr(kalahari, name)
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):
            continue
        parts = [(name, thing)]
        if inspect.isclass(thing):
            parts += [(f"{name}.{part}", value) for part, value in public(thing) if inspect.getdoc(value) and not _is_field(thing, part)]
        bare += [place for place, part in parts if ">>>" not in inspect.getdoc(part) and "See `" not in inspect.getdoc(part)]
    assert bare == []


def _is_field(kind, name):
    """Whether `name` is a field of a class, which the docstring of the class describes."""
    value = vars(kind).get(name)
    return not (callable(value) or inspect.isdatadescriptor(value) or isinstance(value, staticmethod))


def test_the_stubs_have_the_docstrings_of_the_module():
    path = Path(__file__).parent.parent / "tools" / "document_stubs.py"
    spec = importlib.util.spec_from_file_location("document_stubs", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    stubs = tool.STUBS.read_text(encoding="utf-8")
    assert tool.documented(stubs) == stubs, "run python tools/document_stubs.py to update them"


def test_the_stubs_are_those_of_the_module():
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "kalahari._native", "--ignore-disjoint-bases"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
