"""Whether this processor can run the compiled part, asked before it is loaded.

Builds inside the repository ask for a processor of 2013 or later (x86-64-v3). An older one would end Python with an illegal
instruction, so where the system does not name the instructions, another Python tries first.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

MESSAGE = (
    "this build of kalahari needs a processor of 2013 or later (x86-64-v3: AVX2, BMI2, FMA), and this one is older or "
    "hides it; build the package from source without the flag in .cargo/config.toml"
)

_NEEDED = frozenset({"avx2", "bmi1", "bmi2", "fma", "movbe", "f16c", "abm"})


def is_old(cpuinfo: str) -> bool:
    """Whether Linux's description of the processor names instructions, but not all of x86-64-v3.

    >>> is_old("flags : sse4_2 avx")
    True
    >>> is_old("flags : avx2 bmi1 bmi2 fma movbe f16c abm"), is_old("")
    (False, False)
    """
    for line in cpuinfo.splitlines():
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            return not _NEEDED <= set(flags.split())
    return False


def check(cpuinfo: Path = Path("/proc/cpuinfo")) -> None:
    """Raises ImportError if the compiled part would crash."""
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        return
    try:
        description = cpuinfo.read_text()
    except OSError:
        # The compiled part asks the processor itself before it does anything else.
        return
    if not is_old(description):
        return
    here = str(Path(__file__).resolve().parent)
    program = f"import sys; sys.path.insert(0, {here!r}); import _native; sys.exit(_native.PROCESSOR != 'any')"
    tried = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    if tried.returncode != 0:
        raise ImportError(MESSAGE)
