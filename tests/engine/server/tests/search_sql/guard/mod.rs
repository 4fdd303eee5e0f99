//! The lexer and the guard against writing, beside the tokenizer and the parser of the engine.

mod lexing;
mod random;
mod reading;
