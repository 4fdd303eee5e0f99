"""Uploads: one PUT, parts named at once, parts minted as they go."""

from __future__ import annotations

import io
import tempfile
import threading
from pathlib import Path

import hotdata
import urllib3
from hotdata import models
from hotdata.uploads import MIB, UploadsApi

from conformance import samples, sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)


def long_csv(size: int) -> tuple[bytes, int]:
    """A CSV of at least `size` bytes, and its number of rows."""
    row = "x" * 99
    count = size // 100 + 1
    return ("text\n" + f"{row}\n" * count).encode(), count


def loaded_rows(api: hotdata.ApiClient, upload_id: str) -> int:
    database = sdk.new_database(api)
    loaded = sdk.load(api, database.id, "t", upload_id=upload_id, format="csv").row_count
    hotdata.DatabasesApi(api).delete_database(database.id)
    return loaded


@SUITE.case("UploadsApi.upload_file (bytes, one PUT)")
def uploads_bytes(context: Context) -> None:
    api = sdk.connect(context.url)
    seen: list[tuple[int, int]] = []
    data = samples.parquet_bytes(samples.notes())
    finished = UploadsApi(api).upload_file(data, filename="notes.parquet", progress=lambda *at: seen.append(at))
    equal(finished.size_bytes, len(data))
    equal(seen[-1], (len(data), len(data)))
    database = sdk.new_database(api).id
    sdk.load(api, database, "notes", upload_id=finished.upload_id)
    equal(sdk.rows(api, database, "SELECT COUNT(id) AS n FROM notes"), [[6]])


@SUITE.case("UploadsApi.upload_file (file object)")
def uploads_a_file_object(context: Context) -> None:
    api = sdk.connect(context.url)
    finished = UploadsApi(api).upload_file(io.BytesIO(b"text\nx\n"), content_type="text/csv")
    equal((finished.size_bytes, loaded_rows(api, finished.upload_id)), (7, 1))


@SUITE.case("UploadsApi.upload_file (path)")
def uploads_a_path(context: Context) -> None:
    api = sdk.connect(context.url)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_bytes(b"text\nx\ny\n")
        finished = UploadsApi(api).upload_file(path)
    equal((finished.size_bytes, loaded_rows(api, finished.upload_id)), (9, 2))


@SUITE.case("UploadsApi.upload_file (over 8 MiB: parts minted as they go)")
def uploads_minted_parts(context: Context) -> None:
    api = sdk.connect(context.url)
    data, count = long_csv(17 * MIB)
    done: list[int] = []
    lock = threading.Lock()

    def progress(sent: int, _: int) -> None:
        with lock:
            done.append(sent)

    finished = UploadsApi(api).upload_file(data, part_size=5 * MIB, progress=progress)
    equal(finished.size_bytes, len(data))
    equal(max(done), len(data))
    equal(loaded_rows(api, finished.upload_id), count)


@SUITE.case("UploadsApi.create_upload_session_handler (known size: part addresses at once), finalize_upload_handler")
def uploads_eager_parts(context: Context) -> None:
    api = sdk.connect(context.url)
    data, count = long_csv(11 * MIB)
    uploads = UploadsApi(api)
    session = uploads.create_upload_session_handler(
        models.CreateUploadRequest(declared_size_bytes=len(data), part_size=5 * MIB)
    )
    equal(session.mode, "multipart")
    parts = [data[at : at + session.part_size] for at in range(0, len(data), session.part_size)]
    equal(len(session.part_urls), len(parts))
    pool = urllib3.PoolManager()
    finished_parts = []
    for number, (url, part) in enumerate(zip(session.part_urls, parts, strict=True), 1):
        # No credentials: object storage refuses them.
        put = pool.request("PUT", url, body=part, headers=session.headers)
        equal(put.status, 200)
        finished_parts.append(models.FinalizeUploadPart(part_number=number, e_tag=put.headers["ETag"]))
    body = models.FinalizeUploadRequest(parts=finished_parts)
    finished = uploads.finalize_upload_handler(session.upload_id, session.finalize_token, body)
    equal(finished.size_bytes, len(data))
    equal(loaded_rows(api, session.upload_id), count)


@SUITE.case("UploadsApi.finalize_upload_handler (wrong token, second time, missing part)")
def refuses_a_wrong_finalize(context: Context) -> None:
    api = sdk.connect(context.url)
    uploads = UploadsApi(api)
    session = uploads.create_upload_session_handler(models.CreateUploadRequest(declared_size_bytes=3))
    urllib3.PoolManager().request("PUT", session.url, body=b"a\n1", headers=session.headers)
    error = raises(
        hotdata.ApiException, lambda: uploads.finalize_upload_handler(session.upload_id, "wrong", models.FinalizeUploadRequest())
    )
    holds(400 <= error.status < 500, error)
    uploads.finalize_upload_handler(session.upload_id, session.finalize_token, models.FinalizeUploadRequest())
    again = raises(
        hotdata.ApiException,
        lambda: uploads.finalize_upload_handler(
            session.upload_id, session.finalize_token, models.FinalizeUploadRequest()
        ),
    )
    holds("already finalized" in sdk.refusal(again)[2], again.body)
    session = uploads.create_upload_session_handler(models.CreateUploadRequest(part_size=5 * MIB))
    minted = uploads.mint_upload_parts_handler(
        session.upload_id, session.finalize_token, models.MintUploadPartsRequest(part_numbers=[1, 2])
    )
    equal([one.part_number for one in minted.parts], [1, 2])
    put = urllib3.PoolManager().request("PUT", minted.parts[0].url, body=b"a\n1\n", headers=session.headers)
    parts = [
        models.FinalizeUploadPart(part_number=1, e_tag=put.headers["ETag"]),
        models.FinalizeUploadPart(part_number=2, e_tag='"nosuch"'),
    ]
    error = raises(
        hotdata.ApiException,
        lambda: uploads.finalize_upload_handler(
            session.upload_id, session.finalize_token, models.FinalizeUploadRequest(parts=parts)
        ),
    )
    holds(400 <= error.status < 500, error)


@SUITE.case("load_database_table (an upload that was not finalized)")
def refuses_an_open_upload(context: Context) -> None:
    api = sdk.connect(context.url)
    session = UploadsApi(api).create_upload_session_handler(models.CreateUploadRequest(declared_size_bytes=3))
    database = sdk.new_database(api).id
    error = raises(hotdata.ApiException, lambda: sdk.load(api, database, "t", upload_id=session.upload_id, format="csv"))
    holds(400 <= error.status < 500, error)
