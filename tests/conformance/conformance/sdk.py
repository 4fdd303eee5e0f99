"""What the cases of the raw client share."""

from __future__ import annotations

import json
import time
import uuid
from importlib.metadata import version

import hotdata
from hotdata import models
from hotdata.query import QueryApi

CLIENT = f"hotdata {version('hotdata')}"
WORKSPACE = "ws_local"


def connect(url: str, key: str = "hd_conformance", workspace: str = WORKSPACE) -> hotdata.ApiClient:
    return hotdata.ApiClient(hotdata.Configuration(host=url, api_key=key, workspace_id=workspace))


def new_database(api: hotdata.ApiClient, **fields: object) -> models.CreateDatabaseResponse:
    fields.setdefault("name", f"conformance-{uuid.uuid4().hex[:8]}")
    return hotdata.DatabasesApi(api).create_database(models.CreateDatabaseRequest(**fields))


def load(api: hotdata.ApiClient, database_id: str, table: str, schema: str = "public", **fields: object):
    request = models.LoadManagedTableRequest(**{"mode": "replace", **fields})
    return hotdata.DatabasesApi(api).load_database_table(database_id, schema, table, request)


def load_csv(api: hotdata.ApiClient, database_id: str, table: str, text: str, **fields: object):
    return load(api, database_id, table, data=text, format="csv", **fields)


def rows(api: hotdata.ApiClient, database_id: str, sql: str) -> list[list[object]]:
    return QueryApi(api).query(models.QueryRequest(sql=sql), x_database_id=database_id).rows


def upload(api: hotdata.ApiClient, data: bytes) -> str:
    return hotdata.UploadsApi(api).upload_file(data).upload_id


def papers_id(api: hotdata.ApiClient) -> str:
    listed = hotdata.DatabasesApi(api).list_databases(search="papers").databases
    return next(one.id for one in listed if one.name == "papers")


def finished_job(api: hotdata.ApiClient, job_id: str) -> models.JobStatusResponse:
    jobs = hotdata.JobsApi(api)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        job = jobs.get_job(job_id)
        if job.status.value not in ("pending", "running"):
            return job
        time.sleep(0.05)
    raise TimeoutError(f"job {job_id} still runs after 60 s")


def refusal(error: hotdata.ApiException) -> tuple[int, str, str]:
    """Status, code and message of the error envelope."""
    envelope = json.loads(error.body)["error"]
    return error.status, envelope["code"], envelope["message"]
