//! Has the interpreter ask the meter every so many instructions, in every coroutine.
//!
//! In:  a meter. Out: a Lua error in the script, once a limit is passed.
//!
//! The bindings can set such a hook too, but when it fails they first empty the frame that it interrupted, which runs the
//! `__close` handlers of a script at a time when the interpreter does not count: a loop there would never end. So the hook is
//! ours, and raises the error as Lua's manual says. This is the only file of the crate with unsafe code.
#![allow(unsafe_code, reason = "a hook that raises an error can only be set in this way")]

use std::cell::RefCell;
use std::ffi::c_char;
use std::rc::Rc;

use mlua::{Lua, ffi};

use crate::limits::Meter;

/// Instructions between two looks at the meter.
const INTERVAL: u16 = 500;

thread_local! {
    /// Of the script that is at work in this thread.
    static METER: RefCell<Option<Rc<Meter>>> = const { RefCell::new(None) };
}

/// Has a meter count while the work is done.
pub(crate) fn counted<T>(meter: &Rc<Meter>, work: impl FnOnce() -> T) -> T {
    struct Back(Option<Rc<Meter>>);
    impl Drop for Back {
        fn drop(&mut self) {
            METER.set(self.0.take());
        }
    }
    let _back = Back(METER.replace(Some(Rc::clone(meter))));
    work()
}

/// Sets the hook. Coroutines inherit it from whoever makes them.
pub(super) fn watch(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: the closure leaves the stack as it was, and the hook may be called at any time.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            ffi::lua_sethook(state, Some(on_count), ffi::LUA_MASKCOUNT, i32::from(INTERVAL));
        })
    }
}

/// What the meter says after some more instructions: a message, when it is the end.
fn ask() -> Option<(*const c_char, usize)> {
    METER.with_borrow(|meter| {
        let message = meter.as_ref()?.count(u64::from(INTERVAL))?;
        Some((message.as_ptr().cast(), message.len()))
    })
}

unsafe extern "C-unwind" fn on_count(state: *mut ffi::lua_State, _: *mut ffi::lua_Debug) {
    let Some((message, length)) = ask() else { return };
    // SAFETY: Lua calls with a state that has room for twenty values. The message belongs to the meter, which the call into
    // the script holds until it comes back. Nothing here waits to be dropped when the error leaves.
    unsafe {
        ffi::luaL_where(state, 0);
        ffi::lua_pushlstring(state, message, length);
        ffi::lua_concat(state, 2);
        ffi::lua_error(state);
    }
}
