"""GET /v1/results/{id} in every format."""

from __future__ import annotations

import csv
import io

import hotdata
import pyarrow as pa
import pyarrow.parquet as pq
from hotdata import models
from hotdata.arrow import ResultNotReadyError, ResultsApi
from hotdata.query import QueryApi

from conformance import sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)

SQL = (
    "SELECT * FROM (VALUES (1, 'Ada, \"A\"', CAST('2026-08-12' AS DATE), 1.5), (2, 'B|ob', NULL, NULL)) "
    "AS t(id, name, day, score) ORDER BY id"
)


def stored(context: Context, sql: str = SQL) -> tuple[hotdata.ApiClient, str, str]:
    api = sdk.connect(context.url)
    database = sdk.papers_id(api)
    answer = QueryApi(api).query(models.QueryRequest(sql=sql), x_database_id=database)
    return api, database, answer.result_id


def text(api: hotdata.ApiClient, database: str, result: str, form: str) -> tuple[bytes, str]:
    # The generated method decodes JSON only; other formats are read from the open response.
    response = ResultsApi(api).get_result_without_preload_content(
        result, x_database_id=database, format=models.ResultsFormatQuery(form)
    )
    equal(response.status, 200)
    return response.read(), response.headers["Content-Type"]


@SUITE.case("ResultsApi.get_result (JSON)")
def reads_json(context: Context) -> None:
    api, database, result = stored(context)
    answer = ResultsApi(api).get_result(result, x_database_id=database)
    equal((answer.status, answer.result_id, answer.row_count), ("ready", result, 2))
    equal(answer.columns, ["id", "name", "day", "score"])
    equal(answer.rows, [[1, 'Ada, "A"', "2026-08-12", 1.5], [2, "B|ob", None, None]])


@SUITE.case("ResultsApi.get_result(offset, limit)")
def reads_a_window(context: Context) -> None:
    api, database, result = stored(context, "SELECT id FROM papers")
    seen: list[int] = []
    for offset in range(0, 314, 100):
        page = ResultsApi(api).get_result(result, x_database_id=database, offset=offset, limit=100)
        equal(page.row_count, min(100, 314 - offset))
        if "total_row_count" in models.GetResultResponse.model_fields:
            equal(page.total_row_count, 314)
        seen += [row[0] for row in page.rows]
    equal(sorted(seen), list(range(314)))
    equal(ResultsApi(api).get_result(result, x_database_id=database, limit=0).rows, [])


@SUITE.case("ResultsApi.get_result_with_http_info (total and next page in headers)")
def tells_the_next_page(context: Context) -> None:
    api, database, result = stored(context, "SELECT id FROM papers")
    answer = ResultsApi(api).get_result_with_http_info(result, x_database_id=database, offset=100, limit=100)
    equal(answer.headers["x-total-row-count"], "314")
    equal(answer.headers["link"], f'</v1/results/{result}?offset=200&limit=100>; rel="next"')
    whole = ResultsApi(api).get_result_with_http_info(result, x_database_id=database)
    holds("link" not in whole.headers, whole.headers)


@SUITE.case("QueryApi.fetch_ready_result", offered=hasattr(QueryApi, "fetch_ready_result"))
def waits_and_reads(context: Context) -> None:
    api, database, result = stored(context)
    answer = QueryApi(api).fetch_ready_result(result, database, limit=1)
    equal((answer.rows, answer.total_row_count), ([[1, 'Ada, "A"', "2026-08-12", 1.5]], 2))


@SUITE.case("ResultsApi.get_result(format=csv)")
def reads_csv(context: Context) -> None:
    body, kind = text(*stored(context), "csv")
    holds(kind.startswith("text/csv"), kind)
    equal(
        list(csv.reader(io.StringIO(body.decode()))),
        [["id", "name", "day", "score"], ["1", 'Ada, "A"', "2026-08-12", "1.5"], ["2", "B|ob", "", ""]],
    )


@SUITE.case("ResultsApi.get_result(format=md)")
def reads_markdown(context: Context) -> None:
    body, kind = text(*stored(context), "md")
    holds(kind.startswith("text/markdown"), kind)
    lines = body.decode().strip().splitlines()
    equal(len(lines), 4)
    holds(lines[0].replace(" ", "") == "|id|name|day|score|", lines[0])
    holds("B\\|ob" in lines[3], lines[3])


