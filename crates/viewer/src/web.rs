//! The viewer on a canvas of a web page.
//!
//! In:  a canvas, and files that the page hands over. Out: the same program as in a window; files to be saved and
//! sentences to be read aloud go to the page.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::app::App;
use crate::link::Link;
use crate::state::How;
use crate::system::{lost::Lost, remember};
use crate::{Options, disk};

thread_local! {
    /// What the page wants to be opened.
    static WANTED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
    static CONTEXT: RefCell<Option<eframe::egui::Context>> = const { RefCell::new(None) };
    /// What is to become of the files that a person is choosing.
    static CHOOSING: Cell<Option<How>> = const { Cell::new(None) };
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
    /// The view that the page's address asks for, once its files are open.
    static LINK: RefCell<Option<Link>> = const { RefCell::new(None) };
}

/// What the page does for the program.
struct Page {
    save: Function,
    say: Function,
    choose: Function,
    link: Function,
}

/// The page saves a file, as a download.
pub(crate) fn save(name: &str, bytes: &[u8]) -> Result<(), String> {
    PAGE.with_borrow(|page| {
        let page = page.as_ref().ok_or("there is no page")?;
        let saved = page.save.call2(&JsValue::NULL, &name.into(), &Uint8Array::from(bytes));
        saved.map(drop).map_err(|_| "the browser does not save it".to_owned())
    })
}

/// The page has it read to those who do not see the canvas.
pub(crate) fn say(text: &str) {
    PAGE.with_borrow(|page| {
        if let Some(page) = page {
            // Nothing is lost but a comfort.
            let _ = page.say.call1(&JsValue::NULL, &text.into());
        }
    });
}

/// The page lets a person choose files.
pub(crate) fn choose(how: How) {
    CHOOSING.set(Some(how));
    PAGE.with_borrow(|page| {
        if let Some(page) = page {
            // A browser that refuses shows it itself.
            let _ = page.choose.call0(&JsValue::NULL);
        }
    });
}

/// The page's address leads to this view.
pub(crate) fn set_link(link: &Link) {
    PAGE.with_borrow(|page| {
        if let (Some(page), Ok(text)) = (page, serde_json::to_string(link)) {
            // A browser that refuses leaves the address as it was.
            let _ = page.link.call1(&JsValue::NULL, &text.into());
        }
    });
}

/// The view that the address asks for, once.
pub(crate) fn wanted_link() -> Option<Link> {
    LINK.take()
}

/// Files that the page has handed over since the last time, and what is to become of them where a person said so.
pub(crate) fn wanted() -> (Vec<PathBuf>, Option<How>) {
    let files = WANTED.take();
    let how = if files.is_empty() { None } else { CHOOSING.take() };
    (files, how)
}

/// The page's title is the window's.
pub(crate) fn name_page(title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// A file is there, by its path below what was dropped.
#[wasm_bindgen(js_name = putFile)]
pub fn put_file(path: String, bytes: Vec<u8>) {
    disk::put(path.into(), bytes);
}

/// Opens files that are there; `chosen` where a person was asked for them.
#[wasm_bindgen(js_name = openFiles)]
pub fn open_files(paths: Vec<String>, chosen: bool) {
    if !chosen {
        CHOOSING.set(None);
    }
    WANTED.with_borrow_mut(|wanted| wanted.extend(paths.into_iter().map(PathBuf::from)));
    CONTEXT.with_borrow(|context| context.iter().for_each(eframe::egui::Context::request_repaint));
}

/// Goes to the view that an address asks for, after the files that are being opened: names with their values, as JSON.
#[wasm_bindgen(js_name = followLink)]
pub fn follow_link(text: &str) {
    LINK.set(serde_json::from_str(text).ok());
    CONTEXT.with_borrow(|context| context.iter().for_each(eframe::egui::Context::request_repaint));
}

/// Starts the viewer on a canvas; `save(name, bytes)` makes a download, `say(text)` has something read aloud, `choose()`
/// lets a person choose files, `link(text)` is handed the view whenever it has changed, as [`follow_link`] takes it.
///
/// # Errors
/// When the browser gives nothing to draw with; in words.
#[wasm_bindgen]
pub async fn start(
    canvas: web_sys::HtmlCanvasElement,
    save: Function,
    say: Function,
    choose: Function,
    link: Function,
) -> Result<(), JsValue> {
    PAGE.set(Some(Page { save, say, choose, link }));
    let options = Options { remember: true, ..Options::default() };
    let make: eframe::AppCreator<'static> = Box::new(move |context| {
        CONTEXT.set(Some(context.egui_ctx.clone()));
        let app = App::new(context, options, remember::read(), Lost::default());
        app.map(|app| Box::new(app) as Box<dyn eframe::App>).map_err(Into::into)
    });
    eframe::WebRunner::new().start(canvas, web_options(), make).await
}

fn web_options() -> eframe::WebOptions {
    let mut options = eframe::WebOptions::default();
    options.wgpu_options = crate::device::configuration();
    options
}
