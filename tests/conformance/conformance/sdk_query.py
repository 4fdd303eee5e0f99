"""POST /v1/query and the runs it leaves."""

from __future__ import annotations

import threading
import time

import hotdata
from hotdata import models
from hotdata.query import QueryApi, ResultTooLargeError, RetryPolicy, ServerOverloadedError

from conformance import sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)

SERIES = "SELECT value AS n FROM generate_series(1, 2500) ORDER BY value"


def finished_run(api: hotdata.ApiClient, run_id: str, database_id: str) -> models.QueryRunInfo:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        run = hotdata.QueryRunsApi(api).get_query_run(run_id, x_database_id=database_id)
        if run.status in ("succeeded", "failed", "interrupted"):
            return run
        time.sleep(0.05)
    raise TimeoutError(run_id)


@SUITE.case("QueryApi.query (header scope)")
def answers_rows(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.papers_id(api)
    sql = "SELECT id, title, NULL AS nothing, 1.5 AS half, id > 0 AS more FROM papers ORDER BY id LIMIT 2"
    answer = QueryApi(api).query(models.QueryRequest(sql=sql), x_database_id=database)
    equal(answer.columns, ["id", "title", "nothing", "half", "more"])
    equal([row[0] for row in answer.rows], [0, 1])
    equal(answer.rows[0][2:], [None, 1.5, False])
    equal((answer.row_count, answer.preview_row_count, answer.total_row_count), (2, 2, 2))
    equal((answer.truncated, answer.warning), (False, None))
    equal(len(answer.nullable), 5)
    holds(answer.query_run_id and answer.result_id and answer.execution_time_ms >= 0, answer)


@SUITE.case("QueryApi.query (database_id in the body)")
def takes_the_scope_from_the_body(context: Context) -> None:
    api = sdk.connect(context.url)
    request = models.QueryRequest(sql="SELECT COUNT(id) AS n FROM papers", database_id=sdk.papers_id(api))
    equal(QueryApi(api).query(request).rows, [[314]])


@SUITE.case("QueryApi.query (no scope, unknown scope)")
def refuses_a_missing_scope(context: Context) -> None:
    api = sdk.connect(context.url)
    request = models.QueryRequest(sql="SELECT 1")
    error = raises(hotdata.ApiException, lambda: QueryApi(api).query(request))
    equal(
        sdk.refusal(error),
        (400, "BAD_REQUEST", "a database is required: set the X-Database-Id header or the database_id body field"),
    )
    gone = sdk.new_database(api)
    hotdata.DatabasesApi(api).delete_database(gone.id)
    error = raises(hotdata.ApiException, lambda: QueryApi(api).query(request, x_database_id=gone.id))
    equal(sdk.refusal(error)[:2], (404, "NOT_FOUND"))


@SUITE.case("QueryApi.query (a statement that fails)")
def carries_the_engines_message(context: Context) -> None:
    api = sdk.connect(context.url)
    error = raises(hotdata.ApiException, lambda: sdk.rows(api, sdk.papers_id(api), "SELECT date_sub(now(), 6)"))
    status, _, message = sdk.refusal(error)
    equal((status, error.reason), (400, "Bad Request"))
    holds("Invalid function 'date_sub'." in message and "Did you mean 'date_bin'?" in message, message)


@SUITE.case("QueryApi.query (numbers beyond 53 bits)")
def keeps_every_digit(context: Context) -> None:
    api = sdk.connect(context.url)
    sql = "SELECT 9007199254740993 AS a, -9223372036854775808 AS b, 18446744073709551615 AS c, CAST('NaN' AS DOUBLE) AS d"
    equal(sdk.rows(api, sdk.papers_id(api), sql), [[9007199254740993, -9223372036854775808, 18446744073709551615, None]])


@SUITE.case("QueryApi.query (writes)")
def refuses_writes(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api)
    sdk.load_csv(api, database.id, "t", "id\n1\n")
    for sql in (
        "INSERT INTO t VALUES (2)",
        "CREATE TABLE u AS SELECT 1 AS a",
        "SELECT * INTO u FROM t",
        "DROP TABLE t",
        "COPY (SELECT 1) TO '/tmp/conformance.csv'",
        "SELECT 1; SELECT 2",
    ):
        error = raises(hotdata.ApiException, lambda sql=sql: sdk.rows(api, database.id, sql))
        equal(error.status, 400)
    equal(sdk.rows(api, database.id, "SELECT id FROM t"), [[1]])


@SUITE.case("QueryApi.query(async) → get_query_run → wait_for_result → get_result")
def runs_asynchronously(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.papers_id(api)
    request = models.QueryRequest(sql="SELECT COUNT(id) AS n FROM papers", var_async=True)
    submitted = QueryApi(api).query(request, x_database_id=database)
    holds(isinstance(submitted, models.AsyncQueryResponse), submitted)
    holds(submitted.query_run_id in submitted.status_url, submitted.status_url)
    run = finished_run(api, submitted.query_run_id, database)
    equal((run.status, run.row_count, run.sql_text), ("succeeded", 1, request.sql))
    equal(QueryApi(api).wait_for_result(run.result_id, database).status, "ready")
    result = hotdata.ResultsApi(api).get_result(run.result_id, x_database_id=database)
    equal((result.columns, result.rows), (["n"], [[314]]))


@SUITE.case("QueryApi.query(async) of a statement that fails")
def fails_asynchronously(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.papers_id(api)
    request = models.QueryRequest(sql="SELECT CAST(title AS INT) FROM papers", var_async=True)
    submitted = QueryApi(api).query(request, x_database_id=database)
    run = finished_run(api, submitted.query_run_id, database)
    equal(run.status, "failed")
    holds("Cannot cast string" in run.error_message, run.error_message)


@SUITE.case("QueryApi.query answered 202 without being asked")
def falls_back_to_async(context: Context) -> None:
    api = sdk.connect(context.engines.with_flags("--async-after-ms", "0"))
    database = sdk.new_database(api).id
    submitted = QueryApi(api).query(models.QueryRequest(sql=SERIES), x_database_id=database)
    holds(isinstance(submitted, models.AsyncQueryResponse), submitted)
    run = finished_run(api, submitted.query_run_id, database)
    equal((run.status, run.row_count), ("succeeded", 2500))


@SUITE.case("QueryApi.query(default_catalog, default_schema, dialect)")
def takes_defaults_and_dialects(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    sdk.load(api, database, "t", schema="sales", data="id\n7\n")
    fields = {"sql": "SELECT id FROM t", "default_catalog": "default", "default_schema": "sales"}
    for dialect in ("hotsql", "duckdb", "postgres", "snowflake"):
        request = models.QueryRequest(dialect=dialect, **fields)
        equal(QueryApi(api).query(request, x_database_id=database).rows, [[7]])
    request = models.QueryRequest(**{**fields, "default_schema": "nosuch"})
    error = raises(hotdata.ApiException, lambda: QueryApi(api).query(request, x_database_id=database))
    holds("not found" in sdk.refusal(error)[2], error.body)


@SUITE.case("QueryRunsApi.get_query_run (unknown, another database's)")
def refuses_a_foreign_run(context: Context) -> None:
    api = sdk.connect(context.url)
    database, other = sdk.new_database(api).id, sdk.new_database(api).id
    run = QueryApi(api).query(models.QueryRequest(sql="SELECT 1 AS n"), x_database_id=database).query_run_id
    runs = hotdata.QueryRunsApi(api)
    equal(runs.get_query_run(run, x_database_id=database).status, "succeeded")
    for id, scope in (("nosuch", database), (run, other)):
        error = raises(hotdata.ApiException, lambda id=id, scope=scope: runs.get_query_run(id, x_database_id=scope))
        equal(sdk.refusal(error)[:2], (404, "NOT_FOUND"))


@SUITE.case("QueryRunsApi.list_query_runs(limit, cursor, status)")
def lists_runs(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    for at in range(3):
        sdk.rows(api, database, f"SELECT {at} AS n")
    raises(hotdata.ApiException, lambda: sdk.rows(api, database, "SELECT nosuch"))
    runs = hotdata.QueryRunsApi(api)
    listed = runs.list_query_runs(database, status="succeeded").query_runs
    equal([one.sql_text for one in listed], ["SELECT 2 AS n", "SELECT 1 AS n", "SELECT 0 AS n"])
    equal([one.status for one in runs.list_query_runs(database, status="failed").query_runs], ["failed"])
    first = runs.list_query_runs(database, limit=2)
    equal((len(first.query_runs), first.has_more), (2, True))
    rest = runs.list_query_runs(database, limit=2, cursor=first.next_cursor)
    equal((len(rest.query_runs), rest.has_more), (2, False))
    equal(len({one.id for one in first.query_runs + rest.query_runs}), 4)


@SUITE.case("QueryApi.query, truncated, followed to the whole result")
def follows_a_truncated_answer(context: Context) -> None:
    flags = ("--inline-rows", "100", "--result-delay-ms", "300")
    api = sdk.connect(context.engines.with_flags(*flags))
    database = sdk.new_database(api).id
    request = models.QueryRequest(sql=SERIES)
    preview = QueryApi(api).query(request, x_database_id=database, auto_follow=False)
    equal((preview.truncated, preview.preview_row_count, len(preview.rows)), (True, 100, 100))
    whole = QueryApi(api).query(request, x_database_id=database)
    equal(sorted(row[0] for row in whole.rows), list(range(1, 2501)))
    equal((whole.truncated, whole.total_row_count), (True, 2500))
    raises(ResultTooLargeError, lambda: QueryApi(api, max_auto_rows=2000).query(request, x_database_id=database))


@SUITE.case("QueryApi.query shed with 429, retried")
def retries_when_shed(context: Context) -> None:
    api = sdk.connect(context.engines.with_flags("--max-queries", "1"))
    database = sdk.new_database(api).id
    slow = (
        "SELECT SUM(sqrt(a.value * b.value)) AS s FROM generate_series(1, 30000) a CROSS JOIN generate_series(1, 3000) b"
    )
    began = threading.Event()

    def occupy() -> None:
        began.set()
        sdk.rows(sdk.connect(api.configuration.host), database, slow)

    busy = threading.Thread(target=occupy)
    busy.start()
    began.wait()
    time.sleep(0.3)
    request = models.QueryRequest(sql="SELECT 1 AS one")
    impatient = QueryApi(api, retry=RetryPolicy(max_retries=0))
    error = raises(ServerOverloadedError, lambda: impatient.query(request, x_database_id=database))
    equal(sdk.refusal(error)[1], "OVERLOADED")
    holds(int(error.headers["Retry-After"]) >= 1, error.headers)
    patient = QueryApi(api, retry=RetryPolicy(max_retries=50, deadline_s=60))
    equal(patient.query(request, x_database_id=database).rows, [[1]])
    busy.join()
