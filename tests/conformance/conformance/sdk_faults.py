"""What the client does when the service, a gateway or the network fails."""

from __future__ import annotations

import importlib.util
import uuid

import hotdata
import urllib3
from hotdata import models
from hotdata.query import PollPolicy, QueryApi, ResultFailedError, RetryPolicy, ServerOverloadedError
from hotdata.uploads import MIB, FinalizeError, UploadsApi

from conformance import sdk
from conformance.faults import Faults
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)

#: Loads that meet a busy table are sent again from 0.12 on.
RETRIES_LOADS = importlib.util.find_spec("hotdata.loads") is not None

QUERY = "/v1/query"
LOADS = "*/loads"


def start(context: Context) -> tuple[Faults, hotdata.ApiClient, str]:
    """Faults for a client of its own, and a database whose table `t` has one row."""
    faults = Faults(context)
    api = sdk.connect(faults.url, faults.key)
    database = sdk.new_database(api).id
    sdk.load_csv(api, database, "t", "id\n1\n")
    faults.forget_requests()
    return faults, api, database


def count(api: hotdata.ApiClient, database: str) -> int:
    return sdk.rows(api, database, "SELECT COUNT(id) AS n FROM t")[0][0]


def ask(api: hotdata.ApiClient, database: str, **policies: object):
    request = models.QueryRequest(sql="SELECT id FROM t")
    return QueryApi(api, **policies).query(request, x_database_id=database)


@SUITE.case("QueryApi.query, 429 twice, then answered")
def retries_overload(context: Context) -> None:
    faults, api, database = start(context)
    rule = faults.add("POST", QUERY, "error", status=429, retry_after="0", times=2)
    equal(ask(api, database).rows, [[1]])
    equal(faults.fired(rule), 2)
    equal(faults.requests("POST", QUERY), [("error", False), ("error", False), (None, True)])


