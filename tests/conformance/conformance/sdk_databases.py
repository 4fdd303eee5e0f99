"""Instant databases: records, paging, forks, attachments."""

from __future__ import annotations

import tempfile
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

import hotdata
from hotdata import models

from conformance import sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)


@SUITE.case("DatabasesApi.create_database, get_database, delete_database")
def creates_reads_and_deletes(context: Context) -> None:
    api = sdk.connect(context.url)
    databases = hotdata.DatabasesApi(api)
    created = sdk.new_database(api, name="life")
    equal((created.name, created.default_catalog, created.default_schema), ("life", "default", "main"))
    detail = databases.get_database(created.id)
    equal((detail.id, detail.name, detail.attachments), (created.id, "life", []))
    equal(detail.default_connection_id, created.default_connection_id)
    age = datetime.now(timezone.utc) - detail.created_at
    holds(timedelta(0) <= age + timedelta(seconds=1) < timedelta(minutes=1), detail.created_at)
    databases.delete_database(created.id)
    error = raises(hotdata.ApiException, lambda: databases.get_database(created.id))
    equal(sdk.refusal(error)[:2], (404, "NOT_FOUND"))


@SUITE.case("DatabasesApi.create_database(schemas=…)")
def creates_with_tables(context: Context) -> None:
    api = sdk.connect(context.url)
    table = models.DatabaseDefaultTableDecl(
        name="Orders",
        key=["id"],
        partition_by=[models.TablePartitionKey(column="day", transform="day")],
        sorted_by=[models.TableSortKey(column="id", direction="asc")],
    )
    schema = models.DatabaseDefaultSchemaDecl(name="Sales", tables=[table])
    created = sdk.new_database(api, schemas=[schema])
    listed = hotdata.InformationSchemaApi(api).information_schema(connection_id=created.default_connection_id)
    equal([(one.var_schema, one.table, one.synced) for one in listed.tables], [("sales", "orders", False)])
    equal([(one.column, one.transform) for one in listed.tables[0].partition_by], [("day", "day")])
    equal([one.column for one in listed.tables[0].sorted_by], ["id"])


@SUITE.case(
    "DatabasesApi.create_database(if_not_exists=True)",
    offered="if_not_exists" in models.CreateDatabaseRequest.model_fields,
)
def creates_once(context: Context) -> None:
    api = sdk.connect(context.url)
    name = f"once-{uuid.uuid4().hex}"
    first = sdk.new_database(api, name=name, if_not_exists=True)
    second = sdk.new_database(api, name=name, if_not_exists=True)
    equal(second.id, first.id)
    equal((first.created, second.created), (True, False))
    equal(sdk.new_database(api, name=f" {name.upper()} ", if_not_exists=True).id, first.id)
    holds(sdk.new_database(api, name=name).id != first.id, "names are not unique")


@SUITE.case("DatabasesApi.create_database(default_catalog, default_schema)")
def creates_with_names_of_its_own(context: Context) -> None:
    api = sdk.connect(context.url)
    created = sdk.new_database(api, default_catalog="Shop", default_schema="Sales")
    equal((created.default_catalog, created.default_schema), ("shop", "sales"))
    sdk.load(api, created.id, "t", schema="sales", data="id\n1\n")
    equal(sdk.rows(api, created.id, "SELECT id FROM shop.sales.t"), [[1]])
    equal(sdk.rows(api, created.id, "SELECT id FROM t"), [[1]])
    error = raises(hotdata.ApiException, lambda: sdk.new_database(api, default_catalog="hotdata"))
    equal(sdk.refusal(error)[:2], (400, "BAD_REQUEST"))


@SUITE.case("DatabasesApi.create_database(name=None)")
def labels_an_unnamed_one(context: Context) -> None:
    api = sdk.connect(context.url)
    created = hotdata.DatabasesApi(api).create_database(models.CreateDatabaseRequest())
    holds(created.name, created)
    hotdata.DatabasesApi(api).delete_database(created.id)


@SUITE.case("DatabasesApi.create_database(expires_at=…)")
def creates_with_an_expiry(context: Context) -> None:
    api = sdk.connect(context.url)
    for window, span in {"24h": timedelta(hours=24), "90m": timedelta(minutes=90), "7d": timedelta(days=7)}.items():
        created = sdk.new_database(api, expires_at=window)
        off = created.expires_at - datetime.now(timezone.utc) - span
        holds(abs(off) < timedelta(minutes=1), (window, created.expires_at))
    error = raises(hotdata.ApiException, lambda: sdk.new_database(api, expires_at="soon"))
    equal(sdk.refusal(error)[0], 400)


@SUITE.case("DatabasesApi.list_databases(limit, cursor, search), count_databases")
def pages(context: Context) -> None:
    api = sdk.connect(context.url)
    databases = hotdata.DatabasesApi(api)
    mark = uuid.uuid4().hex
    ids = [sdk.new_database(api, name=f"page-{mark}-{at}").id for at in range(5)]
    found: list[str] = []
    cursor = None
    pages_read = 0
    while True:
        page = databases.list_databases(limit=2, cursor=cursor, search=mark)
        holds(len(page.databases) <= 2, page)
        found += [one.id for one in page.databases]
        cursor = page.next_cursor
        pages_read += 1
        equal(page.has_more, cursor is not None)
        if cursor is None:
            break
    equal(found, ids[::-1])
    equal(pages_read, 3)
    equal(databases.count_databases(search=mark.upper()).total, 5)


