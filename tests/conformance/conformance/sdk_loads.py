"""Loads: every mode, every source, every format."""

from __future__ import annotations

import json
import uuid
from decimal import Decimal

import hotdata
import pyarrow as pa
from hotdata import models

from conformance import samples, sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)

ALL = "SELECT id, name, score FROM people ORDER BY id"


def people_database(api: hotdata.ApiClient) -> str:
    """A database whose table `people`, keyed on `id`, holds Ada and Bob."""
    table = models.DatabaseDefaultTableDecl(name="people", key=["id"])
    schema = models.DatabaseDefaultSchemaDecl(name="public", tables=[table])
    database = sdk.new_database(api, schemas=[schema]).id
    load_people(api, database, "replace", (1, "Ada", 9.5), (2, "Bob", 5.0))
    return database


def load_people(api: hotdata.ApiClient, database: str, mode: str, *rows: tuple[int, str, float], **fields: object):
    upload_id = sdk.upload(api, samples.parquet_bytes(samples.people(*rows)))
    return sdk.load(api, database, "people", mode=mode, upload_id=upload_id, **fields)


@SUITE.case("load_database_table(mode=replace, upload_id of Parquet)")
def replaces(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    loaded = load_people(api, database, "replace", (3, "Cy", 1.25))
    equal((loaded.schema_name, loaded.table_name, loaded.row_count), ("public", "people", 1))
    fields = [one["name"] for one in json.loads(loaded.arrow_schema_json)["fields"]]
    equal(fields, ["id", "name", "score"])
    equal(sdk.rows(api, database, ALL), [[3, "Cy", 1.25]])


@SUITE.case("load_database_table(mode=append)")
def appends(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    load_people(api, database, "append", (2, "Bob", 5.0))
    equal(sdk.rows(api, database, ALL), [[1, "Ada", 9.5], [2, "Bob", 5.0], [2, "Bob", 5.0]])


@SUITE.case("load_database_table(mode=append) without one of the table's columns")
def refuses_a_partial_append(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    error = raises(hotdata.ApiException, lambda: sdk.load_csv(api, database, "people", "id,name\n3,Cy\n", mode="append"))
    status, _, message = sdk.refusal(error)
    equal(status, 400)
    holds("score" in message, message)
    equal(len(sdk.rows(api, database, ALL)), 2)


@SUITE.case("load_database_table(mode=append) with a column the table does not have")
def appends_a_column(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    sdk.load_csv(api, database, "t", "id\n1\n")
    sdk.load_csv(api, database, "t", "id,name\n2,Bob\n", mode="append")
    equal(sdk.rows(api, database, "SELECT id, name FROM t ORDER BY id"), [[1, None], [2, "Bob"]])


@SUITE.case("load_database_table(mode=upsert, key=…) into a table created without a key")
def upserts_by_a_given_key(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    sdk.load_csv(api, database, "t", "a,b,v\n1,1,x\n1,2,y\n")
    sdk.load_csv(api, database, "t", "a,b,v\n1,2,Y\n2,1,z\n", mode="upsert", key=["a", "b"])
    equal(sdk.rows(api, database, "SELECT a, b, v FROM t ORDER BY a, b"), [[1, 1, "x"], [1, 2, "Y"], [2, 1, "z"]])


@SUITE.case("load_database_table(mode=upsert)")
def upserts(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    load_people(api, database, "upsert", (2, "Bo", 6.0), (3, "Cy", 1.0))
    equal(sdk.rows(api, database, ALL), [[1, "Ada", 9.5], [2, "Bo", 6.0], [3, "Cy", 1.0]])


@SUITE.case("load_database_table(mode=update)")
def updates(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    load_people(api, database, "update", (2, "Bo", 6.0), (3, "Cy", 1.0))
    equal(sdk.rows(api, database, ALL), [[1, "Ada", 9.5], [2, "Bo", 6.0]])


@SUITE.case("load_database_table(mode=delete)")
def deletes(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    sdk.load_csv(api, database, "people", "id\n2\n7\n", mode="delete")
    equal(sdk.rows(api, database, ALL), [[1, "Ada", 9.5]])


@SUITE.case("load_database_table (keyed mode, no key)")
def refuses_a_keyless_upsert(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    sdk.load_csv(api, database, "t", "id,n\n1,1\n")
    error = raises(hotdata.ApiException, lambda: sdk.load_csv(api, database, "t", "id,n\n1,2\n", mode="upsert"))
    status, _, message = sdk.refusal(error)
    equal(status, 400)
    holds("key" in message, message)


@SUITE.case("load_database_table(data=CSV, columns=…)")
def loads_typed_csv(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    types = {"Code": "VARCHAR", "price": "DECIMAL(10,2)", "n": "BIGINT", "day": "DATE"}
    columns = {name: models.ColumnDefinition(kind) for name, kind in types.items()}
    sdk.load_csv(api, database, "t", "Code,price,n,day\n007,1.50,,2026-08-12\n", columns=columns)
    sql = "SELECT code, price, n, day, arrow_typeof(price) AS t FROM t"
    equal(sdk.rows(api, database, sql), [["007", 1.5, None, "2026-08-12", "Decimal128(10, 2)"]])


@SUITE.case("load_database_table(upload_id of CSV, of NDJSON)")
def loads_uploaded_text(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    sdk.load(api, database, "a", upload_id=sdk.upload(api, b"id,name\n1,Ada\n2,\n"), format="csv")
    equal(sdk.rows(api, database, "SELECT id, name FROM a ORDER BY id"), [[1, "Ada"], [2, None]])
    lines = b'{"id": 1, "tags": ["x", "y"]}\n{"id": 2, "tags": null}\n'
    sdk.load(api, database, "b", upload_id=sdk.upload(api, lines), format="json")
    equal(sdk.rows(api, database, "SELECT id, tags FROM b ORDER BY id"), [[1, ["x", "y"]], [2, None]])


@SUITE.case("load_database_table (types of Parquet)")
def keeps_parquet_types(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    table = pa.table(
        {
            "big": pa.array([9007199254740993], pa.int64()),
            "money": pa.array([Decimal("12.30")], pa.decimal128(10, 2)),
            "at": pa.array([1_700_000_000_000_000], pa.timestamp("us")),
            "flag": pa.array([True]),
            "vector": pa.array([[0.5, 1.0]], pa.list_(pa.float32())),
        }
    )
    sdk.load(api, database, "t", upload_id=sdk.upload(api, samples.parquet_bytes(table)))
    equal(sdk.rows(api, database, "SELECT * FROM t"), [[9007199254740993, 12.3, "2023-11-14T22:13:20", True, [0.5, 1.0]]])


@SUITE.case("load_database_table(result_id=…)")
def loads_a_result(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    request = models.QueryRequest(sql="SELECT name, score * 2 AS double FROM people")
    result_id = hotdata.QueryApi(api).query(request, x_database_id=database).result_id
    # Never a job, even when one is asked for.
    for more in ({}, {"var_async": True}):
        equal(sdk.load(api, database, "doubled", result_id=result_id, **more).row_count, 2)
    equal(sdk.rows(api, database, "SELECT double FROM doubled ORDER BY double"), [[10.0], [19.0]])


@SUITE.case("load_database_table(idempotency_key=…)")
def replays_a_keyed_load(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    key = uuid.uuid4().hex
    for _ in range(2):
        sdk.load_csv(api, database, "t", "id\n1\n", mode="append", idempotency_key=key)
    equal(sdk.rows(api, database, "SELECT id FROM t"), [[1]])
    error = raises(
        hotdata.ApiException,
        lambda: sdk.load_csv(api, database, "t", "id\n2\n", mode="append", idempotency_key=key),
    )
    equal(sdk.refusal(error)[:2], (409, "IDEMPOTENCY_KEY_CONFLICT"))


@SUITE.case("load_database_table, the same upload twice")
def replays_an_upload(context: Context) -> None:
    api = sdk.connect(context.url)
    database = people_database(api)
    upload_id = sdk.upload(api, samples.parquet_bytes(samples.people((3, "Cy", 1.0))))
    for _ in range(2):
        sdk.load(api, database, "people", mode="append", upload_id=upload_id)
    equal(len(sdk.rows(api, database, ALL)), 3)


@SUITE.case("load_database_table(async) → JobsApi.get_job")
def loads_as_a_job(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    submitted = sdk.load_csv(api, database, "t", "id\n1\n2\n", var_async=True)
    holds(isinstance(submitted, models.SubmitJobResponse), submitted)
    job = sdk.finished_job(api, submitted.id)
    equal(job.status.value, "succeeded")
    equal(job.result.actual_instance.row_count, 2)


@SUITE.case("load_database_table(async, async_after_ms) done in time")
def loads_within_the_wait(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    loaded = sdk.load_csv(api, database, "t", "id\n1\n2\n", var_async=True, async_after_ms=60_000)
    holds(isinstance(loaded, models.LoadManagedTableResponse), loaded)
    equal(loaded.row_count, 2)


@SUITE.case("load_database_table(async) that fails")
def fails_as_a_job(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    upload_id = sdk.upload(api, b"not parquet at all")
    submitted = sdk.load(api, database, "t", upload_id=upload_id, format="parquet", var_async=True)
    job = sdk.finished_job(api, submitted.id)
    equal(job.status.value, "failed")
    holds("arquet" in job.error_message, job.error_message)
    error = raises(hotdata.ApiException, lambda: sdk.rows(api, database, "SELECT * FROM t"))
    equal(error.status, 400)


@SUITE.case("load_database_table (no source, two sources, too large)")
def refuses_bad_requests(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    error = raises(hotdata.ApiException, lambda: sdk.load(api, database, "t"))
    equal(sdk.refusal(error)[0], 400)
    error = raises(hotdata.ApiException, lambda: sdk.load_csv(api, database, "t", "id\n1\n", upload_id="x"))
    equal(sdk.refusal(error)[0], 400)
    large = "id\n" + "1234567\n" * 300_000
    error = raises(hotdata.ApiException, lambda: sdk.load_csv(api, database, "t", large))
    equal(sdk.refusal(error)[:2], (413, "INLINE_DATA_TOO_LARGE"))