@SUITE.case("QueryApi.query, 429 without Retry-After, to the end of the retries")
def gives_up_on_overload(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", QUERY, "error", status=429, times="always")
    policy = RetryPolicy(max_retries=2, base_backoff_s=0.01)
    error = raises(ServerOverloadedError, lambda: ask(api, database, retry=policy))
    equal((error.attempts, sdk.refusal(error)[1]), (3, "OVERLOADED"))


@SUITE.case("QueryApi.query, 503 with Retry-After: not sent again")
def reports_unavailable(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", QUERY, "error", status=503, retry_after="0")
    error = raises(hotdata.ApiException, lambda: ask(api, database))
    equal(sdk.refusal(error)[:2], (503, "PERSISTENCE_UNAVAILABLE"))
    equal(error.headers["Retry-After"], "0")
    equal(len(faults.requests("POST", QUERY)), 1)


@SUITE.case("load_database_table, 409 RESOURCE_LOCKED twice, then loaded", offered=RETRIES_LOADS)
def retries_a_busy_table(context: Context) -> None:
    faults, api, database = start(context)
    rule = faults.add("POST", LOADS, "error", status=409, retry_after="0", times=2)
    sdk.load_csv(api, database, "t", "id\n2\n", mode="append")
    equal((faults.fired(rule), count(api, database)), (2, 2))


@SUITE.case("load_database_table, 409 IDEMPOTENCY_KEY_CONFLICT: not sent again")
def reports_a_conflict(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", LOADS, "error", status=409, code="IDEMPOTENCY_KEY_CONFLICT", retry_after="0")
    error = raises(hotdata.ApiException, lambda: sdk.load_csv(api, database, "t", "id\n2\n", mode="append"))
    equal(sdk.refusal(error)[1], "IDEMPOTENCY_KEY_CONFLICT")
    equal((len(faults.requests("POST", "/loads")), count(api, database)), (1, 1))


@SUITE.case("load_database_table, reset before it was applied: sent again")
def retries_a_reset(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", LOADS, "reset")
    sdk.load_csv(api, database, "t", "id\n2\n", mode="append")
    equal(faults.requests("POST", "/loads"), [("reset", False), (None, True)])
    equal(count(api, database), 2)


@SUITE.case("load_database_table(idempotency_key), reset after it was applied: loaded once")
def replays_after_a_reset(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", LOADS, "reset", apply=True)
    loaded = sdk.load_csv(api, database, "t", "id\n2\n", mode="append", idempotency_key=uuid.uuid4().hex)
    equal(faults.requests("POST", "/loads"), [("reset", True), (None, True)])
    equal((loaded.row_count, count(api, database)), (2, 2))


@SUITE.case("load_database_table without a key, reset after it was applied: loaded twice by the client's retry")
def doubles_after_a_reset(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", LOADS, "reset", apply=True)
    sdk.load_csv(api, database, "t", "id\n2\n", mode="append")
    equal(faults.requests("POST", "/loads"), [("reset", True), (None, True)])
    equal(count(api, database), 3)


@SUITE.case("load_database_table(upload_id), reset after it was applied: loaded once")
def replays_an_upload_after_a_reset(context: Context) -> None:
    faults, api, database = start(context)
    upload_id = sdk.upload(api, b"id\n2\n")
    faults.add("POST", LOADS, "reset", apply=True)
    loaded = sdk.load(api, database, "t", mode="append", upload_id=upload_id, format="csv")
    equal((loaded.row_count, count(api, database)), (2, 2))


@SUITE.case("load_database_table(idempotency_key), 503 after it was applied, sent again by the caller")
def replays_after_an_error(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", LOADS, "error", status=503, apply=True)
    key = uuid.uuid4().hex

    def load() -> models.LoadManagedTableResponse:
        return sdk.load_csv(api, database, "t", "id\n2\n", mode="append", idempotency_key=key)

    equal(raises(hotdata.ApiException, load).status, 503)
    equal((load().row_count, count(api, database)), (2, 2))


@SUITE.case("QueryApi.query, an answer that breaks off")
def reports_a_broken_answer(context: Context) -> None:
    faults, api, database = start(context)
    for fault in ("reset-mid-body", "truncated-body"):
        faults.add("POST", QUERY, fault)
        raises(urllib3.exceptions.HTTPError, lambda: ask(api, database))
        equal(ask(api, database).rows, [[1]])
    equal(len(faults.requests("POST", QUERY)), 4)


@SUITE.case("QueryApi.query, a gateway's page, half a JSON text, no body, plain text")
def reports_an_answer_of_another_shape(context: Context) -> None:
    faults, api, database = start(context)
    cases: list[tuple[str, dict[str, object]]] = [
        ("html", {}),
        ("html", {"status": 200}),
        ("cut-json", {}),
        ("empty", {}),
        ("text", {}),
    ]
    for fault, fields in cases:
        faults.add("POST", QUERY, fault, **fields)
        # Which exception it is differs; that no rows come of it does not.
        raises(Exception, lambda: ask(api, database))
        equal(ask(api, database).rows, [[1]])


@SUITE.case("QueryApi.query, a slow answer and none within the timeout")
def waits_and_times_out(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", QUERY, "slow-body", chunk_bytes=100, delay_ms=20)
    equal(ask(api, database).rows, [[1]])
    faults.add("POST", QUERY, "hang")
    request = models.QueryRequest(sql="SELECT id FROM t")
    raises(
        urllib3.exceptions.HTTPError,
        lambda: QueryApi(api).query(request, x_database_id=database, _request_timeout=0.5),
    )


@SUITE.case("QueryApi.query answered 202 unasked → wait_for_result, succeeded and failed")
def follows_an_accepted_query(context: Context) -> None:
    faults, api, database = start(context)
    poll = PollPolicy(base_backoff_s=0.02)
    faults.add("POST", QUERY, "accepted", delay_ms=100)
    submitted = ask(api, database)
    holds(isinstance(submitted, models.AsyncQueryResponse), submitted)
    runs = hotdata.QueryRunsApi(api)
    run = runs.get_query_run(submitted.query_run_id, x_database_id=database)
    equal(run.status, "running")
    equal(QueryApi(api, poll=poll).wait_for_result(run.result_id, database).status, "ready")
    equal(hotdata.ResultsApi(api).get_result(run.result_id, x_database_id=database).rows, [[1]])

    faults.add("POST", QUERY, "accepted-then-failed", message="worker lost")
    submitted = ask(api, database)
    # The run and its result end side by side.
    run = runs.get_query_run(submitted.query_run_id, x_database_id=database)
    error = raises(
        ResultFailedError, lambda: QueryApi(api, poll=poll).wait_for_result(run.result_id, database)
    )
    equal(error.error_message, "worker lost")
    run = runs.get_query_run(submitted.query_run_id, x_database_id=database)
    equal((run.status, run.error_message), ("failed", "worker lost"))


@SUITE.case("QueryApi.wait_for_result of a result pending three times, then failed")
def polls_a_pending_result(context: Context) -> None:
    faults, api, database = start(context)
    result_id = ask(api, database).result_id
    api_with_poll = QueryApi(api, poll=PollPolicy(base_backoff_s=0.01))
    rule = faults.add("GET", f"/v1/results/{result_id}", "result-pending", times=3, retry_after="0")
    equal(api_with_poll.wait_for_result(result_id, database).status, "ready")
    equal(faults.fired(rule), 3)
    faults.add("GET", f"/v1/results/{result_id}", "result-pending", status="pending")
    faults.add("GET", f"/v1/results/{result_id}", "result-failed", message="lost")
    error = raises(ResultFailedError, lambda: api_with_poll.wait_for_result(result_id, database))
    equal(error.error_message, "lost")


@SUITE.case("load_database_table answered 202 unasked, failed with and without its rows")
def follows_a_failed_load(context: Context) -> None:
    faults, api, database = start(context)
    for apply, rows in ((False, 1), (True, 2)):
        faults.add("POST", LOADS, "accepted-then-failed", message="disk full", apply=apply)
        submitted = sdk.load_csv(api, database, "t", "id\n2\n", mode="append")
        holds(isinstance(submitted, models.SubmitJobResponse), submitted)
        job = sdk.finished_job(api, submitted.id)
        equal((job.status.value, job.error_message), ("failed", "disk full"))
        equal(count(api, database), rows)


@SUITE.case("IndexesApi.create_index answered 202 unasked, succeeded and failed")
def follows_an_index_build(context: Context) -> None:
    faults, api, database = start(context)
    sdk.load_csv(api, database, "notes", "content\nquiet garden\n")
    connection = hotdata.DatabasesApi(api).get_database(database).default_connection_id
    indexes = hotdata.IndexesApi(api)

    def create(name: str) -> models.SubmitJobResponse:
        request = models.CreateIndexRequest(index_name=name, columns=["content"], index_type="bm25")
        return indexes.create_index(connection, "public", "notes", request)

    faults.add("POST", "*/indexes", "accepted-then-failed")
    equal(sdk.finished_job(api, create("a").id).status.value, "failed")
    equal(indexes.list_indexes(connection, "public", "notes").indexes, [])
    faults.add("POST", "*/indexes", "accepted")
    job = sdk.finished_job(api, create("b").id)
    equal((job.status.value, job.result.actual_instance.index_name), ("succeeded", "b"))


@SUITE.case("UploadsApi.upload_file, a part refused with 503 and one reset: the file is whole")
def uploads_despite_failing_parts(context: Context) -> None:
    faults, api, database = start(context)
    row = "x" * 99 + "\n"
    data = ("text\n" + row * (11 * MIB // 100)).encode()
    rules = [
        faults.add("PUT", "/storage/*", "error", status=503),
        faults.add("PUT", "/storage/*", "reset"),
    ]
    finished = UploadsApi(api).upload_file(data, part_size=5 * MIB)
    equal([faults.fired(rule) for rule in rules], [1, 1])
    equal(finished.size_bytes, len(data))
    loaded = sdk.load(api, database, "texts", upload_id=finished.upload_id, format="csv")
    equal(loaded.row_count, 11 * MIB // 100)


@SUITE.case("UploadsApi.upload_file, the answer to finalize lost: not sent again, and the upload loads")
def does_not_repeat_finalize(context: Context) -> None:
    faults, api, database = start(context)
    faults.add("POST", "/v1/uploads/*/finalize", "html", apply=True)
    error = raises(FinalizeError, lambda: UploadsApi(api).upload_file(b"id\n5\n"))
    equal(error.status, 502)
    equal(faults.requests("POST", "/finalize"), [("html", True)])
    # The client does not tell the upload's id.
    upload_id = faults.paths("POST", "/finalize")[0].split("/")[3]
    loaded = sdk.load(api, database, "t", mode="append", upload_id=upload_id, format="csv")
    equal(loaded.row_count, 2)
