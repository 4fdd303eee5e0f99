"""hotdata-langchain: every search route over the sample papers, and rankings against the judgements."""

from __future__ import annotations

import logging

import hotdata_langchain as hl
from hotdata_framework import HotdataClient
from langchain_core.embeddings import Embeddings

from conformance import samples
from conformance.framework_client import connect, papers
from conformance.langchain_tools import CLIENT, call, tools
from conformance.recorder import Context, Suite, close, equal, holds, raises

SUITE = Suite(CLIENT)

PAPERS = "default.public.papers"
SEMANTIC = "default.public.papers_semantic"


class StoredQueries(Embeddings):
    """The committed vectors of the judged queries: the model that wrote the papers' own."""

    def __init__(self) -> None:
        self._vectors = {query: vector for query, _, vector in samples.judged_queries()}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise NotImplementedError("only queries are embedded here")

    def embed_query(self, text: str) -> list[float]:
        return self._vectors[text]


def ids(answer: dict) -> list[int]:
    return [row["id"] for row in answer["rows"]]


@SUITE.case("hotdata_search_text (BM25)")
def searches_text(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client), search_table=PAPERS, search_column="content")
    answer = call(made["hotdata_search_text"], query="knowledge graph embedding", k=7)
    equal(len(answer["rows"]), 7)
    equal(list(answer["rows"][0]), ["id", "content", "score"])
    scores = [row["score"] for row in answer["rows"]]
    holds(scores == sorted(scores, reverse=True) and scores[-1] > 0, scores)
    holds(all("knowledge" in row["content"].lower() for row in answer["rows"][:3]), ids(answer))
    holds("bm25_search(" in made["hotdata_execute_sql"].description, "the SQL tool names the function")


@SUITE.case("hotdata_search_text (k above the row limit)")
def clamps(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client), search_table=PAPERS, search_column="content", max_rows=10)
    answer = call(made["hotdata_search_text"], query="language", k=50)
    equal(len(answer["rows"]), 10)
    holds("k was reduced to 10" in answer["metadata"]["client_warning"], answer["metadata"])


@SUITE.case("hotdata_search_text (text no parser should trip over)")
def searches_awkward_text(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client), search_table=PAPERS, search_column="content")
    for text in ("what's the budget, roughly?", 'C++ (beta): "open', "-graph", "it's a 'quote'"):
        holds("rows" in call(made["hotdata_search_text"], query=text), text)


@SUITE.case("hotdata_search_text (text the strict parser rejects)")
def reports_a_rejected_text(context: Context) -> None:
    client = HotdataClient("hd_conformance", "ws_local", host=context.engines.with_flags("--seed"))
    options = {"search_table": PAPERS, "search_column": "content", "handle_errors": True}
    tool = tools(client, papers(client), **options)["hotdata_search_text"]
    equal(call(tool, query='"quiet garden'), {"error": 'Syntax Error: "quiet garden'})


@SUITE.case("hotdata_search_semantic (provider-backed)")
def searches_by_meaning(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client), search_table=SEMANTIC, search_column="content")
    sql = f"SELECT content FROM {SEMANTIC} WHERE id = 42"
    text = client.execute_sql(sql, database=papers(client)).rows[0][0]
    answer = call(made["hotdata_search_semantic"], query=text, k=4)
    equal(list(answer["rows"][0]), ["id", "content", "_distance"])
    equal(ids(answer)[0], 42)
    close(answer["rows"][0]["_distance"], 0.0, 1e-5)
    distances = [row["_distance"] for row in answer["rows"]]
    holds(distances == sorted(distances) and distances[1] > 0, distances)
    holds("vector_search(" in made["hotdata_execute_sql"].description, "the SQL tool names the function")


@SUITE.case("hotdata_search_semantic (plain vector index)")
def searches_with_a_vector(context: Context) -> None:
    client = connect(context)
    made = tools(
        client,
        papers(client),
        search_table=PAPERS,
        search_column="embedding",
        search_columns=["id", "title", "embedding"],
        search_embedding=StoredQueries(),
    )
    for query, _, vector in samples.judged_queries()[:10]:
        answer = call(made["hotdata_search_semantic"], query=query, k=10)
        equal(ids(answer), samples.nearest_papers(vector, 10))
        equal(list(answer["rows"][0]), ["id", "title", "_distance"])


