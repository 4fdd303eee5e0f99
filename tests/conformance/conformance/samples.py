"""The committed sample papers and small tables made for the cases."""

from __future__ import annotations

import array
import io
import json
import math
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

PAPERS = Path(__file__).resolve().parents[2] / "data" / "papers"
WIDTH = 384


def _vectors(name: str) -> list[list[float]]:
    numbers = array.array("f")
    numbers.frombytes((PAPERS / name).read_bytes())
    return [numbers[at : at + WIDTH].tolist() for at in range(0, len(numbers), WIDTH)]


@cache
def paper_vectors() -> list[list[float]]:
    return _vectors("papers.f32")


@cache
def judged_queries() -> list[tuple[str, dict[int, int], list[float]]]:
    """Query text, relevant paper ids with their grades, and the query's vector."""
    judged = json.loads((PAPERS / "judgements.json").read_text())
    return [
        (one["query"], {int(key): grade for key, grade in one["relevant"].items()}, vector)
        for one, vector in zip(judged, _vectors("queries.f32"), strict=True)
    ]


def nearest_papers(vector: list[float], k: int) -> list[int]:
    """Ids by exact cosine distance; the stored vectors have unit length."""
    length = math.sqrt(sum(x * x for x in vector))
    scored = [
        (1 - sum(a * b for a, b in zip(stored, vector, strict=True)) / length, key)
        for key, stored in enumerate(paper_vectors())
    ]
    return [key for _, key in sorted(scored)[:k]]


def ndcg_at_10(ranked: list[int], relevant: dict[int, int]) -> float:
    gain = sum(relevant.get(key, 0) / math.log2(at + 2) for at, key in enumerate(ranked[:10]))
    ideal = sorted(relevant.values(), reverse=True)[:10]
    return gain / sum(grade / math.log2(at + 2) for at, grade in enumerate(ideal))


def parquet_bytes(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def people(*rows: tuple[int, str, float]) -> pa.Table:
    """`id` BIGINT, `name`, `score` DOUBLE."""
    return pa.table(
        {
            "id": pa.array([row[0] for row in rows], pa.int64()),
            "name": pa.array([row[1] for row in rows], pa.string()),
            "score": pa.array([row[2] for row in rows], pa.float64()),
        }
    )


NOTES = [
    "a quiet garden with old plants",
    "busy street above a bakery",
    "garden terrace and a view of the bay",
    "quiet loft near the park",
    "plants in every room of the loft",
    "a garage with two bicycles",
]

NOTE_VECTORS = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.8, 0.6, 0.0],
    [0.6, 0.0, 0.8],
    [0.9, 0.1, 0.2],
    [-1.0, 0.0, 0.0],
]


def notes() -> pa.Table:
    """`id` BIGINT, `content`, `embedding` List(Float32) of width 3."""
    return pa.table(
        {
            "id": pa.array(range(len(NOTES)), pa.int64()),
            "content": pa.array(NOTES, pa.string()),
            "embedding": pa.array(NOTE_VECTORS, pa.list_(pa.float32())),
        }
    )
