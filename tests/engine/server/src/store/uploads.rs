//! Upload sessions and the bytes put under their URLs, as object storage would keep them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Mutex;

use bytes::{Bytes, BytesMut};
use hotdata_local_engine::error::{EngineError, Result};
use serde_json::Value;

use crate::state::lock;
use crate::store::ids;

const MIB: u64 = 1024 * 1024;
/// The part size when none is asked for.
const PART_SIZE: u64 = 8 * MIB;
/// Smaller parts are accepted only as the last one.
pub const MIN_PART_SIZE: u64 = 5 * MIB;
const MAX_PART_SIZE: u64 = 512 * MIB;
pub const MAX_PARTS: u64 = 10_000;
/// The largest upload: it is held in memory.
pub const MAX_UPLOAD: u64 = 1024 * MIB;
/// Sessions beyond this many are forgotten, oldest first.
const KEPT: usize = 1000;

/// What a caller says of a file before sending it.
#[derive(Debug, Default)]
pub struct NewUpload {
    pub declared_size: Option<u64>,
    pub part_size: Option<u64>,
    pub content_type: Option<String>,
}

/// A session as its creator is told of it, with storage tokens in the place of URLs.
#[derive(Debug)]
pub struct Session {
    pub upload_id: String,
    pub finalize_token: String,
    pub plan: Plan,
}

#[derive(Debug)]
pub enum Plan {
    Single {
        token: String,
    },
    Multipart {
        part_size: u64,
        tokens: Vec<String>,
    },
    /// The size is not known: tokens are minted part by part.
    Streaming {
        part_size: u64,
    },
}

/// A finalized upload.
#[derive(Debug, Clone)]
pub struct Finalized {
    pub upload_id: String,
    pub size: u64,
    pub content_type: Option<String>,
    pub created_at: String,
}

/// What a load gets when it claims an upload.
#[derive(Debug)]
pub enum Claim {
    Bytes {
        bytes: Bytes,
        content_type: Option<String>,
    },
    /// It was loaded before, and this was the answer.
    Receipt(Value),
}

struct Upload {
    id: String,
    finalize_token: String,
    declared_size: Option<u64>,
    content_type: Option<String>,
    created_at: String,
    multipart: bool,
    parts: BTreeMap<u32, Part>,
    stage: Stage,
}

struct Part {
    bytes: Bytes,
    etag: String,
}

enum Stage {
    Open,
    Ready(Bytes),
    /// A load is reading it.
    Claimed(Bytes),
    /// Loaded: where to, and the answer. The bytes are gone.
    Loaded {
        target: String,
        answer: Value,
    },
}

impl Upload {
    fn held(&self) -> usize {
        let staged = match &self.stage {
            Stage::Ready(bytes) | Stage::Claimed(bytes) => bytes.len(),
            Stage::Open | Stage::Loaded { .. } => 0,
        };
        staged + self.parts.values().map(|part| part.bytes.len()).sum::<usize>()
    }

    fn finalized(&self, size: u64) -> Finalized {
        Finalized {
            upload_id: self.id.clone(),
            size,
            content_type: self.content_type.clone(),
            created_at: self.created_at.clone(),
        }
    }
}

#[derive(Default)]
struct Sessions {
    uploads: VecDeque<Upload>,
    /// Storage token → upload and part number.
    tokens: HashMap<String, (String, u32)>,
}

impl Sessions {
    fn find(&mut self, id: &str) -> Result<&mut Upload> {
        self.uploads
            .iter_mut()
            .find(|upload| upload.id == id)
            .ok_or_else(|| EngineError::not_found(format!("Upload '{id}' not found")))
    }

    fn mint(&mut self, upload_id: &str, part: u32) -> Result<String> {
        let token = ids::token()?;
        self.tokens.insert(token.clone(), (upload_id.to_owned(), part));
        Ok(token)
    }
}

/// Bounded by the bytes held: the oldest sessions no load is reading go first.
pub struct UploadStore {
    sessions: Mutex<Sessions>,
    max_bytes: usize,
}

impl UploadStore {
    pub fn new(max_bytes: usize) -> Self {
        Self { sessions: Mutex::default(), max_bytes }
    }

