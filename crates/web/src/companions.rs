//! A file with its companions, which a page fetches one after the other.
//!
//! In:  a file's bytes; then the companions that reading it asked for.
//! Out: a model, once nothing is missing that can be had.
//!
//! Readers ask for companions at once, and a page can only fetch them later. So the file is read, what was missing is
//! named, fetched by the page, and the file is read again. Names lead only into the file's own folder: the importer
//! checks them before it asks.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;

use sinew::import::{Files, InMemory};
use sinew::{Model, Options};
use wasm_bindgen::prelude::*;

/// A file being read.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Loader {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) files: Companions,
    model: Option<Model>,
}

/// What is at hand, what is known to be missing, and what was asked for.
#[derive(Debug, Default)]
pub(crate) struct Companions {
    known: InMemory,
    absent: HashSet<String>,
    wanted: RefCell<BTreeSet<String>>,
}

impl Files for Companions {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        let found = self.known.fetch(name);
        if found.is_err() && !self.absent.contains(name) {
            self.wanted.borrow_mut().insert(name.to_owned());
        }
        found
    }

    fn own_name(&self) -> Option<&str> {
        self.known.own_name()
    }

    fn search(&self, base_name: &str) -> Option<Vec<u8>> {
        self.known.search(base_name)
    }
}

#[wasm_bindgen]
impl Loader {
    /// A file of this name with these bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, bytes: Vec<u8>) -> Self {
        let known = InMemory { files: HashMap::new(), own_name: Some(name.clone()) };
        let files = Companions { known, ..Companions::default() };
        Self { name, bytes, files, model: None }
    }

    /// A companion is there.
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.files.known.files.insert(name, bytes);
    }

    /// A companion is not to be had.
    pub fn absent(&mut self, name: String) {
        self.files.absent.insert(name);
    }

    /// Reads the file; gives the names of companions that it would like to have too. Read it again with these.
    ///
    /// # Errors
    /// When it cannot be used, and no companion would help.
    pub fn read(&mut self) -> Result<Vec<String>, JsError> {
        let options = Options::default();
        #[cfg(feature = "full")]
        let read = options.read(&self.bytes, &self.files);
        #[cfg(not(feature = "full"))]
        let read = options.read_as(sinew::import::Format::Gltf, &self.bytes, &self.files);
        let wanted: Vec<String> = self.files.wanted.take().into_iter().collect();
        if !wanted.is_empty() {
            return Ok(wanted);
        }
        let mut model = Model::from(read?);
        if model.name.is_empty() {
            model.name = self.name.clone();
        }
        self.model = Some(model);
        Ok(Vec::new())
    }

    /// Whether these bytes are a packed clip, which is read with its model alone.
    #[wasm_bindgen(js_name = isPacked)]
    pub fn is_packed(&self) -> bool {
        sinew::is_packed(&self.bytes)
    }

    /// The format's short name, by the file's content; empty when it is none that is known.
    #[cfg(feature = "full")]
    pub fn format(&self) -> String {
        let format = sinew::import::Format::detect(&self.bytes, Some(&self.name));
        format.map_or_else(String::new, |format| format.name().to_owned())
    }
}

impl Loader {
    pub(crate) fn take(&mut self) -> Option<Model> {
        self.model.take()
    }

    /// A model that is made by code.
    #[cfg(feature = "full")]
    pub(crate) fn built_in(name: &str) -> Option<Model> {
        let scene = sinew::built_in(name)?;
        let mut model = Model::from(scene);
        model.name = name.to_owned();
        Some(model)
    }
}
