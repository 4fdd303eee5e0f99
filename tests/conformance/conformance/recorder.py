"""The cases, what they call, and how each of them ended."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

from conformance.engine import Engines


@dataclass(frozen=True)
class Case:
    calls: str
    run: Callable[["Context"], None]


@dataclass
class Context:
    """What a case may use: the seeded engine's address, and engines of its own with other flags."""

    url: str
    engines: Engines


@dataclass
class Suite:
    """The cases written for one client."""

    client: str
    cases: list[Case] = field(default_factory=list)

    def case(
        self, calls: str, offered: bool = True
    ) -> Callable[[Callable[[Context], None]], Callable[[Context], None]]:
        """Registers a case under the calls it makes; these are the words of the printed table.

        `offered` is false where the installed version of the client has no such call.
        """

        def register(function: Callable[[Context], None]) -> Callable[[Context], None]:
            if offered:
                self.cases.append(Case(calls, function))
            return function

        return register

    def run(self, context: Context) -> tuple[int, int]:
        """Runs every case, printing one line each. Returns how many passed and how many failed."""
        passed = failed = 0
        for case in self.cases:
            began = time.monotonic()
            try:
                case.run(context)
            except Exception as error:  # a case may fail in any way a client can
                failed += 1
                print(f"| {self.client} | {case.calls} | FAIL: {_first_line(error)} |", flush=True)
                traceback.print_exc()
            else:
                passed += 1
                took = time.monotonic() - began
                print(f"| {self.client} | {case.calls} | ok, {took:.2f} s |", flush=True)
        return passed, failed


def _first_line(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return f"{type(error).__name__}: {text.splitlines()[0][:160]}"


def equal(actual: object, expected: object) -> None:
    """Fails showing both values: a bare assert outside pytest shows neither."""
    if actual != expected:
        raise AssertionError(f"{actual!r} instead of {expected!r}")


def holds(condition: bool, otherwise: object) -> None:
    """Fails with a description of what was found instead."""
    if not condition:
        raise AssertionError(str(otherwise))


def close(actual: float, expected: float, tolerance: float = 1e-6) -> None:
    if abs(actual - expected) > tolerance:
        raise AssertionError(f"{actual!r} is not within {tolerance} of {expected!r}")


def raises(kind: type[BaseException], function: Callable[[], object]) -> BaseException:
    """The exception a call must raise."""
    try:
        answer = function()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} expected, got {answer!r}")
