"""Runs the official Python clients against the local engine; the last line is `N passed, N failed`.

Makes one virtual environment for each pinned set of clients, because pip refuses hotdata 0.12 beside the framework.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

from conformance.engine import SEEDED, Engines, default_binary

HERE = Path(__file__).resolve().parent

#: Requirements file → the sets of cases its clients run.
RUNS = {
    "requirements-sdk.txt": ["sdk"],
    "requirements-langchain.txt": ["sdk", "framework", "langchain"],
}


def interpreter(requirements: Path, folder: Path) -> Path:
    """The python of a virtual environment holding exactly these requirements, made when it is missing."""
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    home = folder / f"{requirements.stem}-{digest}"
    python = home / "bin" / "python"
    done = home / "complete"
    if not done.exists():
        print(f"installing {requirements.name} into {home}", flush=True)
        venv.create(home, with_pip=True, clear=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
            check=True,
        )
        done.touch()
    return python


def run_set(python: Path, name: str, url: str, binary: Path) -> tuple[int, int]:
    """Runs one set, passing its output through. Returns its counts; a set that ends early counts as one failure."""
    # Neither credentials of the real service nor tracing to any other.
    foreign = ("HOTDATA_", "LANGCHAIN_", "LANGSMITH_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    process = subprocess.Popen(
        [python, "-m", "conformance", name, "--engine", url, "--binary", binary],
        cwd=HERE,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    last = ""
    for line in process.stdout:
        counts = re.fullmatch(r"(\d+) passed, (\d+) failed", line.strip())
        if counts is None:
            print(line, end="", flush=True)
        last = line.strip()
    process.wait()
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    if counts is None:
        print(f"the set {name} ended early with status {process.returncode}", flush=True)
        return 0, 1
    return int(counts[1]), int(counts[2])


def main() -> int:
    binary = default_binary()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", help="address of a running engine started with --seed --lenient-search-text; else one is started")
    parser.add_argument("--binary", type=Path, default=binary, help=f"the engine's command [{binary}]")
    parser.add_argument(
        "--venvs", type=Path, default=binary.parents[1] / "conformance", help="where virtual environments are kept"
    )
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="REQUIREMENTS=PATH",
        help="use this interpreter for a requirements file instead of making an environment",
    )
    arguments = parser.parse_args()
    given = dict(one.split("=", 1) for one in arguments.python)

    passed = failed = 0
    with Engines(arguments.binary.resolve()) as engines:
        url = arguments.engine or engines.with_flags(*SEEDED)
        print("| client | call | result |\n| --- | --- | --- |", flush=True)
        for requirements, sets in RUNS.items():
            python = Path(given[requirements]) if requirements in given else None
            python = python or interpreter(HERE / requirements, arguments.venvs)
            for name in sets:
                more, less = run_set(python, name, url, arguments.binary.resolve())
                passed, failed = passed + more, failed + less
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
