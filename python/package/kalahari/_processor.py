"""Checks whether this processor can run the compiled part, before it is loaded.

Builds inside the repository ask for a processor of 2013 or later (x86-64-v3). An older one would end Python with an illegal
instruction as soon as the compiled part is loaded. So this module first looks at what numpy,
which runs everywhere, and Linux say about the processor. If it is old, another Python process tries: the build may be one for
any processor.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

MESSAGE = (
    "this build of kalahari needs a processor of 2013 or later (x86-64-v3: AVX2, BMI2, FMA), and this one is older or "
    "hides it; build the package from source without the flag in .cargo/config.toml, or by scripts/wheel --any-processor"
)

_NEEDED = {"avx2": "AVX2", "fma": "FMA3", "f16c": "F16C", "bmi1": "BMI", "bmi2": "BMI2", "movbe": "MOVBE", "abm": "LZCNT"}
"""The names of the instructions in Linux and in numpy."""


def numpy_features() -> Mapping[str, bool]:
    """What numpy knows about the processor; empty if this version of numpy does not say."""
    for core in ("numpy._core", "numpy.core"):
        try:
            module = __import__(f"{core}._multiarray_umath", fromlist=["__cpu_features__"])
            features: Mapping[str, bool] = module.__cpu_features__
            return features
        except (ImportError, AttributeError):
            continue
    return {}


def linux_features(cpuinfo: Path = Path("/proc/cpuinfo")) -> Mapping[str, bool]:
    """What Linux says about the processor, by numpy's names; empty if it does not say."""
    try:
        lines = cpuinfo.read_text().splitlines()
    except OSError:
        return {}
    for line in lines:
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            known = set(flags.split())
            return {theirs: ours in known for ours, theirs in _NEEDED.items()}
    return {}


def is_old(features: Mapping[str, bool]) -> bool:
    """Whether a needed instruction is known to be missing. An instruction that is not listed may be there.

    >>> is_old({"AVX2": True, "FMA3": True, "BMI2": False}), is_old({"AVX2": True, "FMA3": True}), is_old({})
    (True, False, False)
    """
    return not all(features.get(name, True) for name in _NEEDED.values())


def check(*sources: Mapping[str, bool]) -> None:
    """Raises ImportError if the compiled part would crash."""
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return
    if not any(map(is_old, sources or (numpy_features(), linux_features()))):
        return
    here = str(Path(__file__).resolve().parent)
    program = f"import sys; sys.path.insert(0, {here!r}); import _native; sys.exit(_native.PROCESSOR != 'any')"
    tried = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    if tried.returncode != 0:
        raise ImportError(MESSAGE)