    pub fn create(&self, new: NewUpload) -> Result<Session> {
        if let Some(size) = new.declared_size
            && size > MAX_UPLOAD
        {
            return Err(EngineError::bad_request(format!(
                "`declared_size_bytes` is {size}: this server accepts uploads up to {MAX_UPLOAD} bytes"
            )));
        }
        let fewest = new.declared_size.map_or(0, |size| size.div_ceil(MAX_PARTS));
        let part_size =
            new.part_size.unwrap_or(PART_SIZE).max(fewest).clamp(MIN_PART_SIZE, MAX_PART_SIZE);
        let upload_id = ids::random_id("upl_")?;
        let finalize_token = ids::token()?;

        let mut sessions = lock(&self.sessions);
        let plan = match new.declared_size {
            None => Plan::Streaming { part_size },
            Some(size) if size <= part_size => {
                Plan::Single { token: sessions.mint(&upload_id, 1)? }
            }
            Some(size) => {
                let parts = u32::try_from(size.div_ceil(part_size)).unwrap_or(u32::MAX);
                let tokens = (1..=parts)
                    .map(|part| sessions.mint(&upload_id, part))
                    .collect::<Result<_>>()?;
                Plan::Multipart { part_size, tokens }
            }
        };
        sessions.uploads.push_back(Upload {
            id: upload_id.clone(),
            finalize_token: finalize_token.clone(),
            declared_size: new.declared_size,
            content_type: new.content_type,
            created_at: ids::now(),
            multipart: !matches!(plan, Plan::Single { .. }),
            parts: BTreeMap::new(),
            stage: Stage::Open,
        });
        self.trim(&mut sessions, &upload_id);
        Ok(Session { upload_id, finalize_token, plan })
    }

    /// A token for each part, in the order asked.
    pub fn mint_parts(&self, id: &str, finalize_token: &str, parts: &[u32]) -> Result<Vec<String>> {
        let mut sessions = lock(&self.sessions);
        let upload = sessions.find(id)?;
        authorize(upload, finalize_token)?;
        if !upload.multipart {
            return Err(EngineError::bad_request(
                "a single upload has no parts: PUT the file to its `url`",
            ));
        }
        if !matches!(upload.stage, Stage::Open) {
            return Err(EngineError::conflict(format!("Upload '{id}' is already finalized")));
        }
        parts.iter().map(|part| sessions.mint(id, *part)).collect()
    }

    /// Which upload a storage token stands for, if any.
    pub fn knows(&self, token: &str) -> bool {
        lock(&self.sessions).tokens.contains_key(token)
    }

    /// Keeps a part's bytes and answers with their ETag, or nothing for a token that is not (or no longer) good.
    pub fn put(&self, token: &str, bytes: Bytes) -> Option<String> {
        let mut sessions = lock(&self.sessions);
        let (id, part) = sessions.tokens.get(token)?.clone();
        let upload = sessions.find(&id).ok()?;
        if !matches!(upload.stage, Stage::Open) {
            return None;
        }
        let etag = format!("\"{}\"", ids::digest(&[&bytes]));
        upload.parts.insert(part, Part { bytes, etag: etag.clone() });
        self.trim(&mut sessions, &id);
        Some(etag)
    }

    /// Joins the parts, once: the service refuses a second time, and so does this.
    pub fn finalize(
        &self,
        id: &str,
        finalize_token: &str,
        listed: Option<&[(u32, String)]>,
    ) -> Result<Finalized> {
        let mut sessions = lock(&self.sessions);
        let upload = sessions.find(id)?;
        authorize(upload, finalize_token)?;
        if !matches!(upload.stage, Stage::Open) {
            return Err(EngineError::conflict(format!("Upload '{id}' is already finalized")));
        }
        let order = part_order(upload, listed)?;
        let size: u64 = order
            .iter()
            .filter_map(|n| upload.parts.get(n))
            .map(|part| part.bytes.len() as u64)
            .sum();
        if let Some(declared) = upload.declared_size
            && declared != size
        {
            return Err(EngineError::bad_request(format!(
                "{size} bytes were uploaded, but `declared_size_bytes` is {declared}"
            )));
        }
        if size == 0 || size > MAX_UPLOAD {
            return Err(EngineError::bad_request(format!(
                "the upload holds {size} bytes: expected 1 to {MAX_UPLOAD}"
            )));
        }
        let mut parts = std::mem::take(&mut upload.parts);
        let whole = match order.as_slice() {
            [only] => parts.remove(only).map(|part| part.bytes).unwrap_or_default(),
            _ => {
                let mut whole = BytesMut::with_capacity(usize::try_from(size).unwrap_or_default());
                for number in &order {
                    // Removed one by one so that the upload is never held twice over.
                    if let Some(part) = parts.remove(number) {
                        whole.extend_from_slice(&part.bytes);
                    }
                }
                whole.freeze()
            }
        };
        upload.stage = Stage::Ready(whole);
        let finalized = upload.finalized(size);
        sessions.tokens.retain(|_, (owner, _)| owner != id);
        Ok(finalized)
    }