@SUITE.case("hotdata_search_text (fused)")
def searches_fused(context: Context) -> None:
    client = connect(context)
    made = tools(
        client, papers(client), search_table=PAPERS, search_column="content", search_embedding=StoredQueries()
    )
    query, _, vector = samples.judged_queries()[0]
    answer = call(made["hotdata_search_text"], query=query, k=5)
    sql = hl.bm25_search_sql(table=PAPERS, column="content", query=query, k=20, columns=["id"])
    by_text = [row[0] for row in client.execute_sql(sql, database=papers(client)).rows]
    scores: dict[int, float] = {}
    for ranked in (by_text, samples.nearest_papers(vector, 20)):
        for rank, key in enumerate(ranked, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (60 + rank)
    by_hand = sorted(scores, key=lambda key: (-scores[key], key))[:5]
    equal(ids(answer), by_hand)
    for row in answer["rows"]:
        close(row["score"], scores[row["id"]], 1e-12)


@SUITE.case("make_hotdata_tools(search_strategy=…)")
def honours_a_strategy(context: Context) -> None:
    client = connect(context)
    database = papers(client)
    options = {"search_table": PAPERS, "search_column": "content"}
    raises(ValueError, lambda: tools(client, database, search_strategy="semantic", **options))
    raises(ValueError, lambda: tools(client, database, search_strategy="hybrid", **options))
    made = tools(client, database, search_strategy="text", search_embedding=StoredQueries(), **options)
    query = samples.judged_queries()[0][0]
    sql = hl.bm25_search_sql(table=PAPERS, column="content", query=query, k=5, columns=["id"])
    expected = [row[0] for row in client.execute_sql(sql, database=database).rows]
    equal(ids(call(made["hotdata_search_text"], query=query)), expected)
    raises(
        ValueError,
        lambda: tools(client, database, search_table=PAPERS, search_column="embedding"),
    )


@SUITE.case("make_hotdata_tools(searchable_columns=…)")
def confirms_declared_columns(context: Context) -> None:
    client = connect(context)
    logging.getLogger("hotdata_langchain").setLevel(logging.ERROR)
    made = tools(
        client,
        papers(client),
        searchable_columns=[(PAPERS, "content"), (SEMANTIC, "content"), (PAPERS, "title")],
    )
    description = made["hotdata_execute_sql"].description
    holds(f"bm25_search('{PAPERS}', 'content'" in description, description)
    holds(f"vector_search('{SEMANTIC}', 'content'" in description, description)
    holds("'title'" not in description, "a column without an index is not named")


@SUITE.case("hotdata_search_text on a column without an index (handle_errors)")
def reports_a_missing_index(context: Context) -> None:
    client = connect(context)
    made = tools(client, papers(client), search_table=PAPERS, search_column="title", handle_errors=True)
    answer = call(made["hotdata_search_text"], query="graph")
    holds("No BM25 index found on column 'title' for" in answer["error"], answer)


@SUITE.case("vector_search_sql, vector_distance_sql, hybrid_search_sql under EXPLAIN")
def plans(context: Context) -> None:
    client = connect(context)
    database = papers(client)
    query, _, vector = samples.judged_queries()[0]

    def plan(sql: str) -> str:
        return "\n".join(str(row[1]) for row in client.execute_sql(f"EXPLAIN {sql}", database=database).rows)

    lookup = "USearchExec: table=default::public::papers::embedding, k="
    plain = hl.vector_distance_sql(table=PAPERS, column="embedding", vector=vector, columns=["id"])
    holds(f"{lookup}5, filtered=false" in plan(plain), plan(plain))
    fused = hl.hybrid_search_sql(
        table=PAPERS, column="content", vector_column="embedding", query=query, vector=vector
    )
    holds(f"{lookup}20, filtered=false" in plan(fused), plan(fused))
    by_meaning = hl.vector_search_sql(table=SEMANTIC, column="content", query=query)
    error = raises(RuntimeError, lambda: plan(by_meaning))
    holds("rewrite-only stub and must not execute directly" in hl.engine_error_message(error), error)


@SUITE.case("BM25, meaning and fused rankings of the 68 judged queries")
def ranks_as_measured(context: Context) -> None:
    client = connect(context)
    database = papers(client)
    sums = {"words": 0.0, "meaning": 0.0, "fused": 0.0}
    judged = samples.judged_queries()
    for query, relevant, vector in judged:
        statements = {
            "words": hl.bm25_search_sql(table=PAPERS, column="content", query=query, k=10, columns=["id"]),
            "meaning": hl.vector_distance_sql(table=PAPERS, column="embedding", vector=vector, k=10, columns=["id"]),
            "fused": hl.hybrid_search_sql(
                table=PAPERS, column="content", vector_column="embedding", query=query, vector=vector, k=10
            ),
        }
        for name, sql in statements.items():
            ranked = [row[0] for row in client.execute_sql(sql, database=database).rows]
            sums[name] += samples.ndcg_at_10(ranked, relevant)
    means = {name: total / len(judged) for name, total in sums.items()}
    print("nDCG@10:", ", ".join(f"{name} {mean:.4f}" for name, mean in means.items()), flush=True)
    close(means["meaning"], 0.4743, 5e-4)
    holds(0.44 < means["words"] < 0.50, means)
    holds(means["fused"] > max(means["words"], means["meaning"]), means)
