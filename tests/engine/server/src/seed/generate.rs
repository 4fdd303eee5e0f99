//! Rows in the sample's shape, each mixed from two papers: for tests of load and scale, not of relevance.

use hotdata_local_engine::error::Result;

use super::corpus::Corpus;
use super::table::{Row, Rows, batch, schema};

const SEED: u64 = 0x5eed_0f9a_9e25;
const BATCH: usize = 8192;
/// How far a generated vector strays from the line between its parents, of which each number is about 0.05.
const NOISE: f32 = 0.02;

/// `count` rows with ids from 0; the same rows on every run.
pub fn rows(corpus: &Corpus, count: usize) -> Result<Rows> {
    let sentences: Vec<Vec<&str>> =
        corpus.papers.iter().map(|paper| paper.summary.split_inclusive(". ").collect()).collect();
    let schema = schema();
    let mut random = SplitMix(SEED);
    let mut batches = Vec::with_capacity(count.div_ceil(BATCH));
    for start in (0..count).step_by(BATCH) {
        let rows: Vec<Row> = (start..count.min(start + BATCH))
            .map(|id| row(id as i64, corpus, &sentences, &mut random))
            .collect();
        batches.push(batch(&schema, &rows)?);
    }
    Ok(Rows { schema, batches })
}

fn row(id: i64, corpus: &Corpus, sentences: &[Vec<&str>], random: &mut SplitMix) -> Row {
    let (a, b) = (random.below(corpus.papers.len()), random.below(corpus.papers.len()));
    let words = |at: usize| corpus.papers[at].title.split_whitespace().collect::<Vec<_>>();
    let (head, tail) = (words(a), words(b));
    let title = [&head[..head.len().div_ceil(2)], &tail[tail.len() / 2..]].concat().join(" ");

    let (first, second) = (&sentences[a], &sentences[b]);
    let summary = [&first[..random.below(first.len()) + 1], &second[random.below(second.len())..]]
        .concat()
        .concat();

    let share = random.unit();
    let mut embedding: Vec<f32> = corpus.vectors[a]
        .iter()
        .zip(&corpus.vectors[b])
        .map(|(x, y)| x * share + y * (1.0 - share) + (random.unit() - 0.5) * 2.0 * NOISE)
        .collect();
    let length = embedding.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    embedding.iter_mut().for_each(|x| *x /= length);

    Row { id, content: format!("{title}. {summary}"), title, summary, embedding }
}

/// SplitMix64: small, fast and the same everywhere.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// From 0 to 1, 1 excluded.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::RecordBatch;

    #[test]
    fn the_same_rows_on_every_run() -> Result<()> {
        let corpus = Corpus::embedded()?;
        let (one, two) = (rows(&corpus, 100)?, rows(&corpus, 100)?);
        assert_eq!(one.batches, two.batches);
        Ok(())
    }

    #[test]
    fn a_larger_table_begins_with_the_smaller_one() -> Result<()> {
        let corpus = Corpus::embedded()?;
        let small = rows(&corpus, 50)?;
        let large = rows(&corpus, BATCH + 50)?;
        assert_eq!(
            large.batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(),
            [BATCH, 50]
        );
        assert_eq!(small.batches[0], large.batches[0].slice(0, 50));
        Ok(())
    }
}
