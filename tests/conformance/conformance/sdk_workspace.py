"""Workspaces, connections, embedding providers, credentials."""

from __future__ import annotations

import tempfile
from pathlib import Path

import hotdata

from conformance import sdk
from conformance.recorder import Context, Suite, equal, holds, raises

SUITE = Suite(sdk.CLIENT)


@SUITE.case("WorkspacesApi.list_workspaces")
def lists_workspaces(context: Context) -> None:
    # The one call that needs no workspace.
    api = hotdata.ApiClient(hotdata.Configuration(host=context.url, api_key="hd_conformance"))
    listed = hotdata.WorkspacesApi(api).list_workspaces()
    equal(listed.ok, True)
    equal([one.public_id for one in listed.workspaces], [sdk.WORKSPACE])
    equal(listed.workspaces[0].active, True)


@SUITE.case("WorkspacesApi.list_workspaces (several, one inactive), calls in each")
def tells_workspaces_apart(context: Context) -> None:
    url = context.engines.with_flags("--workspace", "ws_two", "--inactive-workspace", "ws_old")
    listed = hotdata.WorkspacesApi(sdk.connect(url)).list_workspaces().workspaces
    seen = {one.public_id: one.active for one in listed}
    equal(seen, {"ws_local": True, "ws_two": True, "ws_old": False})
    made = sdk.new_database(sdk.connect(url, workspace="ws_two"))
    equal(hotdata.DatabasesApi(sdk.connect(url, workspace="ws_two")).get_database(made.id).name, made.name)
    for workspace in ("ws_local", "ws_old", "ws_none"):
        databases = hotdata.DatabasesApi(sdk.connect(url, workspace=workspace))
        error = raises(hotdata.ApiException, lambda databases=databases: databases.get_database(made.id))
        equal(error.status, 404)


@SUITE.case("ConnectionsApi.list_connections, get_connection")
def lists_connections(context: Context) -> None:
    api = sdk.connect(context.url)
    database = sdk.new_database(api)
    listed = hotdata.ConnectionsApi(api).list_connections().connections
    ids = [one.id for one in listed]
    equal(len(ids), len(set(ids)))
    holds(all(one.name and one.source_type for one in listed), listed)
    sdk.load_csv(api, database.id, "t", "id\n1\n")
    one = hotdata.ConnectionsApi(api).get_connection(database.default_connection_id)
    equal((one.id, one.table_count, one.synced_table_count), (database.default_connection_id, 1, 1))
    error = raises(hotdata.ApiException, lambda: hotdata.ConnectionsApi(api).get_connection("nosuch"))
    equal(sdk.refusal(error)[:2], (404, "NOT_FOUND"))
    hotdata.DatabasesApi(api).delete_database(database.id)


@SUITE.case("ConnectionsApi.list_connections (a registered source)")
def lists_a_registered_source(context: Context) -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "drivers.csv").write_text("driverId,surname\n44,Hamilton\n")
    api = sdk.connect(context.engines.with_flags("--attach", f"f1={folder}"))
    listed = hotdata.ConnectionsApi(api).list_connections().connections
    holds("f1" in [one.name for one in listed], listed)


@SUITE.case("EmbeddingProvidersApi.list_embedding_providers, get_embedding_provider")
def lists_providers(context: Context) -> None:
    providers = hotdata.EmbeddingProvidersApi(sdk.connect(context.url))
    listed = providers.list_embedding_providers()
    system = [one for one in listed.embedding_providers if one.source == "system"]
    equal([one.id for one in system], ["sys_emb_local"])
    equal(system[0].has_secret, False)
    one = providers.get_embedding_provider("sys_emb_local")
    equal((one.id, one.provider_type, one.source), (system[0].id, system[0].provider_type, "system"))
    error = raises(hotdata.ApiException, lambda: providers.get_embedding_provider("nosuch"))
    equal(error.status, 404)


@SUITE.case("any call with a wrong API key")
def refuses_a_wrong_key(context: Context) -> None:
    url = context.engines.with_flags("--key", "hd_right")
    error = raises(hotdata.ApiException, lambda: hotdata.DatabasesApi(sdk.connect(url)).list_databases())
    equal(sdk.refusal(error)[0], 401)
    right = hotdata.Configuration(host=url, api_key="hd_right", workspace_id=sdk.WORKSPACE)
    equal(hotdata.DatabasesApi(hotdata.ApiClient(right)).list_databases().databases, [])
