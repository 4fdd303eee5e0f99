//! A transport that answers from a list and remembers what it was asked.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::error::{Code, Error, Result};
use crate::value::Value;

use super::transport::{Request, Response, Table, Transport};
use super::{Allowed, ByteSource, Client, Integers, Settings};

#[derive(Debug, Clone)]
pub(crate) struct Canned {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// What a request meets.
#[derive(Debug, Clone)]
enum Turn {
    Answer(Canned),
    Failure(Error),
}

/// Address, headers and bytes.
type Put = (String, Vec<(String, String)>, Vec<u8>);

#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    turns: Rc<RefCell<VecDeque<Turn>>>,
    pub asked: Rc<RefCell<Vec<Request>>>,
    /// Everything put into storage.
    pub put: Rc<RefCell<Vec<Put>>>,
    pub slept: Rc<RefCell<Vec<u32>>>,
    clock: Rc<Cell<f64>>,
}

impl Script {
    /// Adds a JSON answer to the end of the list.
    pub fn json(self, status: u16, body: serde_json::Value) -> Self {
        self.text(status, "application/json", &body.to_string())
    }

    pub fn text(self, status: u16, content_type: &str, body: &str) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        let answer = Canned { status, headers, body: body.to_owned() };
        self.turns.borrow_mut().push_back(Turn::Answer(answer));
        self
    }

    /// Gives the last answer one more header.
    pub fn header(self, name: &str, value: &str) -> Self {
        if let Some(Turn::Answer(answer)) = self.turns.borrow_mut().back_mut() {
            answer.headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Adds a request that gets no answer.
    pub fn fails(self, code: Code) -> Self {
        self.turns.borrow_mut().push_back(Turn::Failure(Error::new(code, "no answer")));
        self
    }

    fn turn(&self) -> Result<Canned> {
        match self.turns.borrow_mut().pop_front() {
            Some(Turn::Answer(answer)) => Ok(answer),
            Some(Turn::Failure(error)) => Err(error),
            None => Err(Error::new(Code::Internal, "the script has no further answer")),
        }
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
    type Stream = String;

    fn status(&self) -> u16 {
        self.status
    }

    fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    }

    fn text(self) -> String {
        self.body
    }

    fn float(number: &str) -> f64 {
        number.parse().unwrap()
    }

    fn table(self, _: Integers, _: u64) -> Result<Table<Self::Rows>> {
        let Ok(mut body) = serde_json::from_str::<serde_json::Value>(&self.body) else {
            return Ok((self.body, None));
        };
        let rows = body.as_object_mut().and_then(|body| body.remove("rows")).unwrap_or_default();
        let count = rows.as_array().map_or(0, Vec::len);
        Ok((body.to_string(), Some((rows, count))))
    }

    fn stream(self) -> String {
        self.body
    }
}

impl Transport for Script {
    type Response = Canned;
    type Bytes = Vec<u8>;

    async fn send(&self, request: &Request, _: Allowed) -> Result<Canned> {
        self.asked.borrow_mut().push(request.clone());
        self.turn()
    }

    async fn store(
        &self,
        url: &str,
        headers: &[(String, String)],
        bytes: &Vec<u8>,
        _: Allowed,
    ) -> Result<Canned> {
        self.put.borrow_mut().push((url.to_owned(), headers.to_vec(), bytes.clone()));
        self.turn()
    }

    async fn sleep(&self, milliseconds: u32) -> Result<()> {
        self.slept.borrow_mut().push(milliseconds);
        self.pass_time(f64::from(milliseconds));
        Ok(())
    }

    fn now(&self) -> f64 {
        self.clock.get()
    }

    fn random(&self) -> f64 {
        0.5
    }
}

/// Bytes given in parts.
#[derive(Debug)]
pub(crate) struct Parts {
    pub left: RefCell<Vec<u8>>,
    pub size: Option<u64>,
    pub format: Option<&'static str>,
    pub told: RefCell<Vec<u64>>,
}

impl Parts {
    pub fn of(bytes: &[u8], size: Option<u64>) -> Self {
        let (left, told) = (RefCell::new(bytes.to_vec()), RefCell::default());
        Self { left, size, format: Some("csv"), told }
    }
}

impl ByteSource for Parts {
    type Bytes = Vec<u8>;

    fn size(&self) -> Option<u64> {
        self.size
    }

    fn format(&self) -> Option<&'static str> {
        self.format
    }

    async fn next(&self, most: u64) -> Result<Option<(Vec<u8>, u64)>> {
        let mut left = self.left.borrow_mut();
        let length = left.len().min(most as usize);
        let part: Vec<u8> = left.drain(..length).collect();
        Ok((length > 0).then_some((part, length as u64)))
    }

    fn stored(&self, bytes: u64) {
        self.told.borrow_mut().push(bytes);
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
