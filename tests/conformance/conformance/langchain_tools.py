"""hotdata-langchain: the SQL tool, the schema tool, the management tools, errors handed to a model."""

from __future__ import annotations

import json
import tempfile
import uuid
from importlib.metadata import version
from pathlib import Path

import hotdata_langchain as hl
import pyarrow.parquet as pq
from hotdata_framework import HotdataClient, ManagedDatabase
from langchain_core.tools import StructuredTool

from conformance import samples
from conformance.framework_client import connect, papers
from conformance.recorder import Context, Suite, equal, holds, raises

CLIENT = f"hotdata-langchain {version('hotdata-langchain')}"
SUITE = Suite(CLIENT)


def tools(client: HotdataClient, database: ManagedDatabase, **options: object) -> dict[str, StructuredTool]:
    return {tool.name: tool for tool in hl.make_hotdata_tools(client, database_id=database.id, **options)}


def call(tool: StructuredTool, **arguments: object) -> dict:
    return json.loads(tool.invoke(arguments))


@SUITE.case("make_hotdata_tools")
def makes_the_default_set(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client))
    equal(
        list(made),
        [
            "hotdata_execute_sql",
            "hotdata_list_managed_databases",
            "hotdata_create_managed_database",
            "hotdata_load_managed_table",
            "hotdata_describe_tables",
        ],
    )
    holds("Here the catalog is 'default'." in made["hotdata_execute_sql"].description, "the catalog is read back")


@SUITE.case("hotdata_execute_sql")
def executes(context: Context) -> None:
    client = connect(context)
    tool = tools(client, papers(client), max_rows=5)["hotdata_execute_sql"]
    answer = call(tool, sql="SELECT id FROM default.public.papers ORDER BY id")
    equal([row["id"] for row in answer["rows"]], [0, 1, 2, 3, 4])
    equal(answer["metadata"]["row_count"], 314)
    holds("first 5 rows of the 314" in answer["metadata"]["client_warning"], answer["metadata"])


@SUITE.case("hotdata_execute_sql (a PostgreSQL date pattern)")
def warns_of_a_pattern(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client), handle_errors=True)
    answer = call(made["hotdata_execute_sql"], sql="SELECT to_char(cast('2026-08-12' AS DATE), 'YYYY-MM-DD') AS v")
    equal(answer["rows"], [{"v": "YYYY-MM-DD"}])
    holds("%Y-%m-%d" in answer["metadata"]["client_warning"], answer["metadata"])
    failed = call(made["hotdata_execute_sql"], sql="SELECT to_date('2026-08-12', 'YYYY-MM-DD') AS v")
    holds("The engine reported:" in failed["error"] and "YYYY-MM-DD" in failed["error"], failed)


@SUITE.case("hotdata_execute_sql (handle_errors), engine_error_message")
def hands_errors_to_the_model(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client), handle_errors=True)
    for sql, expected in (
        ("SELECT to_tsvector(content) FROM default.public.papers", "Invalid function 'to_tsvector'"),
        ("SELECT nosuch FROM default.public.papers", "No field named nosuch"),
        ("SELECT * FROM default.public.empty_declared", "is declared but has no data; POST a load before querying"),
        ("SELEC 1", "ParserError"),
    ):
        answer = call(made["hotdata_execute_sql"], sql=sql)
        holds(expected in answer["error"], answer)
    error = raises(RuntimeError, lambda: client.execute_sql("SELECT date_sub(now(), 6)", database=papers(client)))
    holds("Did you mean 'date_bin'?" in hl.engine_error_message(error), hl.engine_error_message(error))


@SUITE.case("hotdata_execute_sql (a failed query whose body is empty)")
def survives_an_empty_body(context: Context) -> None:
    url = context.engines.with_flags("--empty-body-for-quoted-case")
    client = HotdataClient("hd_conformance", "ws_local", host=url)
    database = client.create_managed_database("case")
    load_people(client, database)
    made = tools(client, database, handle_errors=True)
    answer = call(made["hotdata_execute_sql"], sql='SELECT "Name" FROM default.public.people')
    equal(answer, {"error": "Bad Request"})


def load_people(client: HotdataClient, database: ManagedDatabase) -> None:
    client.add_managed_table(database, "people", key=["id"])
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "people.parquet")
        pq.write_table(samples.people((1, "Ada", 9.5), (2, "Bob", 5.0)), path)
        client.load_managed_table(database, "people", file=path)


