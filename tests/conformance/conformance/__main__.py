"""`python -m conformance SET --engine URL --binary PATH`: one set of cases, in the interpreter that runs this."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from conformance.engine import SEEDED, Engines, default_binary
from conformance.recorder import Context

SETS = {
    "sdk": [
        "sdk_workspace",
        "sdk_databases",
        "sdk_tables",
        "sdk_query",
        "sdk_results",
        "sdk_loads",
        "sdk_uploads",
        "sdk_indexes",
        "sdk_jobs",
        "sdk_faults",
    ],
    "framework": ["framework_client", "framework_managed"],
    "langchain": ["langchain_tools", "langchain_search", "langchain_databases", "langchain_store"],
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--engine", help="address of a running engine started with --seed --lenient-search-text")
    parser.add_argument("--binary", type=Path, default=default_binary())
    parser.add_argument("--only", help="run only the modules whose name contains this")
    arguments = parser.parse_args()

    passed = failed = 0
    with Engines(arguments.binary) as engines:
        url = arguments.engine or engines.with_flags(*SEEDED)
        for name in SETS[arguments.set]:
            if arguments.only and arguments.only not in name:
                continue
            suite = importlib.import_module(f"conformance.{name}").SUITE
            more, less = suite.run(Context(url.rstrip("/"), engines))
            passed, failed = passed + more, failed + less
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