    /// Takes an upload for a load into `target` (a table and mode). [`Self::settle`] gives it back.
    pub fn claim(&self, id: &str, target: &str) -> Result<Claim> {
        let mut sessions = lock(&self.sessions);
        let upload = sessions.find(id)?;
        match &upload.stage {
            Stage::Open => Err(EngineError::conflict(format!("Upload '{id}' is not finalized"))),
            Stage::Claimed(_) => {
                Err(EngineError::conflict(format!("Upload '{id}' is being loaded")))
            }
            Stage::Loaded { target: known, answer, .. } if known == target => {
                Ok(Claim::Receipt(answer.clone()))
            }
            Stage::Loaded { target: known, .. } => {
                Err(EngineError::conflict(format!("Upload '{id}' was already loaded ({known})")))
            }
            Stage::Ready(bytes) => {
                let bytes = bytes.clone();
                upload.stage = Stage::Claimed(bytes.clone());
                Ok(Claim::Bytes { bytes, content_type: upload.content_type.clone() })
            }
        }
    }

    /// Ends a claim: with the load's answer the bytes are dropped, without one the upload can be loaded again.
    pub fn settle(&self, id: &str, target: &str, answer: Option<Value>) {
        let mut sessions = lock(&self.sessions);
        if let Ok(upload) = sessions.find(id)
            && let Stage::Claimed(bytes) = &upload.stage
        {
            let bytes = bytes.clone();
            upload.stage = match answer {
                Some(answer) => Stage::Loaded { target: target.to_owned(), answer },
                None => Stage::Ready(bytes),
            };
        }
    }

    fn trim(&self, sessions: &mut Sessions, keep: &str) {
        let mut held: usize = sessions.uploads.iter().map(Upload::held).sum();
        while held > self.max_bytes || sessions.uploads.len() > KEPT {
            let oldest = sessions
                .uploads
                .iter()
                .position(|upload| upload.id != keep && !matches!(upload.stage, Stage::Claimed(_)));
            let Some(dropped) = oldest.and_then(|at| sessions.uploads.remove(at)) else {
                break;
            };
            held -= dropped.held();
            sessions.tokens.retain(|_, (owner, _)| *owner != dropped.id);
        }
    }
}

fn authorize(upload: &Upload, finalize_token: &str) -> Result<()> {
    if upload.finalize_token == finalize_token {
        Ok(())
    } else {
        Err(EngineError::new(
            403,
            "FORBIDDEN",
            "X-Upload-Finalize-Token is not this upload's finalize token",
        ))
    }
}

/// The part numbers that make the file, ascending, after checking them against what was put.
fn part_order(upload: &Upload, listed: Option<&[(u32, String)]>) -> Result<Vec<u32>> {
    if upload.parts.is_empty() {
        return Err(EngineError::bad_request("nothing was uploaded: PUT the file first"));
    }
    let order: Vec<u32> = match listed {
        None if !upload.multipart => vec![1],
        None => {
            return Err(EngineError::bad_request(
                "`parts` is required to finalize a multipart upload",
            ));
        }
        Some(listed) => {
            for (number, etag) in listed {
                let known = upload.parts.get(number).map(|part| part.etag.trim_matches('"'));
                if known != Some(etag.trim_matches('"')) {
                    return Err(EngineError::bad_request(format!(
                        "`parts`: no part {number} with that `e_tag` was uploaded"
                    )));
                }
            }
            let mut order: Vec<u32> = listed.iter().map(|(number, _)| *number).collect();
            order.sort_unstable();
            order
        }
    };
    if order.iter().zip(1..).any(|(number, expected)| *number != expected) || order.is_empty() {
        return Err(EngineError::bad_request("`parts` must name each part once, from 1 on"));
    }
    let last = order.len() as u32;
    if let Some(short) = order.iter().find(|n| {
        **n != last
            && upload.parts.get(n).is_some_and(|part| (part.bytes.len() as u64) < MIN_PART_SIZE)
    }) {
        return Err(EngineError::bad_request(format!(
            "part {short} is smaller than {MIN_PART_SIZE} bytes, which only the last part may be"
        )));
    }
    Ok(order)
}