@SUITE.case("DatabasesApi.add_database_schema, add_database_table")
def declares(context: Context) -> None:
    api = sdk.connect(context.url)
    databases = hotdata.DatabasesApi(api)
    created = sdk.new_database(api)
    databases.add_database_schema(created.id, models.AddManagedSchemaRequest(name="Staging"))
    table = models.AddManagedTableRequest(name="Laps", key=["id"])
    answer = databases.add_database_table(created.id, "staging", table)
    equal((answer.var_schema, answer.table, answer.connection_id), ("staging", "laps", created.default_connection_id))
    error = raises(hotdata.ApiException, lambda: databases.add_database_table(created.id, "staging", table))
    equal(sdk.refusal(error)[:2], (409, "CONFLICT"))
    error = raises(hotdata.ApiException, lambda: sdk.rows(api, created.id, "SELECT 1 FROM staging.laps"))
    holds("is declared but has no data" in sdk.refusal(error)[2], error.body)


@SUITE.case("DatabasesApi.fork_database")
def forks(context: Context) -> None:
    api = sdk.connect(context.url)
    source = sdk.new_database(api, name="source")
    sdk.load_csv(api, source.id, "t", "id\n1\n2\n")
    request = models.ForkDatabaseRequest(name="fork", description="why")
    fork = hotdata.DatabasesApi(api).fork_database(source.id, request)
    equal(fork.name, "fork")
    if "forked_from" in models.CreateDatabaseResponse.model_fields:
        origin = fork.forked_from
        equal((origin.database_id, origin.name, origin.description), (source.id, "source", "why"))
    sdk.load_csv(api, fork.id, "t", "id\n3\n", mode="append")
    equal(sdk.rows(api, fork.id, "SELECT id FROM t ORDER BY id"), [[1], [2], [3]])
    equal(sdk.rows(api, source.id, "SELECT id FROM t ORDER BY id"), [[1], [2]])
    unnamed = hotdata.DatabasesApi(api).fork_database(source.id, models.ForkDatabaseRequest())
    holds(unnamed.name.startswith("source ") and unnamed.expires_at is None, unnamed)


@SUITE.case("DatabasesApi.fork_database (expiry and indexes carried over)")
def forks_with_what_the_parent_has(context: Context) -> None:
    api = sdk.connect(context.url)
    source = sdk.new_database(api, name="source", expires_at="7d")
    sdk.load_csv(api, source.id, "t", "id,content\n1,quiet garden\n2,busy street\n")
    index = models.CreateIndexRequest(index_name="words", columns=["content"], index_type="bm25")
    hotdata.IndexesApi(api).create_index(source.default_connection_id, "public", "t", index)
    fork = hotdata.DatabasesApi(api).fork_database(source.id, models.ForkDatabaseRequest())
    equal(fork.expires_at, source.expires_at)
    holds(fork.default_connection_id != source.default_connection_id, fork)
    sql = "SELECT id FROM bm25_search('default.public.t', 'content', 'garden', 3)"
    equal(sdk.rows(api, fork.id, sql), [[1]])
    hotdata.DatabasesApi(api).delete_database(source.id)
    equal(sdk.rows(api, fork.id, sql), [[1]])
    own = hotdata.DatabasesApi(api).fork_database(fork.id, models.ForkDatabaseRequest(expires_at="24h"))
    holds(own.expires_at < fork.expires_at, own)


@SUITE.case("DatabasesApi.attach_database_catalog, detach_database_catalog")
def attaches_a_source(context: Context) -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "drivers.csv").write_text("driverId,surname\n44,Hamilton\n33,Verstappen\n")
    api = sdk.connect(context.engines.with_flags("--attach", f"f1={folder}"))
    databases = hotdata.DatabasesApi(api)
    source = next(one for one in hotdata.ConnectionsApi(api).list_connections().connections if one.name == "f1")
    created = sdk.new_database(api)
    request = models.AttachDatabaseCatalogRequest(connection_id=source.id, alias="racing")
    databases.attach_database_catalog(created.id, request)
    attachments = databases.get_database(created.id).attachments
    equal([(one.connection_id, one.alias) for one in attachments], [(source.id, "racing")])
    sql = "SELECT surname FROM racing.public.drivers ORDER BY driverid"
    equal(sdk.rows(api, created.id, sql), [["Verstappen"], ["Hamilton"]])
    error = raises(hotdata.ApiException, lambda: databases.attach_database_catalog(created.id, request))
    equal(error.status, 409)
    for id, connection in (("nosuch", source.id), (created.id, "nosuch")):
        unknown = models.AttachDatabaseCatalogRequest(connection_id=connection)
        error = raises(
            hotdata.ApiException,
            lambda id=id, unknown=unknown: databases.attach_database_catalog(id, unknown),
        )
        equal(sdk.refusal(error)[:2], (404, "NOT_FOUND"))
    databases.detach_database_catalog(created.id, source.id)
    error = raises(hotdata.ApiException, lambda: sdk.rows(api, created.id, sql))
    equal(error.status, 400)
    error = raises(hotdata.ApiException, lambda: databases.detach_database_catalog(created.id, source.id))
    equal(error.status, 404)


@SUITE.case("DatabasesApi.attach_database_catalog (another database's own connection)")
def refuses_another_database(context: Context) -> None:
    api = sdk.connect(context.url)
    one, other = sdk.new_database(api), sdk.new_database(api)
    request = models.AttachDatabaseCatalogRequest(connection_id=one.default_connection_id, alias="one")
    error = raises(
        hotdata.ApiException, lambda: hotdata.DatabasesApi(api).attach_database_catalog(other.id, request)
    )
    message = f"Connection '{one.default_connection_id}' is scoped to another database and cannot be attached here"
    holds(message in sdk.refusal(error)[2], error.body)
