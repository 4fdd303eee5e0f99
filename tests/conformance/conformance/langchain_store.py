"""hotdata-langchain: HotdataVectorStore."""

from __future__ import annotations

import uuid
import zlib

import hotdata_langchain as hl
import numpy as np
from hotdata_framework import HotdataClient, ManagedDatabase
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores.utils import maximal_marginal_relevance

from conformance.framework_client import connect
from conformance.langchain_tools import CLIENT
from conformance.recorder import Context, Suite, close, equal, holds, raises

SUITE = Suite(CLIENT)

TEXTS = ["quiet garden", "garden with plants", "busy street", "quiet street", "loft above a bakery", "plants"]
KINDS = ["green", "green", "grey", "grey", "home", "green"]


class HashedWords(Embeddings):
    """Sixteen numbers a text, drawn from its words: the same on every run, no model."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        total = np.zeros(16)
        for word in text.split():
            total += np.random.default_rng(zlib.crc32(word.encode())).normal(size=16)
        return total.astype(np.float32).tolist()


EMBED = HashedWords()


def store(context: Context, **options: object) -> tuple[HotdataClient, ManagedDatabase, hl.HotdataVectorStore]:
    client = connect(context)
    database = client.create_managed_database(f"store-{uuid.uuid4().hex[:8]}")
    options.setdefault("metadata_columns", {"kind": "string", "rank": "int", "weight": "float", "fresh": "bool"})
    made = hl.HotdataVectorStore(client, EMBED, database_id=database.id, **options)
    return client, database, made


def filled(context: Context, **options: object) -> tuple[HotdataClient, ManagedDatabase, hl.HotdataVectorStore]:
    client, database, made = store(context, **options)
    metadatas = [
        {"kind": kind, "rank": at, "weight": at / 2, "fresh": at % 2 == 0, "nested": {"at": at}}
        for at, kind in enumerate(KINDS)
    ]
    ids = made.add_texts(TEXTS, metadatas, ids=[f"d{at}" for at in range(len(TEXTS))])
    equal(ids, [f"d{at}" for at in range(len(TEXTS))])
    return client, database, made


def by_hand(query: str, metric: str) -> list[tuple[str, float]]:
    wanted = np.array(EMBED.embed_query(query))
    found = []
    for at, text in enumerate(TEXTS):
        vector = np.array(EMBED.embed_query(text))
        distance = {
            "cosine": 1 - float(vector @ wanted / np.linalg.norm(vector) / np.linalg.norm(wanted)),
            "l2": float(((vector - wanted) ** 2).sum()),
            "dot": -float(vector @ wanted),
        }[metric]
        found.append((f"d{at}", distance))
    return sorted(found, key=lambda one: one[1])


@SUITE.case("HotdataVectorStore.add_texts, similarity_search_with_score")
def searches(context: Context) -> None:
    for metric in ("cosine", "l2", "dot"):
        *_, made = filled(context, distance=metric)
        scored = made.similarity_search_with_score("quiet garden", k=6)
        expected = by_hand("quiet garden", metric)
        equal([document.id for document, _ in scored], [key for key, _ in expected])
        for (_, score), (_, distance) in zip(scored, expected, strict=True):
            close(score, distance, 1e-3 * max(1.0, abs(distance)))
        equal(scored[0][0].page_content, TEXTS[int(expected[0][0][1:])])


@SUITE.case("HotdataVectorStore.similarity_search(filter=…)")
def filters(context: Context) -> None:
    *_, made = filled(context)
    for filter, expected in (
        ({"kind": "grey"}, {"d2", "d3"}),
        ({"rank": 4}, {"d4"}),
        ({"weight": 2.5}, {"d5"}),
        ({"fresh": True, "kind": "green"}, {"d0"}),
        ({"kind": "it's"}, set()),
    ):
        equal({document.id for document in made.similarity_search("quiet", k=6, filter=filter)}, expected)
    metadata = made.similarity_search("quiet garden", k=1)[0].metadata
    equal(metadata, {"kind": "green", "rank": 0, "weight": 0.0, "fresh": True, "nested": {"at": 0}})


@SUITE.case("HotdataVectorStore.add_texts over known ids")
def replaces(context: Context) -> None:
    client, database, made = filled(context)
    made.add_texts(["a new text", "one more"], [{"kind": "new"}, {"kind": "new"}], ids=["d1", "d9"])
    count = client.execute_sql(f"SELECT COUNT(id) AS n FROM {made.table_ref}", database=database).rows
    equal(count, [[7]])
    equal([one.page_content for one in made.get_by_ids(["d1"])], ["a new text"])


@SUITE.case("HotdataVectorStore.add_documents (ids made)")
def makes_ids(context: Context) -> None:
    *_, made = store(context)
    ids = made.add_documents([Document(page_content="one"), Document(page_content="two", id="two")])
    equal((len(set(ids)), ids[1]), (2, "two"))
    equal({one.page_content for one in made.get_by_ids(ids)}, {"one", "two"})


@SUITE.case("HotdataVectorStore.get_by_ids")
def gets(context: Context) -> None:
    *_, made = filled(context)
    equal({one.id for one in made.get_by_ids(["d2", "nosuch", "d0"])}, {"d0", "d2"})
    equal(made.get_by_ids([]), [])


@SUITE.case("HotdataVectorStore.delete")
def deletes(context: Context) -> None:
    client, database, made = filled(context)
    equal(made.delete(["d0", "nosuch", "d5"]), True)
    rows = client.execute_sql(f"SELECT id FROM {made.table_ref} ORDER BY id", database=database).rows
    equal(rows, [["d1"], ["d2"], ["d3"], ["d4"]])


@SUITE.case("HotdataVectorStore.max_marginal_relevance_search")
def diversifies(context: Context) -> None:
    *_, made = filled(context)
    query = "quiet garden"
    candidates = [key for key, _ in by_hand(query, "cosine")][:5]
    vectors = [EMBED.embed_query(TEXTS[int(key[1:])]) for key in candidates]
    for balance in (0.0, 0.3, 1.0):
        chosen = maximal_marginal_relevance(np.array(EMBED.embed_query(query)), vectors, k=3, lambda_mult=balance)
        found = made.max_marginal_relevance_search(query, k=3, fetch_k=5, lambda_mult=balance)
        equal([one.id for one in found], [candidates[at] for at in chosen])


@SUITE.case("HotdataVectorStore.create_index")
def indexes(context: Context) -> None:
    client, database, made = filled(context)
    before = made.similarity_search_with_score("quiet garden", k=3)
    built = made.create_index(poll_interval_s=0.05)
    equal((built.index_type, built.metric, built.status), ("vector", "cosine", "ready"))
    equal(made.create_index(), None)
    after = made.similarity_search_with_score("quiet garden", k=3)
    equal([(one.id, score) for one, score in after], [(one.id, score) for one, score in before])
    vector = "ARRAY[" + ", ".join(repr(value) for value in EMBED.embed_query("quiet garden")) + "]"
    sql = (
        f"EXPLAIN SELECT id, content, metadata_json, cosine_distance(embedding, {vector}) AS dist "
        f"FROM {made.table_ref} WHERE kind = 'green' ORDER BY dist ASC LIMIT 3"
    )
    plan = "\n".join(str(row[1]) for row in client.execute_sql(sql, database=database).rows)
    holds("USearchExec: table=default::public::vectors::embedding, k=3, filtered=true" in plan, plan)


@SUITE.case("HotdataVectorStore.create_index (another metric exists)")
def refuses_another_metric(context: Context) -> None:
    client, database, made = filled(context)
    made.create_index(poll_interval_s=0.05)
    options = {"metadata_columns": {"kind": "string", "rank": "int", "weight": "float", "fresh": "bool"}}
    other = hl.HotdataVectorStore(client, EMBED, database_id=database.id, distance="l2", **options)
    error = raises(ValueError, lambda: other.create_index())
    holds("with metric 'cosine', but this store searches with 'l2'" in str(error), error)


@SUITE.case("HotdataVectorStore.create_index before the first write")
def refuses_an_empty_table(context: Context) -> None:
    *_, made = store(context)
    error = raises(RuntimeError, lambda: made.create_index(poll_interval_s=0.05))
    holds(str(error), error)


@SUITE.case("HotdataVectorStore.from_texts(create_index=True), as_retriever")
def builds_from_texts(context: Context) -> None:
    client = connect(context)
    database = client.create_managed_database(f"store-{uuid.uuid4().hex[:8]}")
    made = hl.HotdataVectorStore.from_texts(TEXTS, EMBED, client=client, database_id=database.id, create_index=True)
    found = made.as_retriever(search_kwargs={"k": 2}).invoke("plants")
    equal(found[0].page_content, "plants")
    equal(len(found), 2)
    relevance = made.similarity_search_with_relevance_scores("plants", k=1)[0][1]
    close(relevance, 1.0, 1e-5)


@SUITE.case("HotdataVectorStore with other promoted columns than the table's")
def reports_a_missing_column(context: Context) -> None:
    client, database, _ = filled(context)
    other = hl.HotdataVectorStore(client, EMBED, database_id=database.id)
    error = raises(RuntimeError, lambda: other.add_texts(["x"]))
    holds("upload is missing column" in str(error), error)
