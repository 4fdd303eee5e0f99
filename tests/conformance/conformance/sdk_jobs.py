"""Background jobs: one by its id, all by type and status."""

from __future__ import annotations

import hotdata
from hotdata import models

from conformance import sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)


@SUITE.case("JobsApi.list_jobs(job_type, status, limit, offset), get_job")
def lists_jobs(context: Context) -> None:
    api = sdk.connect(context.url)
    jobs = hotdata.JobsApi(api)
    database = sdk.new_database(api)
    good = [sdk.load_csv(api, database.id, "t", "id,n\n1,a\n", var_async=True).id]
    equal(sdk.finished_job(api, good[0]).status.value, "succeeded")
    bad = sdk.load_csv(api, database.id, "t", "id\n2\n", mode="append", var_async=True).id
    equal(sdk.finished_job(api, bad).status.value, "failed")
    request = models.CreateIndexRequest(index_name="n", columns=["n"], index_type="bm25", var_async=True)
    build = hotdata.IndexesApi(api).create_index(database.default_connection_id, "public", "t", request).id
    sdk.finished_job(api, build)

    newest = jobs.list_jobs(limit=3).jobs
    equal([one.id for one in newest], [build, bad, good[0]])
    equal([one.id for one in jobs.list_jobs(limit=1, offset=2).jobs], good)
    loads = jobs.list_jobs(job_type=models.JobType.MANAGED_LOAD, limit=50).jobs
    holds({good[0], bad} <= {one.id for one in loads} and build not in {one.id for one in loads}, loads)
    failed = jobs.list_jobs(status="failed,partially_succeeded", limit=50).jobs
    holds(bad in {one.id for one in failed} and good[0] not in {one.id for one in failed}, failed)


@SUITE.case("JobsApi.get_job, list_jobs refused")
def refuses(context: Context) -> None:
    jobs = hotdata.JobsApi(sdk.connect(context.url))
    equal(sdk.refusal(raises(hotdata.ApiException, lambda: jobs.get_job("nosuch")))[:2], (404, "NOT_FOUND"))
    error = raises(hotdata.ApiException, lambda: jobs.list_jobs(status="finished"))
    equal(sdk.refusal(error)[0], 400)
