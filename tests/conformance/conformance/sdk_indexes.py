"""Indexes and the jobs that build them."""

from __future__ import annotations

import hotdata
from hotdata import models

from conformance import samples, sdk
from conformance.recorder import Context, Suite, close, equal, holds, raises

SUITE = Suite(sdk.CLIENT)


def notes_database(api: hotdata.ApiClient) -> models.CreateDatabaseResponse:
    database = sdk.new_database(api)
    sdk.load(api, database.id, "notes", upload_id=sdk.upload(api, samples.parquet_bytes(samples.notes())))
    return database


def create(api: hotdata.ApiClient, database: models.CreateDatabaseResponse, **fields: object):
    request = models.CreateIndexRequest(**fields)
    return hotdata.IndexesApi(api).create_index(database.default_connection_id, "public", "notes", request)


def listed(api: hotdata.ApiClient, database: models.CreateDatabaseResponse) -> list[models.IndexInfoResponse]:
    return hotdata.IndexesApi(api).list_indexes(database.default_connection_id, "public", "notes").indexes


@SUITE.case("IndexesApi.create_index(bm25), list_indexes → bm25_search")
def builds_a_text_index(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    built = create(api, database, index_name="notes_text", columns=["content"], index_type="bm25")
    holds(isinstance(built, models.IndexInfoResponse), built)
    equal((built.index_name, built.index_type, built.columns, built.status.value), ("notes_text", "bm25", ["content"], "ready"))
    equal([one.index_name for one in listed(api, database)], ["notes_text"])
    sql = "SELECT id FROM bm25_search('default.public.notes', 'content', 'quiet garden', 3) ORDER BY score DESC LIMIT 1"
    equal(sdk.rows(api, database.id, sql), [[0]])


@SUITE.case("IndexesApi.create_index(vector, metric=…) → distance query")
def builds_plain_vector_indexes(context: Context) -> None:
    api = sdk.connect(context.url)
    cases = {
        "cosine": ("cosine_distance", [0, 4, 2], 0.0),
        "l2": ("l2_distance", [0, 4, 2], 0.0),
        "dot": ("negative_dot_product", [0, 4, 2], -1.0),
    }
    for metric, (function, ids, first) in cases.items():
        database = notes_database(api)
        built = create(api, database, index_name="v", columns=["embedding"], index_type="vector", metric=metric)
        equal((built.metric, built.source_column), (metric, None))
        sql = (
            f"SELECT id, {function}(embedding, ARRAY[1.0, 0.0, 0.0]) AS d FROM default.public.notes "
            "ORDER BY d ASC LIMIT 3"
        )
        found = sdk.rows(api, database.id, sql)
        equal([row[0] for row in found], ids)
        close(found[0][1], first)
        plan = "\n".join(str(row[1]) for row in sdk.rows(api, database.id, f"EXPLAIN {sql}"))
        holds("USearchExec: table=default::public::notes::embedding, k=3, filtered=false" in plan, plan)


@SUITE.case("IndexesApi.create_index(vector) without a metric")
def defaults_to_l2(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    equal(create(api, database, index_name="v", columns=["embedding"], index_type="vector").metric, "l2")


@SUITE.case("IndexesApi.create_index(vector, embedding_provider_id) → vector_search")
def builds_a_provider_backed_index(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    built = create(
        api,
        database,
        index_name="v",
        columns=["content"],
        index_type="vector",
        metric="cosine",
        embedding_provider_id="sys_emb_local",
    )
    equal((built.columns, built.source_column), (["content_embedding"], "content"))
    sql = "SELECT id FROM vector_search('default.public.notes', 'content', 'a quiet garden with old plants', 2) ORDER BY _distance"
    equal(sdk.rows(api, database.id, sql)[0], [0])


@SUITE.case("IndexesApi.create_index(async) → JobsApi.get_job")
def builds_as_a_job(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    submitted = create(api, database, index_name="t", columns=["content"], index_type="bm25", var_async=True)
    holds(isinstance(submitted, models.SubmitJobResponse), submitted)
    equal(submitted.status.value, "pending")
    job = sdk.finished_job(api, submitted.id)
    equal((job.status.value, job.error_message), ("succeeded", None))
    equal(job.result.actual_instance.index_name, "t")


@SUITE.case("IndexesApi.create_index(async, async_after_ms) done in time")
def builds_within_the_wait(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    built = create(
        api, database, index_name="t", columns=["content"], index_type="bm25", var_async=True, async_after_ms=60_000
    )
    holds(isinstance(built, models.IndexInfoResponse), built)


@SUITE.case("IndexesApi.create_index(sorted)")
def builds_a_sorted_index(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    equal(create(api, database, index_name="by_id", columns=["id"]).index_type, "sorted")


@SUITE.case("IndexesApi.create_index (sorted_by, no data, a second vector index, beside an embedding-backed one)")
def refuses_what_cannot_stand_together(context: Context) -> None:
    api = sdk.connect(context.url)
    laid_out = models.DatabaseDefaultTableDecl(name="notes", sorted_by=[models.TableSortKey(column="id")])
    schema = models.DatabaseDefaultSchemaDecl(name="public", tables=[laid_out])
    sorted_by = sdk.new_database(api, schemas=[schema])
    sdk.load_csv(api, sorted_by.id, "notes", "id,content\n1,a\n")
    declared = models.DatabaseDefaultTableDecl(name="notes")
    empty = sdk.new_database(api, schemas=[models.DatabaseDefaultSchemaDecl(name="public", tables=[declared])])
    plain, embedded = notes_database(api), notes_database(api)
    create(api, plain, index_name="v", columns=["embedding"], index_type="vector")
    create(api, embedded, index_name="v", columns=["content"], index_type="vector", embedding_provider_id="sys_emb_local")
    text = {"index_name": "t", "columns": ["content"], "index_type": "bm25"}
    second = {"index_name": "w", "columns": ["embedding"], "index_type": "vector", "metric": "cosine"}
    for database, fields in ((sorted_by, text), (empty, text), (plain, second), (embedded, text)):
        for more in ({}, {"var_async": True}):
            error = raises(
                hotdata.ApiException,
                lambda database=database, fields=fields, more=more: create(api, database, **fields, **more),
            )
            equal(sdk.refusal(error)[:2], (400, "BAD_REQUEST"))


@SUITE.case("IndexesApi.delete_index (embedding-backed: its column stays and can be left out)")
def keeps_the_generated_column(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    fields = {"index_name": "v", "columns": ["content"], "index_type": "vector", "embedding_provider_id": "sys_emb_local"}
    create(api, database, **fields)
    hotdata.IndexesApi(api).delete_index(database.default_connection_id, "public", "notes", "v")
    upload_id = sdk.upload(api, samples.parquet_bytes(samples.notes()))
    sdk.load(api, database.id, "notes", mode="append", upload_id=upload_id)
    sql = "SELECT COUNT(*) AS n FROM notes WHERE content_embedding IS NULL"
    equal(sdk.rows(api, database.id, sql), [[len(samples.NOTES)]])
    equal(create(api, database, **fields).columns, ["content_embedding"])
    equal(sdk.rows(api, database.id, sql), [[0]])


@SUITE.case("IndexesApi.create_index refused")
def refuses(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    create(api, database, index_name="t", columns=["content"], index_type="bm25")
    for fields in (
        {"index_name": "t", "columns": ["content"], "index_type": "bm25"},
        {"index_name": "x", "columns": ["nosuch"], "index_type": "bm25"},
        {"index_name": "x", "columns": ["content"], "index_type": "vector", "embedding_provider_id": "nosuch"},
    ):
        error = raises(hotdata.ApiException, lambda fields=fields: create(api, database, **fields))
        holds(400 <= error.status < 500 and sdk.refusal(error)[2], (fields, error.status))
    equal([one.index_name for one in listed(api, database)], ["t"])


@SUITE.case("IndexesApi.delete_index")
def drops(context: Context) -> None:
    api = sdk.connect(context.url)
    database = notes_database(api)
    create(api, database, index_name="t", columns=["content"], index_type="bm25")
    indexes = hotdata.IndexesApi(api)
    indexes.delete_index(database.default_connection_id, "public", "notes", "t")
    equal(listed(api, database), [])
    sql = "SELECT id FROM bm25_search('default.public.notes', 'content', 'quiet', 3)"
    error = raises(hotdata.ApiException, lambda: sdk.rows(api, database.id, sql))
    holds("No BM25 index found on column 'content' for" in sdk.refusal(error)[2], error.body)
    error = raises(
        hotdata.ApiException,
        lambda: indexes.delete_index(database.default_connection_id, "public", "notes", "t"),
    )
    equal(error.status, 404)


@SUITE.case("IndexesApi.list_indexes_collection")
def lists_a_databases_indexes(context: Context) -> None:
    api = sdk.connect(context.url)
    listed_all = hotdata.IndexesApi(api).list_indexes_collection(sdk.papers_id(api))
    found = {(one.table_name, one.index_type, one.source_column) for one in listed_all.indexes}
    filtered = hotdata.IndexesApi(api).list_indexes_collection(
        sdk.papers_id(api), var_schema="public", table="papers", index_type="bm25", limit=1
    )
    equal([(one.table_name, one.index_type) for one in filtered.indexes], [("papers", "bm25")])
    equal(found, {("papers", "bm25", None), ("papers", "vector", None), ("papers_semantic", "vector", "content")})
