//! What a tool is to a model and to a framework.

use crate::value::Value;

use super::schema::Schema;
pub(super) use super::schema::{
    array_schema, choice_schema, integer_schema, object_schema, scalar_schema, string_schema,
};

/// The longest description every provider takes whole.
pub const MAX_DESCRIPTION_CHARS: usize = 1_024;

/// A tool as it is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// What a call names.
    pub name: String,
    /// What a person sees.
    pub title: &'static str,
    /// What a model goes by; at most 1,024 characters.
    pub description: String,
    /// The arguments: an object.
    pub input_schema: Schema,
    /// What a framework goes by.
    pub annotations: Annotations,
}

/// MCP's hints on what a call may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotations {
    /// Changes nothing.
    pub read_only_hint: bool,
    /// May remove or overwrite.
    pub destructive_hint: bool,
    /// May be repeated without further effect.
    pub idempotent_hint: bool,
    /// Reaches beyond one closed system.
    pub open_world_hint: bool,
}

impl Annotations {
    /// For a tool that reads one database.
    pub const READS: Self = Self {
        read_only_hint: true,
        destructive_hint: false,
        idempotent_hint: true,
        open_world_hint: false,
    };
}

impl Definition {
    /// The definition under JavaScript names.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("name", (&self.name).into()),
            ("title", self.title.into()),
            ("description", (&self.description).into()),
            ("inputSchema", self.input_schema.to_value()),
            ("annotations", self.annotations.to_value()),
        ])
    }
}

impl Annotations {
    fn to_value(self) -> Value {
        Value::object([
            ("readOnlyHint", self.read_only_hint.into()),
            ("destructiveHint", self.destructive_hint.into()),
            ("idempotentHint", self.idempotent_hint.into()),
            ("openWorldHint", self.open_world_hint.into()),
        ])
    }
}
