//! What can be told of SQL that others wrote, without running it.

mod date_template;
mod lexer;
mod read_only;

pub use date_template::date_templates;
pub use read_only::is_read_only;