@SUITE.case("hotdata_describe_tables (overview)")
def describes_the_database(context: Context) -> None:
    client = connect(context)
    answer = call(tools(client, papers(client))["hotdata_describe_tables"])
    equal(
        answer["tables"],
        [{"table": "public.papers", "column_count": 5}, {"table": "public.papers_semantic", "column_count": 3}],
    )


@SUITE.case("hotdata_describe_tables (one table)")
def describes_a_table(context: Context) -> None:
    client = connect(context)
    tool = tools(client, papers(client))["hotdata_describe_tables"]
    for name in ("papers", "public.papers", "default.public.papers", "Default.Public.Papers"):
        answer = call(tool, table=name)
        columns = {column["name"]: column for column in answer["columns"]}
        equal(list(columns), ["id", "title", "abstract", "content", "embedding"])
        equal((answer["table"], answer["row_count"]), ("public.papers", 314))
        equal(columns["content"]["searchable_by"], ["text relevance"])
        equal(columns["embedding"]["searchable_by"], ["meaning"])
        equal({column["non_null"] for column in columns.values()}, {314})


@SUITE.case("hotdata_describe_tables (a generated column is hidden)")
def hides_a_generated_column(context: Context) -> None:
    client = connect(context)
    answer = call(tools(client, papers(client))["hotdata_describe_tables"], table="papers_semantic")
    columns = {column["name"]: column.get("searchable_by") for column in answer["columns"]}
    equal(columns, {"id": None, "content": ["meaning"]})


@SUITE.case("hotdata_describe_tables (declared and empty, missing)")
def tells_empty_from_missing(context: Context) -> None:
    client = connect(context)
    tool = tools(client, papers(client))["hotdata_describe_tables"]
    empty = call(tool, table="default.public.empty_declared")
    equal((empty["columns"], empty["row_count"]), ([], 0))
    holds("is declared on this database but has no data yet" in empty["note"], empty)
    holds("no table named 'nosuch'" in call(tool, table="nosuch")["error"], "a missing table")


@SUITE.case("hotdata_list_managed_databases, hotdata_create_managed_database, hotdata_load_managed_table")
def manages(context: Context) -> None:
    client = connect(context)
    made = {tool.name: tool for tool in hl.make_hotdata_tools(client)}
    name = f"managed-{uuid.uuid4().hex}"
    created = call(
        made["hotdata_create_managed_database"],
        name=name,
        tables="people, other",
        keys={"people": ["id"]},
        expires_at="24h",
    )
    equal(created["name"], name)
    listed = call(made["hotdata_list_managed_databases"])
    equal([one for one in listed if one["id"] == created["id"]], [{"id": created["id"], "name": name}])
    load = made["hotdata_load_managed_table"]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "people.parquet")
        pq.write_table(samples.people((1, "Ada", 9.5), (2, "Bob", 5.0)), path)
        loaded = call(load, database_id=created["id"], table="people", file=path)
        equal((loaded["row_count"], loaded["full_name"]), (2, f"{created['id']}.public.people"))
        pq.write_table(samples.people((2, "Bo", 1.0), (3, "Cy", 2.0)), path)
        loaded = call(load, database_id=created["id"], table="people", file=path, mode="upsert", key=["id"])
        equal(loaded["row_count"], 3)
        pq.write_table(samples.people((1, "", 0.0)), path)
        loaded = call(load, database_id=created["id"], table="people", file=path, mode="delete", key=["id"])
    database = client.resolve_managed_database(created["id"])
    rows = client.execute_sql("SELECT id, name FROM default.public.people ORDER BY id", database=database).rows
    equal(rows, [[2, "Bo"], [3, "Cy"]])
    expiries = hl.database_expiries(client)
    holds(expiries[created["id"]] is not None, "the expiry is listed")
    holds(hl.database_expiry(client, created["id"]) == expiries[created["id"]], "and read alone")


@SUITE.case("hotdata_load_managed_table (a name instead of an id)")
def refuses_a_name(context: Context) -> None:
    client = connect(context)
    tool = {one.name: one for one in hl.make_hotdata_tools(client, handle_errors=True)}["hotdata_load_managed_table"]
    answer = call(tool, database_id="papers", table="papers", file=__file__)
    # The engine's words stand deeper in the exception's chain than the package's, and win.
    equal(answer, {"error": "Database 'papers' not found"})
