"""hotdata-framework: a client from the environment, queries, introspection."""

from __future__ import annotations

import os
import uuid
from contextlib import contextmanager
from importlib.metadata import version

import hotdata_framework as hf
from hotdata.api.databases_api import DatabasesApi
from hotdata.exceptions import ApiException

from conformance.recorder import Context, Suite, equal, holds, raises

CLIENT = f"hotdata-framework {version('hotdata-framework')}"
SUITE = Suite(CLIENT)


@contextmanager
def environment(**values: str):
    kept = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("HOTDATA_")}
    os.environ.update(values)
    try:
        yield
    finally:
        for key in values:
            del os.environ[key]
        os.environ.update(kept)


def connect(context: Context) -> hf.HotdataClient:
    return hf.HotdataClient("hd_conformance", "ws_local", host=context.url)


def papers(client: hf.HotdataClient) -> hf.ManagedDatabase:
    # Not by name: the framework looks at the newest hundred databases only.
    listed = DatabasesApi(client.api).list_databases(search="papers").databases
    return client.resolve_managed_database(next(one.id for one in listed if one.name == "papers"))


@SUITE.case("from_env (workspace picked silently)")
def picks_a_workspace(context: Context) -> None:
    with environment(HOTDATA_API_KEY="hd_conformance", HOTDATA_API_URL=f"{context.url}/v1/"):
        client = hf.from_env()
        selection = hf.resolve_workspace_selection("hd_conformance", context.url)
    equal((client.host, client.workspace_id), (context.url, "ws_local"))
    equal((selection.source, selection.workspace_id), ("active", "ws_local"))


@SUITE.case("from_env (HOTDATA_WORKSPACE)")
def takes_a_named_workspace(context: Context) -> None:
    values = {"HOTDATA_API_KEY": "hd_conformance", "HOTDATA_API_URL": context.url, "HOTDATA_WORKSPACE": "ws_local"}
    with environment(**values):
        client = hf.from_env()
        equal(hf.explicit_workspace_id(), "ws_local")
    equal(client.execute_sql("SELECT COUNT(id) AS n FROM papers", database=papers(client)).rows, [[314]])


@SUITE.case("workspace_health_lines")
def reports_health(context: Context) -> None:
    ok, lines = hf.workspace_health_lines(connect(context))
    equal(ok, True)
    equal(lines[:2], ["**API** reachable", "**workspace** `ws_local`"])


@SUITE.case("HotdataClient.execute_sql")
def executes(context: Context) -> None:
    client = connect(context)
    result = client.execute_sql("SELECT id, title FROM papers ORDER BY id LIMIT 2", database=papers(client).id)
    equal(result.columns, ["id", "title"])
    equal([record["id"] for record in result.to_records()], [0, 1])
    equal((result.row_count, result.warning, result.error_message), (2, None, None))
    frame = result.to_pandas()
    equal((list(frame.columns), len(frame)), (["id", "title"], 2))


@SUITE.case("HotdataClient.execute_sql (scope per call)")
def changes_scope(context: Context) -> None:
    client = connect(context)
    counts = []
    for at in range(2):
        database = client.create_managed_database(f"scope-{at}")
        for _ in range(at):
            client.add_managed_table(database, f"t{uuid.uuid4().hex[:6]}")
        counts.append(len(client.list_managed_tables(database)))
        equal(client.execute_sql("SELECT 1 AS one", database=database).rows, [[1]])
    equal(counts, [0, 1])


@SUITE.case("HotdataClient.execute_sql (a statement that fails)")
def raises_the_reason(context: Context) -> None:
    client = connect(context)
    error = raises(RuntimeError, lambda: client.execute_sql("SELECT to_tsvector('x')", database=papers(client)))
    equal(str(error), "Bad Request")
    cause = error.__cause__
    holds(isinstance(cause, ApiException) and "Invalid function 'to_tsvector'" in cause.body, cause)


@SUITE.case("HotdataClient.resolve_managed_database (id, name, unknown)")
def resolves(context: Context) -> None:
    client = connect(context)
    made = client.create_managed_database(f"resolve-{uuid.uuid4().hex}")
    equal(client.resolve_managed_database(made.id), made)
    equal(client.resolve_managed_database(made.description), made)
    raises(KeyError, lambda: client.resolve_managed_database(f"nosuch-{uuid.uuid4().hex}"))


@SUITE.case("HotdataClient.list_managed_databases")
def lists_databases(context: Context) -> None:
    client = connect(context)
    made = client.create_managed_database("listed")
    holds(made in client.list_managed_databases(), made)
    client.delete_managed_database(made)
    holds(made not in client.list_managed_databases(), made)


@SUITE.case("HotdataClient.iter_tables, list_qualified_table_names, columns_for_qualified, connection_id_by_name")
def introspects(context: Context) -> None:
    client = connect(context)
    database = papers(client)
    tables = list(client.iter_tables(connection_id=database.default_connection_id, page_size=1, include_columns=True))
    equal([one.table for one in tables], ["empty_declared", "papers", "papers_semantic"])
    names = client.list_qualified_table_names(connection_id=database.default_connection_id)
    equal(names, sorted(client.qualified_table_name(one) for one in tables))
    papers_name = next(name for name in names if name.endswith(".public.papers"))
    columns = client.columns_for_qualified(papers_name, connection_id=database.default_connection_id)
    equal([one.name for one in columns], ["id", "title", "abstract", "content", "embedding"])
    ids = client.connection_id_by_name()
    holds(database.default_connection_id in ids.values(), ids)
