"""What hotdata-langchain hands a model: its tools as OpenAI's JSON, and the answers to some queries. Prints one JSON object.

Started with any Python 3.11; goes on in the virtual environment of the conformance suite.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

CONFORMANCE = Path(__file__).resolve().parents[3] / "tests" / "conformance"
sys.path.insert(0, str(CONFORMANCE))

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--engine", required=True, help="address of a running engine started with --seed")
parser.add_argument("--venvs", type=Path, required=True, help="where virtual environments are kept")
parser.add_argument("--queries", required=True, help="JSON: {name: {sql, maxRows}}")
arguments = parser.parse_args()

try:
    release = version("hotdata-langchain")
except PackageNotFoundError:
    from run import interpreter

    python = interpreter(CONFORMANCE / "requirements-langchain.txt", arguments.venvs)
    os.execv(python, [str(python), *sys.argv])

import hotdata_langchain as hl  # noqa: E402
from conformance.framework_client import papers  # noqa: E402
from hotdata_framework import HotdataClient  # noqa: E402
from langchain_core.utils.function_calling import convert_to_openai_tool  # noqa: E402

client = HotdataClient("hd_tokens", "ws_local", host=arguments.engine)
database = papers(client)
tools = hl.make_hotdata_tools(
    client, database_id=database.id, search_table="default.public.papers", search_column="content"
)
answers = {
    name: hl.execute_sql_json(client, query["sql"], max_rows=query["maxRows"], database_id=database.id)
    for name, query in json.loads(arguments.queries).items()
}
print(json.dumps({"release": release, "tools": [convert_to_openai_tool(tool) for tool in tools], "answers": answers}))
