"""Measures the engine with 100,000 rows of the sample's shape: peak memory, and the median of each search.

Fails when the process ever held 2 GiB or a median reached one second. Linux only: peak memory is read from /proc.
"""

from __future__ import annotations

import argparse
import array
import json
import statistics
import sys
import time
import urllib.request
from pathlib import Path

from conformance.engine import Engine, default_binary

PAPERS = Path(__file__).resolve().parents[1] / "data" / "papers"
WIDTH = 384
MEMORY_LIMIT = 2 * 1024**3
TIME_LIMIT = 1.0
TABLE = "default.public.papers_scale"
SEMANTIC = "default.public.scale_semantic"

# A proxy of the environment has no business with this machine's own address.
LOOPBACK = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def peak_memory(pid: int) -> int:
    """Bytes: the kernel's high-water mark of the resident set."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no VmHWM for process {pid}")


class Api:
    """A few calls over the standard library: this script needs no package."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._database = ""

    def call(self, method: str, path: str, body: object = None) -> dict:
        headers = {"Authorization": "Bearer hd_scale", "X-Workspace-Id": "ws_local", "Content-Type": "application/json"}
        if self._database:
            headers["X-Database-Id"] = self._database
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._url}{path}", data=data, headers=headers, method=method)
        with LOOPBACK.open(request, timeout=600) as response:
            return json.load(response)

    def enter(self, name: str) -> dict:
        """Scopes every later call to the database of this name; its record."""
        listed = self.call("GET", f"/v1/databases?search={name}")["databases"]
        self._database = next(one["id"] for one in listed if one["name"] == name)
        return self.call("GET", f"/v1/databases/{self._database}")

    def query(self, sql: str) -> dict:
        return self.call("POST", "/v1/query", {"sql": sql})

    def wait(self, job: str) -> None:
        while (state := self.call("GET", f"/v1/jobs/{job}"))["status"] in ("pending", "running"):
            time.sleep(0.5)
        if state["status"] != "succeeded":
            raise RuntimeError(state["error_message"])


def build_semantic_copy(api: Api, record: dict) -> None:
    """A second table of the same texts with a provider-backed index, for `vector_search`."""
    result = api.query(f"SELECT id, content FROM {TABLE}")["result_id"]
    path = f"/v1/databases/{record['id']}/schemas/public/tables/scale_semantic/loads"
    api.wait(api.call("POST", path, {"mode": "replace", "result_id": result, "async": True})["id"])
    path = f"/v1/connections/{record['default_connection_id']}/tables/public/scale_semantic/indexes"
    index = {
        "index_name": "scale_semantic_content",
        "index_type": "vector",
        "columns": ["content"],
        "metric": "cosine",
        "embedding_provider_id": "sys_emb_local",
        "async": True,
    }
    api.wait(api.call("POST", path, index)["id"])


def vectors() -> list[str]:
    numbers = array.array("f")
    numbers.frombytes((PAPERS / "queries.f32").read_bytes())
    rows = [numbers[at : at + WIDTH] for at in range(0, len(numbers), WIDTH)]
    return [f"ARRAY[{', '.join(repr(float(x)) for x in row)}]" for row in rows]


def statements(text: str, vector: str) -> dict[str, str]:
    text = text.replace("'", "''")
    near = f"SELECT id, cosine_distance(embedding, {vector}) AS _distance FROM {TABLE} ORDER BY _distance ASC"
    words = f"SELECT id, score FROM bm25_search('{TABLE}', 'content', '{text}', 20)"
    fused = "COALESCE(1.0 / (60 + n.rrf_rank), 0) + COALESCE(1.0 / (60 + t.rrf_rank), 0)"
    return {
        "BM25": f"{words} ORDER BY score DESC LIMIT 20",
        "cosine": f"{near} LIMIT 10",
        "hybrid": (
            f"WITH near AS ({near} LIMIT 20), "
            "n AS (SELECT id, ROW_NUMBER() OVER (ORDER BY _distance ASC) AS rrf_rank FROM near), "
            f"t AS (SELECT id, ROW_NUMBER() OVER (ORDER BY score DESC) AS rrf_rank FROM ({words})) "
            f"SELECT base.id, base.content, {fused} AS score FROM n FULL OUTER JOIN t ON n.id = t.id "
            f"JOIN {TABLE} base ON base.id = COALESCE(n.id, t.id) ORDER BY {fused} DESC, base.id ASC LIMIT 5"
        ),
        "vector_search": (
            f"SELECT id, _distance FROM vector_search('{SEMANTIC}', 'content', '{text}', 10) ORDER BY _distance ASC"
        ),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, default=default_binary())
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=15, help="searches of each kind, at most 68")
    arguments = parser.parse_args()

    judged = json.loads((PAPERS / "judgements.json").read_text())[: arguments.queries]
    began = time.monotonic()
    engine = Engine(arguments.binary, "--scale", str(arguments.rows), "--lenient-search-text")
    try:
        loaded = time.monotonic() - began
        loaded_memory = peak_memory(engine.pid)
        api = Api(engine.url)
        record = api.enter("papers")
        rows = api.query(f"SELECT COUNT(id) AS n FROM {TABLE}")["rows"][0][0]
        began = time.monotonic()
        build_semantic_copy(api, record)
        embedded = time.monotonic() - began

        times: dict[str, list[float]] = {}
        found: dict[str, int] = {}
        for one, vector in zip(judged, vectors(), strict=False):
            for name, sql in statements(one["query"], vector).items():
                began = time.monotonic()
                hits = len(api.query(sql)["rows"])
                times.setdefault(name, []).append(time.monotonic() - began)
                found[name] = found.get(name, 0) + hits
        memory = peak_memory(engine.pid)
    finally:
        engine.stop()

    mib = 1024**2
    print(f"{rows:,} rows: loaded and indexed in {loaded:.0f} s, peak memory {loaded_memory / mib:.0f} MiB")
    print(f"a copy with a provider-backed index in {embedded:.0f} s; peak memory of the whole run {memory / mib:.0f} MiB")
    print("| search | median ms | worst ms | rows found |\n| --- | --- | --- | --- |")
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, taken in times.items():
        print(f"| {name} | {medians[name] * 1000:.0f} | {max(taken) * 1000:.0f} | {found[name]} |")
    slow = [name for name, median in medians.items() if median >= TIME_LIMIT]
    failures = [f"{name} took a second or more" for name in slow]
    failures += [f"{name} found nothing" for name, hits in found.items() if not hits]
    if memory >= MEMORY_LIMIT:
        failures.append("the process held 2 GiB or more")
    for failure in failures:
        print(f"FAIL: {failure}")
    return 1 if failures or rows != arguments.rows else 0


if __name__ == "__main__":
    sys.exit(main())
