"""Starts local engines and stops them again."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

READY = "listening on "

#: How the engine of most cases is started: judged queries hold text that the strict query parser rejects.
SEEDED = ("--seed", "--lenient-search-text")


def default_binary() -> Path:
    root = Path(__file__).resolve().parents[3]
    target = Path(os.environ.get("CARGO_TARGET_DIR") or root / "target")
    return target / "debug" / "hotdata-local-engine"


class Engine:
    """One engine process on a free port of 127.0.0.1."""

    def __init__(self, binary: Path, *flags: str) -> None:
        if not binary.is_file():
            raise FileNotFoundError(
                f"no engine at {binary}: build it with `cargo build -p hotdata-local-server` "
                "or name it with --binary"
            )
        self._process = subprocess.Popen(
            [str(binary), "--port", "0", *flags], stdout=subprocess.PIPE, text=True
        )
        self.url = self._await_address()
        # The pipe is read to its end, so that the engine never blocks on it.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _await_address(self) -> str:
        for line in self._process.stdout:
            if line.startswith(READY):
                return line.removeprefix(READY).strip()
        raise RuntimeError(f"the engine ended with status {self._process.wait()}")

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Engines:
    """The engines one run started, kept by their flags."""

    def __init__(self, binary: Path) -> None:
        self._binary = binary
        self._running: dict[tuple[str, ...], Engine] = {}

    def with_flags(self, *flags: str) -> str:
        """The address of an engine with these flags, started on first use."""
        if flags not in self._running:
            self._running[flags] = Engine(self._binary, *flags)
        return self._running[flags].url

    def stop(self) -> None:
        for engine in self._running.values():
            engine.stop()
        self._running.clear()

    def __enter__(self) -> Engines:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
