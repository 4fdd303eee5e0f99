//! A transport that answers from a list and remembers what it was asked.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::error::{Code, Error, Result};
use crate::value::Value;

use super::transport::{Request, Response, Transport};
use super::{Client, Settings};

#[derive(Debug, Clone)]
pub(crate) struct Canned {
    status: u16,
    content_type: &'static str,
    body: String,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    answers: Rc<RefCell<VecDeque<Canned>>>,
    pub asked: Rc<RefCell<Vec<Request>>>,
    pub slept: Rc<RefCell<Vec<u32>>>,
    clock: Rc<Cell<f64>>,
}

impl Script {
    /// Adds a JSON answer to the end of the list.
    pub fn json(self, status: u16, body: serde_json::Value) -> Self {
        self.text(status, "application/json", &body.to_string())
    }

    pub fn text(self, status: u16, content_type: &'static str, body: &str) -> Self {
        self.answers.borrow_mut().push_back(Canned { status, content_type, body: body.to_owned() });
        self
    }

    pub fn client(&self, options: serde_json::Value) -> Client<Script> {
        Client::new(Settings::parse(&Value::from(options)).unwrap(), self.clone())
    }

    pub fn pass_time(&self, milliseconds: f64) {
        self.clock.set(self.clock.get() + milliseconds);
    }

    /// `METHOD path?query` of each request, in order.
    pub fn lines(&self) -> Vec<String> {
        let line = |request: &Request| {
            let path = request.url.split_once("/v1").map_or("", |(_, path)| path);
            let query: Vec<_> =
                request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{} {path}?{}", request.method.as_str(), query.join("&"))
                .trim_end_matches('?')
                .to_owned()
        };
        self.asked.borrow().iter().map(line).collect()
    }

    pub fn bodies(&self) -> Vec<serde_json::Value> {
        let asked = self.asked.borrow();
        asked
            .iter()
            .filter_map(|r| r.body.as_deref())
            .map(|b| serde_json::from_str(b).unwrap())
            .collect()
    }
}

impl Response for Canned {
    type Rows = serde_json::Value;

    fn status(&self) -> u16 {
        self.status
    }

    fn header(&self, name: &str) -> Option<String> {
        (name == "content-type").then(|| self.content_type.to_owned())
    }

    async fn text(self) -> Result<String> {
        Ok(self.body)
    }

    async fn table(self, _: bool) -> Result<(String, Option<(Self::Rows, usize)>)> {
        let mut body: serde_json::Value = serde_json::from_str(&self.body)
            .map_err(|error| Error::new(Code::UnexpectedResponse, error.to_string()))?;
        let rows = body.as_object_mut().and_then(|body| body.remove("rows")).unwrap_or_default();
        let count = rows.as_array().map_or(0, Vec::len);
        Ok((body.to_string(), Some((rows, count))))
    }
}

impl Transport for Script {
    type Response = Canned;

    async fn send(&self, request: Request) -> Result<Canned> {
        self.asked.borrow_mut().push(request);
        let answer = self.answers.borrow_mut().pop_front();
        answer.ok_or_else(|| Error::new(Code::Network, "the script has no further answer"))
    }

    async fn sleep(&self, milliseconds: u32) -> Result<()> {
        self.slept.borrow_mut().push(milliseconds);
        self.pass_time(f64::from(milliseconds));
        Ok(())
    }

    fn now(&self) -> f64 {
        self.clock.get()
    }
}

/// Runs a future that a [`Script`] never leaves waiting.
pub(crate) fn run<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut context) {
        std::task::Poll::Ready(output) => output,
        std::task::Poll::Pending => unreachable!("a script answers at once"),
    }
}
