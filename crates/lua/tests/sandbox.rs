//! Every way out of the sandbox that we could think of, tried and refused.

mod common;

use common::{Folder, bad, ends, good, run_in, tight};
use sinew_lua::{Limits, Options, Script};

#[test]
fn a_script_finds_these_names_and_no_others() {
    let text = r#"
        local all = {}
        for name, value in pairs(_G) do
            if type(value) == "table" and name ~= "_G" then
                for inner in pairs(value) do all[#all + 1] = name .. "." .. inner end
            else
                all[#all + 1] = name
            end
        end
        table.sort(all)
        print(table.concat(all, " "))
    "#;
    let expected = "AnimationClip Awake _G _VERSION assert collectgarbage coroutine.close coroutine.create \
        coroutine.isyieldable coroutine.resume coroutine.running coroutine.status coroutine.wrap coroutine.yield error \
        getmetatable ipairs load math.abs math.acos math.asin math.atan math.atan2 math.ceil math.cos math.cosh math.deg \
        math.exp math.floor math.fmod math.frexp math.huge math.ldexp math.log math.log10 math.max math.maxinteger math.min math.mininteger math.modf math.pi math.pow math.rad \
        math.random math.randomseed math.sin math.sinh math.sqrt math.tan math.tanh math.tointeger math.type math.ult next pairs pcall print \
        rawequal rawget rawlen rawset require select setmetatable sinew.actor sinew.ambient sinew.background sinew.camera \
        sinew.draw sinew.environment sinew.exposure sinew.floor sinew.fog sinew.frame sinew.ground sinew.light sinew.occlusion sinew.open sinew.reflection sinew.shadows sinew.show \
        sinew.sky sinew.theme sinew.time sinew.tone string.byte string.char string.find string.format string.gmatch string.gsub string.len \
        string.lower string.match string.pack string.packsize string.rep string.reverse string.sub string.unpack \
        string.upper table.concat table.insert table.move table.pack table.remove table.sort table.unpack tonumber \
        tostring type utf8.char utf8.charpattern utf8.codepoint utf8.codes utf8.len utf8.offset xpcall";
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(good(text)[0], expected.join(" "));
}

#[test]
fn libraries_that_reach_out_are_not_there() {
    for text in [
        "os.execute('true')",
        "os.exit(0)",
        "io.open('/etc/passwd')",
        "io.popen('ls')",
        "debug.getregistry()",
        "debug.sethook()",
        "package.loadlib('libc.so.6', '*')",
        "package.cpath = ''",
        "dofile('/etc/passwd')",
        "loadfile('/etc/passwd')",
        "warn('@on')",
        "string.dump(print)",
        "('').dump(print)",
    ] {
        let error = bad(text);
        assert!(error.message.contains("a nil value"), "{text}: {error}");
        assert!(error.message.contains("script.lua:1: "), "{text}: {error}");
    }
    for text in [
        "require('os')",
        "require('io')",
        "require('debug')",
        "require('package')",
        "require('socket.core')",
    ] {
        let error = bad(text);
        assert!(
            error.message.contains("there is no such file in the script's folder"),
            "{text}: {error}"
        );
    }
}

#[test]
fn bytecode_is_refused_wherever_it_comes_from() {
    let bytecode = r#"string.char(27) .. "Lua" .. string.rep("\0", 40)"#;
    for text in [
        format!("assert(load({bytecode}))"),
        format!("assert(load({bytecode}, 'x', 't'))"),
        format!("assert(load({bytecode}, 'x', 'bt'))"),
        format!("assert(load({bytecode}, 'x', 'b'))"),
        format!(
            "local done; assert(load(function() if not done then done = true return {bytecode} end end))"
        ),
    ] {
        let error = bad(&text);
        let refused = ["binary chunk", "bytecode"].iter().any(|word| error.message.contains(word));
        assert!(refused, "{text}: {error}");
    }
    let folder = Folder::new();
    folder.write("code.lua", b"\x1bLua\x54\0\x19\x93\r\n\x1a\n");
    let error = run_in(&folder, "require('code')", tight(), 0).expect_err("bytecode");
    assert!(error.message.contains("binary chunk"), "{error}");
    let path = folder.write("main.lua", b"\x1bLua\x54\0\x19\x93\r\n\x1a\n");
    let error = Script::open(path, &Options::default()).expect_err("bytecode");
    assert!(error.message.contains("binary chunk"), "{error}");
}

#[test]
fn files_outside_of_the_scripts_folder_are_refused() {
    let folder = Folder::new();
    std::fs::write(folder.above().join("secret.lua"), "return 'secret'").expect("a file");
    std::fs::write(folder.above().join("secret.obj"), "v 0 0 0\n").expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.lua", folder.own().join("link.lua")).expect("a link");
        std::os::unix::fs::symlink("../secret.obj", folder.own().join("link.obj")).expect("a link");
        std::os::unix::fs::symlink("..", folder.own().join("up")).expect("a link");
    }
    let secret = folder.above().join("secret");
    let secret = secret.to_string_lossy();
    for call in [
        "require('../secret')".to_owned(),
        "require('...secret')".to_owned(),
        "require('x/../../secret')".to_owned(),
        "require('..\\\\secret')".to_owned(),
        format!("require('{secret}')"),
        format!("sinew.open('{secret}.obj')"),
        "sinew.open('../secret.obj')".to_owned(),
        "sinew.open('x/../../secret.obj')".to_owned(),
        "sinew.open('..\\\\secret.obj')".to_owned(),
        "sinew.open('file:///etc/passwd')".to_owned(),
        "sinew.open('C:/secret.obj')".to_owned(),
        "sinew.open('ossi', '../secret.obj')".to_owned(),
        "sinew.open('ossi', {'../secret.obj'})".to_owned(),
        "sinew.open('link.obj')".to_owned(),
        "sinew.open('up/secret.obj')".to_owned(),
        "require('link')".to_owned(),
        "require('up/secret')".to_owned(),
        "sinew.actor('../secret.obj')".to_owned(),
        "AnimationClip():LoadFromFile('../secret.obj')".to_owned(),
        "AnimationClip():LoadFromFile('/etc/passwd')".to_owned(),
        "sinew.open('secret.obj\\0.glb')".to_owned(),
        "sinew.open('')".to_owned(),
        "sinew.open('.')".to_owned(),
    ] {
        let error = run_in(&folder, &call, tight(), 0).expect_err(&call);
        assert!(
            error.message.starts_with(&*folder.own().join("script.lua").to_string_lossy())
                || error.message.contains("script.lua:1"),
            "{call}: {error}"
        );
        assert!(error.message.contains("script's folder"), "{call}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_folder_is_not_waited_for() {
    let folder = Folder::new();
    let pipe = folder.own().join("pipe.lua");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|s| s.success());
    assert!(made, "a pipe");
    std::os::unix::fs::symlink("/dev/zero", folder.own().join("zero.lua")).expect("a link");
    let error = run_in(&folder, "require('pipe')", tight(), 0).expect_err("a pipe");
    assert!(error.message.contains("no plain file"), "{error}");
    let error = run_in(&folder, "require('zero')", tight(), 0).expect_err("a device");
    assert!(error.message.contains("leads out"), "{error}");
}

#[test]
fn what_goes_on_forever_ends() {
    for text in [
        "while true do end",
        "::again:: goto again",
        "repeat until false",
        "local function f() return f() end f()",
        "for i = 1, math.huge do end",
        "while true do pcall(function() while true do end end) end",
        "while true do pcall(pcall, pcall, error) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
        "while true do select(2, xpcall(error, function(e) while true do end end)) end",
        "local co = coroutine.wrap(function() while true do end end) co()",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "local co = coroutine.create(function() while true do pcall(function() while true do end end) end end) while true do coroutine.resume(co) end",
        "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
        "local function spawn() while true do coroutine.resume(coroutine.create(spawn)) end end spawn()",
        "local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) coroutine.yield() end) coroutine.resume(co) coroutine.close(co)",
        "for _ in function() while true do end end, 1, 1, setmetatable({}, {__close = function() while true do end end}) do end",
        "local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end",
        "('x'):gsub('x', function() local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end end)",
        "for i = 1, 9 do pcall(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end end) end while true do end",
        "table.sort({3, 2, 1}, function() while true do end end)",
        "table.sort(setmetatable({}, {__len = function() return 1 << 30 end}), tonumber)",
        "table.sort(setmetatable({}, {__len = function() return math.maxinteger end}), function() return false end)",
        "table.insert(setmetatable({}, {__len = function() return math.maxinteger - 1 end}), 1, 1)",
        "table.remove(setmetatable({}, {__len = function() return math.maxinteger - 1 end}), 1)",
        "table.move({}, 1, math.maxinteger - 1, 2)",
        "table.concat(setmetatable({}, {__index = table.concat}), '', 1, math.maxinteger)",
        "table.concat(setmetatable({}, {__index = function() return '' end, __len = function() return math.maxinteger end}))",
        "table.unpack(setmetatable({}, {__index = function() while true do end end}), 1, 100)",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) pcall(function() return t[1] end) while true do end",
        "local a = setmetatable({}, {__eq = function() while true do end end}) return a == setmetatable({}, getmetatable(a))",
        "return setmetatable({}, {__lt = function() while true do end end}) < {}",
        "return setmetatable({}, {__concat = function() while true do end end}) .. 'x'",
        "for _ in setmetatable({}, {__call = function() return 1 end}) do end",
        "for _ in pairs(setmetatable({}, {__pairs = function() return function() return 1 end end})) do end",
        "print(setmetatable({}, {__tostring = function() while true do end end}))",
        "error(setmetatable({}, {__tostring = function() while true do end end}))",
        "string.find(('a'):rep(100000), '.-.-.-.-.-b')",
        "('a'):rep(50000):match(('a*'):rep(30) .. 'b')",
        "for _ in ('a'):rep(50000):gmatch('.-.-.-b') do end",
        "('a'):rep(50000):gsub('.-.-.-b', '')",
        "string.find(('('):rep(100000), '%b()%b()%b()')",
        "string.find(('a'):rep(100000), ('a'):rep(50000) .. 'b', 1, true)",
        "string.find(('a'):rep(1000000), '[' .. ('b'):rep(1000000) .. ']')",
        "string.find(('a'):rep(200000), '^(a*)%1$' .. 'b')",
        "('x'):rep(1000):gsub('x', function() while true do end end)",
        "local s = ('x'):rep(1 << 22) while true do s:upper() end",
        "local s = ('x'):rep(1 << 22) while true do s:rep(2) end",
        "while true do load('return 1') end",
        "load(function() return ' ' end)",
        "load(function() while true do end end)",
        "while true do (''):rep(1 << 60) end",
        "while true do pcall(string.rep, 'x', 1 << 40) end",
        "while true do pcall(sinew.open, 'missing.glb') end",
        "while true do pcall(require, 'missing') end",
        "local s = {} while true do s[#s + 1] = sinew.time end",
    ] {
        let Err(error) = ends(text) else { panic!("{text}\nwent well") };
        let stopped = [
            "stopped after",
            "not enough memory",
            "stack overflow",
            "pattern too complex",
            "C stack",
        ]
        .iter()
        .any(|words| error.to_string().contains(words));
        assert!(stopped, "{text}: {error}");
    }
}

#[test]
fn a_stop_cannot_be_caught() {
    for text in [
        "pcall(function() while true do end end) print('went on')",
        "xpcall(function() while true do end end, print) print('went on')",
        "coroutine.resume(coroutine.create(function() while true do end end)) print('went on')",
        "pcall(coroutine.wrap(function() while true do end end)) print('went on')",
        "pcall(string.rep, '', 9) pcall(string.find, ('a'):rep(99999), '.-.-.-b') print('went on')",
        "local co = coroutine.wrap(function() pcall(function() while true do end end) print('went on') end) co()",
        "local x <close> = setmetatable({}, {__close = function() while true do print('went on') end end}) pcall(function() while true do end end) print('went on')",
    ] {
        let Err(error) = ends(text) else { panic!("{text}\nwent well") };
        assert!(error.message.contains("stopped after 3000000 instructions"), "{text}: {error}");
        assert!(error.message.contains("script.lua:1: "), "{text}: {error}");
        assert!(error.traceback.starts_with("stack traceback:"), "{text}: {error}");
    }
}

#[test]
fn finalizers_are_refused() {
    // While one runs, the interpreter does not count.
    let loops = "function() while true do end end";
    for text in [
        format!("setmetatable({{}}, {{__gc = {loops}}}) for i = 1, 1e6 do local x = {{}} end"),
        format!("local m = {{__gc = true}} setmetatable({{}}, m) m.__gc = {loops}"),
        format!(
            "local m = setmetatable({{}}, {{__index = {{__gc = {loops}}}}}) rawset(m, '__gc', 1) setmetatable({{}}, m)"
        ),
    ] {
        let Err(error) = ends(&text) else { panic!("{text}\nwent well") };
        assert!(error.message.contains("finalizers"), "{text}: {error}");
    }
    // Added later, it is no finalizer: Lua asks for it when the metatable is set.
    let late = format!(
        "local m = {{}} for i = 1, 1000 do setmetatable({{}}, m) end m.__gc = {loops} for i = 1, 1e5 do local x = {{}} end"
    );
    assert!(ends(&late).is_ok());
}

#[test]
fn memory_is_bounded() {
    for text in [
        "local s = 'x' while true do s = s .. s end",
        "('x'):rep(10 * 1024 * 1024 * 1024)",
        "('x'):rep(1 << 62)",
        "('x'):rep(1 << 20, ('y'):rep(1 << 20))",
        "local t = {} for i = 1, 1e9 do t[i] = i end",
        "local t = {} while true do t = {t, ('x'):rep(100) .. #t} end",
        "('x'):rep(100000):gsub('x', ('y'):rep(100000))",
        "('x'):rep(8000):gsub('x', ('%0'):rep(3000))",
        "('x'):rep(1 << 20):gsub('.*', ('%0'):rep(1 << 10))",
        "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1 << 20) end table.concat(t)",
        "string.format(('%99d'):rep(1 << 18), table.unpack({}, 1, 1 << 18))",
        "string.pack('c1000000000', 'x')",
        "table.unpack({}, 1, 1e7)",
        "local t = {} for i = 1, 1e7 do t[i] = coroutine.create(print) end",
        "local function f() return 1 + f() end f()",
        "assert(load(('x = 1 '):rep(1 << 20)))",
        "for i = 1, 5000 do sinew.actor('demo') end",
        "for i = 1, 5000 do sinew.light{} end",
        "local t = {} for i = 1, 300 do t[i] = 'demo' end sinew.open('demo', t)",
    ] {
        let Err(error) = ends(text) else { panic!("{text}\nwent well") };
        let bounded = [
            "not enough memory",
            // On a slow machine, the clock comes first.
            "seconds in one call",
            "too large",
            "too many results",
            "stack overflow",
            "at most",
            "no value",
            "number expected",
        ];
        assert!(bounded.iter().any(|words| error.message.contains(words)), "{text}: {error}");
    }
}

#[test]
fn after_a_stop_the_next_call_has_fresh_limits() {
    let folder = Folder::new();
    let path =
        folder.write("script.lua", "function Update(dt) if dt > 0 then while true do end end for i = 1, 9999 do local x = i end end");
    let options = Options { limits: tight(), ..Options::default() };
    let mut script = Script::open(path, &options).expect("a script");
    assert!(script.update(0.5).is_err());
    assert!(script.update(0.0).is_ok());
}

#[test]
fn metatables_of_ours_and_of_strings_are_closed() {
    assert_eq!(good("print(getmetatable(''), getmetatable(AnimationClip()))"), ["false\tfalse"]);
    for text in ["getmetatable('').__index = nil", "getmetatable(AnimationClip()).__index = nil"] {
        assert!(bad(text).message.contains("attempt to index"), "{text}");
    }
    assert!(bad("setmetatable('', {})").message.contains("table expected"));
    assert!(bad("AnimationClip().x = 1").message.contains("script.lua:1"));
}

#[test]
fn a_script_that_uses_up_everything_ends_in_an_error_and_not_in_a_panic() {
    let text = "local t = {} pcall(function() while true do t[#t + 1] = ('x'):rep(1000) .. #t end end) \
        for i = 1, 1000 do pcall(sinew.open, 'demo') pcall(sinew.actor, 'demo') pcall(AnimationClip) pcall(load, 'x') end \
        while true do t[#t + 1] = {} end";
    let Err(error) = ends(text) else { panic!("went well") };
    assert!(
        error.message.contains("not enough memory") || error.message.contains("stopped"),
        "{error}"
    );
    let limits = Limits { memory: 400 << 10, ..tight() };
    let folder = Folder::new();
    let error = run_in(&folder, "local t = {} while true do t[#t + 1] = {} end", limits, 0);
    assert!(error.expect_err("too little").message.contains("not enough memory"));
}