@SUITE.case("ResultsApi.get_result(format=parquet)")
def reads_parquet(context: Context) -> None:
    body, _ = text(*stored(context), "parquet")
    table = pq.read_table(io.BytesIO(body))
    equal(table.column_names, ["id", "name", "day", "score"])
    equal(table.column("name").to_pylist(), ['Ada, "A"', "B|ob"])
    equal(table.schema.field("day").type, pa.date32())


@SUITE.case("arrow.ResultsApi.get_result_arrow")
def reads_arrow(context: Context) -> None:
    api, database, result = stored(context, "SELECT id, embedding FROM papers ORDER BY id")
    table = ResultsApi(api).get_result_arrow(result, database)
    equal((table.num_rows, table.column_names), (314, ["id", "embedding"]))
    equal(table.schema.field("embedding").type.value_type, pa.float32())
    window = ResultsApi(api).get_result_arrow(result, database, offset=10, limit=5)
    equal(window.num_rows, 5)


@SUITE.case("arrow.ResultsApi.stream_result_arrow")
def streams_arrow(context: Context) -> None:
    api, database, result = stored(context, "SELECT id FROM papers")
    with ResultsApi(api).stream_result_arrow(result, database) as reader:
        found = [value for batch in reader for value in batch.column(0).to_pylist()]
    equal(sorted(found), list(range(314)))


@SUITE.case("ResultsApi.get_result_arrow of a result still processing")
def waits_for_a_result(context: Context) -> None:
    api = sdk.connect(context.engines.with_flags("--inline-rows", "100", "--result-delay-ms", "300"))
    database = sdk.new_database(api).id
    sql = "SELECT value FROM generate_series(1, 500)"
    preview = QueryApi(api).query(models.QueryRequest(sql=sql), x_database_id=database, auto_follow=False)
    error = raises(ResultNotReadyError, lambda: ResultsApi(api).get_result_arrow(preview.result_id, database))
    equal(error.result_id, preview.result_id)
    QueryApi(api).wait_for_result(preview.result_id, database)
    equal(ResultsApi(api).get_result_arrow(preview.result_id, database).num_rows, 500)


@SUITE.case("ResultsApi.get_result (too large for JSON)")
def refuses_a_large_json(context: Context) -> None:
    api = sdk.connect(context.engines.with_flags("--json-result-bytes", "1000"))
    database = sdk.new_database(api).id
    sql = "SELECT value FROM generate_series(1, 500)"
    answer = QueryApi(api).query(models.QueryRequest(sql=sql), x_database_id=database)
    error = raises(
        hotdata.ApiException, lambda: ResultsApi(api).get_result(answer.result_id, x_database_id=database)
    )
    equal(sdk.refusal(error)[:2], (413, "RESULT_TOO_LARGE"))
    equal(ResultsApi(api).get_result_arrow(answer.result_id, database).num_rows, 500)


@SUITE.case("ResultsApi.get_result (unknown, another database's)")
def refuses_a_foreign_result(context: Context) -> None:
    api, database, result = stored(context)
    other = sdk.new_database(api).id
    for id, scope in (("nosuch", database), (result, other)):
        error = raises(
            hotdata.ApiException, lambda id=id, scope=scope: ResultsApi(api).get_result(id, x_database_id=scope)
        )
        equal(error.status, 404)


@SUITE.case("ResultsApi.list_results(limit, offset)")
def lists_results(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api).id
    ids = [
        QueryApi(api).query(models.QueryRequest(sql=f"SELECT {at} AS n"), x_database_id=database).result_id
        for at in range(3)
    ]
    listed = ResultsApi(api).list_results(database, limit=2)
    equal([one.id for one in listed.results], ids[:0:-1])
    equal((listed.has_more, listed.offset), (True, 0))
    rest = ResultsApi(api).list_results(database, limit=2, offset=2)
    equal([(one.id, one.status) for one in rest.results], [(ids[0], "ready")])
    equal(rest.has_more, False)
