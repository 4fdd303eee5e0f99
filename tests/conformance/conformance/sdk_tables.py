"""Tables as the control plane lists them."""

from __future__ import annotations

import hotdata
from hotdata import models

from conformance import samples, sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)


@SUITE.case("InformationSchemaApi.information_schema(include_columns=True)")
def lists_columns(context: Context) -> None:
    api = sdk.connect(context.url)
    detail = hotdata.DatabasesApi(api).get_database(sdk.papers_id(api))
    listed = hotdata.InformationSchemaApi(api).information_schema(
        connection_id=detail.default_connection_id, include_columns=True
    )
    tables = {one.table: one for one in listed.tables}
    holds({"papers", "papers_semantic", "empty_declared"} <= set(tables), sorted(tables))
    columns = {one.name: one.data_type for one in tables["papers"].columns}
    equal(list(columns), ["id", "title", "abstract", "content", "embedding"])
    equal(columns["embedding"], "List(Float32)")
    equal((tables["papers"].synced, tables["empty_declared"].synced), (True, False))
    holds(tables["papers"].last_sync is not None and tables["empty_declared"].last_sync is None, tables)


@SUITE.case("InformationSchemaApi.information_schema(schema, table)")
def filters(context: Context) -> None:
    api = sdk.connect(context.url)
    detail = hotdata.DatabasesApi(api).get_database(sdk.papers_id(api))
    listed = hotdata.InformationSchemaApi(api).information_schema(
        connection_id=detail.default_connection_id, var_schema="public", table="papers_semantic"
    )
    equal([one.table for one in listed.tables], ["papers_semantic"])
    holds(listed.tables[0].columns is None, "columns come only when asked for")


@SUITE.case("InformationSchemaApi.information_schema(limit, cursor)")
def pages(context: Context) -> None:
    api = sdk.connect(context.url)
    tables = [models.DatabaseDefaultTableDecl(name=f"t{at}") for at in range(5)]
    schema = models.DatabaseDefaultSchemaDecl(name="public", tables=tables)
    connection = sdk.new_database(api, schemas=[schema]).default_connection_id
    found: list[str] = []
    cursor = None
    while True:
        page = hotdata.InformationSchemaApi(api).information_schema(connection_id=connection, limit=2, cursor=cursor)
        equal(page.count, len(page.tables))
        found += [one.table for one in page.tables]
        equal(page.has_more, page.next_cursor is not None)
        cursor = page.next_cursor
        if cursor is None:
            break
    equal(found, [f"t{at}" for at in range(5)])


@SUITE.case("ConnectionsApi.delete_managed_table")
def deletes_a_table(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api)
    sdk.load_csv(api, database.id, "t", "id\n1\n")
    hotdata.ConnectionsApi(api).delete_managed_table(database.default_connection_id, "public", "t")
    error = raises(hotdata.ApiException, lambda: sdk.rows(api, database.id, "SELECT id FROM t"))
    holds("not found" in sdk.refusal(error)[2], error.body)


@SUITE.case("ConnectionsApi.add_managed_schema, add_managed_table, load_managed_table")
def serves_the_connection_paths(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api)
    connections = hotdata.ConnectionsApi(api)
    connection = database.default_connection_id
    connections.add_managed_schema(connection, models.AddManagedSchemaRequest(name="staging"))
    connections.add_managed_table(connection, "staging", models.AddManagedTableRequest(name="people", key=["id"]))
    upload_id = sdk.upload(api, samples.parquet_bytes(samples.people((1, "Ada", 9.5))))
    request = models.LoadManagedTableRequest(mode="replace", upload_id=upload_id)
    loaded = connections.load_managed_table(connection, "staging", "people", request)
    equal((loaded.connection_id, loaded.schema_name, loaded.row_count), (connection, "staging", 1))
    equal(sdk.rows(api, database.id, "SELECT name FROM staging.people"), [["Ada"]])
