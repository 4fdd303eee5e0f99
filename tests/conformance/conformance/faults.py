"""Rules for the engine's faults, left before a client is called."""

from __future__ import annotations

import json
import uuid

import urllib3

from conformance.recorder import Context


class Faults:
    """The fault endpoint of an engine started with `--faults`, for the calls of one API key."""

    def __init__(self, context: Context) -> None:
        self.url = context.engines.with_flags("--faults")
        #: Only this key's calls meet the rules, and those that carry none: the PUTs to storage.
        self.key = f"hd_{uuid.uuid4().hex}"
        self._pool = urllib3.PoolManager()

    def add(self, method: str, path: str, fault: str, **fields: object) -> int:
        """Leaves a rule, which fires once unless `times` says otherwise, and returns its id."""
        match: dict[str, object] = {"method": method, "path": path}
        if not path.startswith("/storage/"):
            match["headers"] = {"authorization": f"Bearer {self.key}"}
        rule = {"match": match, "fault": fault, **fields}
        return self._call("POST", json.dumps({"faults": [rule]}))["faults"][0]["id"]

    def fired(self, rule: int) -> int:
        return next(one["fired"] for one in self._call("GET")["faults"] if one["id"] == rule)

    def requests(self, method: str, end: str) -> list[tuple[str | None, bool]]:
        """The fault and whether the request was applied, of each request to a path that ends so."""
        return [(one["fault"], one["applied"]) for one in self._seen(method, end)]

    def paths(self, method: str, end: str) -> list[str]:
        return [one["path"] for one in self._seen(method, end)]

    def forget_requests(self) -> None:
        self._pool.request("DELETE", f"{self.url}/local/faults", headers=self._headers())

    def _seen(self, method: str, end: str) -> list[dict]:
        seen = self._call("GET")["requests"]
        return [one for one in seen if one["method"] == method and one["path"].split("?")[0].endswith(end)]

    def _call(self, method: str, body: str | None = None) -> dict:
        answer = self._pool.request(method, f"{self.url}/local/faults", body=body, headers=self._headers())
        if answer.status >= 300:
            raise RuntimeError(f"{answer.status}: {answer.data.decode()}")
        return answer.json()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}
