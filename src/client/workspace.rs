//! The workspace that a request goes to.

use crate::error::{Code, Error, Result};
use crate::text::join;
use crate::value::Fields;

use super::transport::{Method, Transport};
use super::{Client, answer, settings};

impl<T: Transport> Client<T> {
    /// The workspace named in the settings, else the only active one there is.
    pub(super) async fn workspace(&self) -> Result<String> {
        if let Some(id) = &self.settings.workspace_id {
            return Ok(id.clone());
        }
        if let Some(id) = &self.known.borrow().workspace {
            return Ok(id.clone());
        }
        let mut request = self.request(Method::Get, &["workspaces"])?;
        request.in_workspace = false;
        let (_, answer) = self.exchange(request).await?;
        let active = answer::read(&answer, |fields| {
            let mut active = Vec::new();
            for workspace in fields.required_items("workspaces")? {
                let workspace = Fields::of_answer(&workspace)?;
                if workspace.bool("active")? == Some(true) {
                    let name = workspace.owned_text("name")?.unwrap_or_default();
                    active.push((answer::promised(&workspace, "public_id")?, name));
                }
            }
            Ok(active)
        })?;
        let [(only, _)] = active.as_slice() else {
            let found = join(&mut active.iter().map(|(id, name)| format!("{id} ({name})")), ", ");
            let found = if found.is_empty() { "none".to_owned() } else { found };
            return Err(Error::new(
                Code::InvalidArgument,
                format!(
                    "`workspaceId` is missing, and this key does not have exactly one active workspace: {found}"
                ),
            ));
        };
        settings::header_safe("workspaceId", only)?;
        self.known.borrow_mut().workspace = Some(only.clone());
        Ok(only.clone())
    }
}
