"""hotdata-langchain: databases, attachments, catalogs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import hotdata_langchain as hl
from hotdata_framework import HotdataClient

from conformance.langchain_tools import CLIENT, call, tools
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(CLIENT)


def racing(context: Context) -> tuple[HotdataClient, str]:
    """A client of an engine with the registered source `f1`, and that connection's id."""
    folder = Path(tempfile.gettempdir()) / "conformance-f1"
    folder.mkdir(exist_ok=True)
    (folder / "drivers.csv").write_text("driverId,surname\n44,Hamilton\n33,Verstappen\n")
    url = context.engines.with_flags("--attach", f"f1={folder}")
    client = HotdataClient("hd_conformance", "ws_local", host=url)
    return client, client.connection_id_by_name()["f1"]


@SUITE.case("attach_catalog, database_attachments, detach_catalog")
def attaches(context: Context) -> None:
    client, connection = racing(context)
    database = client.create_managed_database("attach")
    attached = hl.attach_catalog(client, database, connection_id=connection, alias="racing")
    equal((attached.connection_id, attached.alias), (connection, "racing"))
    equal(hl.database_attachments(client, database), [attached])
    again = hl.attach_catalog(client, database, connection_id=connection, alias="racing")
    equal(again, attached)
    hl.detach_catalog(client, database, connection_id=connection)
    equal(hl.database_attachments(client, database), [])
    raises(KeyError, lambda: hl.detach_catalog(client, database, connection_id=connection))
    raises(KeyError, lambda: hl.attach_catalog(client, database, connection_id="nosuch"))


@SUITE.case("attach_catalog without an alias")
def attaches_under_a_name_of_the_servers(context: Context) -> None:
    client, connection = racing(context)
    database = client.create_managed_database("attach")
    attached = hl.attach_catalog(client, database, connection_id=connection)
    sql = "SELECT DISTINCT table_catalog FROM information_schema.tables"
    catalog = client.execute_sql(sql, database=database).rows[0][0]
    holds(attached.alias in (catalog, None), (attached, catalog))


@SUITE.case("attach_catalog of another instant database")
def refuses_an_instant_database(context: Context) -> None:
    client, _ = racing(context)
    one, other = client.create_managed_database("one"), client.create_managed_database("other")
    error = raises(
        RuntimeError, lambda: hl.attach_catalog(client, other, connection_id=one.default_connection_id)
    )
    holds("is scoped to another database and cannot be attached here" in hl.engine_error_message(error), error)


@SUITE.case("make_hotdata_tools over an attached source")
def names_the_alias(context: Context) -> None:
    client, connection = racing(context)
    database = client.create_managed_database("named")
    hl.attach_catalog(client, database, connection_id=connection, alias="racing")
    made = tools(client, database)
    holds("Here the catalog is 'racing'." in made["hotdata_execute_sql"].description, "read from information_schema")
    answer = call(made["hotdata_execute_sql"], sql="SELECT surname FROM racing.public.drivers ORDER BY driverId")
    equal([row["surname"] for row in answer["rows"]], ["Verstappen", "Hamilton"])


@SUITE.case("resolve_database_by_id, database_expiry (unknown id)")
def resolves_ids_only(context: Context) -> None:
    client, _ = racing(context)
    database = client.create_managed_database("byid", expires_at="7d")
    equal(hl.resolve_database_by_id(client, database.id), database)
    raises(KeyError, lambda: hl.resolve_database_by_id(client, "byid"))
    holds(hl.database_expiry(client, database.id) is not None, "a time of expiry")
