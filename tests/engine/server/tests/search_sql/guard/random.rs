//! Random texts of SQL pieces.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// Up to `most` pieces, apart by white space or not.
    pub fn text(&mut self, pieces: &[&str], most: usize, gaps: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..self.below(most) + 1 {
            text.push_str(self.one(pieces));
            text.push_str(self.one(gaps));
        }
        text
    }
}
