"""hotdata-framework: managed databases, loads, indexes, and the retrying client of the adapters."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hotdata_framework as hf
import pyarrow as pa
import pyarrow.parquet as pq

from conformance import samples
from conformance.framework_client import CLIENT, connect
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(CLIENT)

ALL = "SELECT id, name, score FROM default.public.people ORDER BY id"


@contextmanager
def parquet_file(table: pa.Table) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "data.parquet")
        pq.write_table(table, path)
        yield path


def load(client: hf.HotdataClient, database: hf.ManagedDatabase, mode: str, *rows: tuple, key: list[str] | None = None):
    with parquet_file(samples.people(*rows)) as path:
        return client.load_managed_table(database, "people", file=path, mode=mode, key=key)


def people(client: hf.HotdataClient) -> hf.ManagedDatabase:
    database = client.create_managed_database(
        f"people-{uuid.uuid4().hex[:8]}", tables=["people"], keys={"people": ["id"]}
    )
    load(client, database, "replace", (1, "Ada", 9.5), (2, "Bob", 5.0))
    return database


def notes(client: hf.HotdataClient) -> hf.ManagedDatabase:
    database = client.create_managed_database(f"notes-{uuid.uuid4().hex[:8]}", tables=["notes"])
    with parquet_file(samples.notes()) as path:
        client.load_managed_table(database, "notes", file=path)
    return database


@SUITE.case("create_managed_database(tables, keys), list_managed_tables")
def creates(context: Context) -> None:
    client = connect(context)
    database = client.create_managed_database("made", tables=["a", "b"], keys={"a": ["id"]}, expires_at="24h")
    listed = client.list_managed_tables(database)
    equal([(one.schema, one.table, one.synced) for one in listed], [("public", "a", False), ("public", "b", False)])
    equal(listed[0].full_name, f"{database.id}.public.a")


@SUITE.case("load_managed_table(file=…), every mode")
def loads(context: Context) -> None:
    client = connect(context)
    database = people(client)
    loaded = load(client, database, "append", (3, "Cy", 1.0))
    equal((loaded.row_count, loaded.full_name, loaded.job_id), (3, f"{database.id}.public.people", None))
    load(client, database, "upsert", (3, "Cyd", 2.0), (4, "Di", 3.0), key=["id"])
    load(client, database, "update", (4, "Dia", 4.0), (5, "Ed", 0.0), key=["id"])
    load(client, database, "delete", (1, "", 0.0), key=["id"])
    expected = [[2, "Bob", 5.0], [3, "Cyd", 2.0], [4, "Dia", 4.0]]
    equal(client.execute_sql(ALL, database=database).rows, expected)
    load(client, database, "replace", (9, "Zoe", 1.5))
    equal(client.execute_sql(ALL, database=database).rows, [[9, "Zoe", 1.5]])
    equal(client.list_managed_tables(database)[0].synced, True)


@SUITE.case("upload_parquet, load_managed_table(upload_id=…)")
def loads_an_upload(context: Context) -> None:
    client = connect(context)
    database = people(client)
    with parquet_file(samples.people((7, "Gus", 1.0))) as path:
        upload_id = client.upload_parquet(path)
    for _ in range(2):
        client.load_managed_table(database, "people", upload_id=upload_id, mode="append")
    equal(len(client.execute_sql(ALL, database=database).rows), 3)


@SUITE.case("load_managed_table (a keyed mode without a key)")
def refuses_a_keyless_load(context: Context) -> None:
    client = connect(context)
    database = client.create_managed_database("keyless", tables=["people"])
    load(client, database, "replace", (1, "Ada", 1.0))
    error = raises(RuntimeError, lambda: load(client, database, "upsert", (1, "A", 1.0)))
    holds("key" in str(error), error)


@SUITE.case("add_managed_table(partition_by, sorted_by), managed_table_layout")
def declares_a_layout(context: Context) -> None:
    client = connect(context)
    database = client.create_managed_database("layout")
    client.add_managed_table(
        database,
        "events",
        key=["id"],
        partition_by=[hf.TablePartitionKey(column="day", transform="month")],
        sorted_by=[hf.TableSortKey(column="id", direction="desc", nulls="last")],
    )
    layout = client.managed_table_layout(database, "events")
    equal([(one.column, one.transform) for one in layout.partition_by], [("day", "month")])
    equal([(one.column, one.direction, one.nulls) for one in layout.sorted_by], [("id", "desc", "last")])
    raises(KeyError, lambda: client.managed_table_layout(database, "nosuch"))


@SUITE.case("delete_managed_table, delete_managed_database")
def deletes(context: Context) -> None:
    client = connect(context)
    database = people(client)
    client.delete_managed_table(database, "people")
    equal(client.list_managed_tables(database), [])
    client.delete_managed_database(database)
    raises(KeyError, lambda: client.resolve_managed_database(database.id))


@SUITE.case("create_index(bm25)")
def builds_text(context: Context) -> None:
    client = connect(context)
    database = notes(client)
    built = client.create_index(database, "notes", columns=["content"], index_type="bm25", poll_interval_s=0.05)
    equal((built.index_name, built.status, built.metric), ("notes_content_bm25", "ready", None))
    sql = "SELECT id FROM bm25_search('default.public.notes', 'content', 'loft', 5) ORDER BY score DESC, id"
    equal({row[0] for row in client.execute_sql(sql, database=database).rows}, {3, 4})


@SUITE.case("create_index(sorted)")
def builds_sorted(context: Context) -> None:
    client = connect(context)
    database = notes(client)
    built = client.create_index(database, "notes", columns=["id"], index_type="sorted", poll_interval_s=0.05)
    equal((built.index_type, built.columns, built.status), ("sorted", ["id"], "ready"))
    sql = "SELECT content FROM default.public.notes WHERE id = 3"
    equal(client.execute_sql(sql, database=database).rows, [[samples.NOTES[3]]])


@SUITE.case("create_index(vector, metric)")
def builds_plain(context: Context) -> None:
    client = connect(context)
    for metric in ("cosine", "l2", "dot"):
        database = notes(client)
        built = client.create_index(
            database, "notes", columns=["embedding"], index_type="vector", metric=metric, poll_interval_s=0.05
        )
        equal((built.metric, built.source_column, built.columns, built.status), (metric, None, ["embedding"], "ready"))


@SUITE.case("create_index(vector, embedding_provider_id)")
def builds_provider_backed(context: Context) -> None:
    client = connect(context)
    database = notes(client)
    built = client.create_index(
        database,
        "notes",
        columns=["content"],
        index_type="vector",
        embedding_provider_id="sys_emb_local",
        description="notes",
        poll_interval_s=0.05,
    )
    equal((built.source_column, built.columns, built.status), ("content", ["content_embedding"], "ready"))
    sql = "SELECT id, vector_distance(content, 'two bicycles') AS d FROM public.notes ORDER BY d ASC LIMIT 1"
    equal(client.execute_sql(sql, database=database).rows[0][0], 5)


@SUITE.case("create_index(wait=False)")
def submits(context: Context) -> None:
    client = connect(context)
    database = notes(client)
    built = client.create_index(database, "notes", columns=["content"], index_type="bm25", wait=False)
    equal(built.status, "pending")
    holds(built.job_id, built)


@SUITE.case("create_index (a build that fails on its job)")
def raises_the_jobs_message(context: Context) -> None:
    client = connect(context)
    database = client.create_managed_database("uneven", tables=["notes"])
    uneven = pa.table({"id": [1, 2], "embedding": pa.array([[1.0], [1.0, 2.0]], pa.list_(pa.float32()))})
    with parquet_file(uneven) as path:
        client.load_managed_table(database, "notes", file=path)
    error = raises(
        RuntimeError,
        lambda: client.create_index(
            database, "notes", columns=["embedding"], index_type="vector", metric="cosine", poll_interval_s=0.05
        ),
    )
    holds(str(error).startswith("Index 'notes_embedding_vector' on "), error)


@SUITE.case("create_index (beside a provider-backed index)")
def refuses_coexistence(context: Context) -> None:
    client = connect(context)
    database = notes(client)
    provider = {"index_type": "vector", "embedding_provider_id": "sys_emb_local", "poll_interval_s": 0.05}
    client.create_index(database, "notes", columns=["content"], **provider)
    error = raises(RuntimeError, lambda: client.create_index(database, "notes", columns=["content"], index_type="bm25"))
    holds("Embedding-backed vector indexes cannot coexist with other indexes on the same table" in str(error), error)


def managed(context: Context) -> hf.ManagedDatabaseClient:
    return hf.ManagedDatabaseClient(
        api_key="hd_conformance",
        workspace_id="ws_local",
        api_base_url=context.url,
        max_retries=3,
        retry_backoff_seconds=0.05,
    )


@SUITE.case("ManagedDatabaseClient.ensure_managed_database, upload_parquet, load_managed_table, table_is_synced")
def serves_the_adapters(context: Context) -> None:
    client = managed(context)
    name = f"adapter-{uuid.uuid4().hex}"
    raises(hf.HotdataError, lambda: client.ensure_managed_database(name, schema="public", tables=[], create_if_missing=False))
    made = client.ensure_managed_database(name, schema="public", tables=["people"], create_if_missing=True)
    again = client.ensure_managed_database(name, schema="public", tables=["people"], create_if_missing=True)
    equal(made, again)
    equal(client.table_is_synced(name, "people", schema="public"), False)
    equal(client.fetch_table_rows(database=name, schema="public", table="people"), [])
    with parquet_file(samples.people((1, "Ada", 9.5))) as path:
        upload_id = client.upload_parquet(path)
    loaded = client.load_managed_table(name, "people", schema="public", upload_id=upload_id)
    equal((loaded.row_count, client.table_is_synced(name, "people", schema="public")), (1, True))


@SUITE.case("ManagedDatabaseClient.fetch_table, fetch_table_rows")
def fetches_arrow(context: Context) -> None:
    database = people(connect(context))
    client = managed(context)
    table = client.fetch_table(database=database.id, schema="public", table="people")
    equal(table.schema.field("id").type, pa.int64())
    rows = client.fetch_table_rows(database=database.id, schema="public", table="people")
    expected = [{"id": 1, "name": "Ada", "score": 9.5}, {"id": 2, "name": "Bob", "score": 5.0}]
    equal(sorted(rows, key=lambda row: row["id"]), expected)


@SUITE.case("ManagedDatabaseClient.load_managed_table (a refusal is classified)")
def classifies(context: Context) -> None:
    database = people(connect(context))
    client = managed(context)
    error = raises(
        hf.HotdataTerminalError,
        lambda: client.load_managed_table(database.id, "people", schema="public", upload_id="nosuch"),
    )
    equal(error.status_code, 404)
