//! What of Lua's own library was written anew gives what Lua's manual says.

mod common;

use common::{bad, good};

#[track_caller]
fn gives(text: &str, expected: &str) {
    assert_eq!(good(&format!("print({text})")).join("\n"), expected, "{text}");
}

#[test]
fn patterns_find_what_the_manual_says() {
    gives("('hello world'):find('o w')", "5\t7");
    gives("('hello world'):find('l+')", "3\t4");
    gives("('hello'):find('l', 1, true)", "3\t3");
    gives("('a.b'):find('.', 1, true)", "2\t2");
    gives("('hello'):find('xyz')", "nil");
    gives("('hello'):find('')", "1\t0");
    gives("('hello'):find('', 10)", "nil");
    gives("('hello'):find('', 6)", "6\t5");
    gives("('hello'):find('l', -2)", "4\t4");
    gives("('key = value'):match('^(%w+)%s*=%s*(%w+)$')", "key\tvalue");
    gives("('  trim  '):match('^%s*(.-)%s*$')", "trim");
    gives("('2024-05-06'):match('(%d+)-(%d+)-(%d+)')", "2024\t05\t06");
    gives("('f(a(b)c)d'):match('%b()')", "(a(b)c)");
    gives("('THE (quick) fox'):find('%((%a+)%)')", "5\t11\tquick");
    gives("('hello'):match('()ll()')", "3\t5");
    gives("('THE (quick) fox'):gsub('%f[%a]%a+', 'x')", "x (x) x\t3");
    gives("('say \"hi\"'):match('([\"\\'])(.-)%1')", "\"\thi");
    gives("('aaa'):match('a-$')", "aaa");
    gives("('abc'):match('a?b?c?d?')", "abc");
    gives("('x^2'):match('%^')", "^");
    gives("('[]'):match('[]]')", "]");
    gives("('a-z'):match('[a%-z]+')", "a-z");
    gives("('0xFf'):match('^0[xX](%x+)$')", "Ff");
}

#[test]
fn replacements_are_texts_tables_and_functions() {
    gives("('hello world'):gsub('o', '0')", "hell0 w0rld\t2");
    gives("('hello world'):gsub('o', '0', 1)", "hell0 world\t1");
    gives("('hello'):gsub('', '-')", "-h-e-l-l-o-\t6");
    gives("('abc'):gsub('%w', '%0%0')", "aabbcc\t3");
    gives("('hello world'):gsub('(%w+) (%w+)', '%2 %1')", "world hello\t1");
    gives("('$name is $age'):gsub('%$(%w+)', {name = 'Ossi', age = 3})", "Ossi is 3\t2");
    gives("('abc'):gsub('.', function(c) if c == 'b' then return 'X' end end)", "aXc\t3");
    gives("('abc'):gsub('^a', 'x')", "xbc\t1");
    gives("('100%'):gsub('%%', '%% of all')", "100% of all\t1");
    gives("('ab'):gsub('a', 5)", "5b\t1");
    for (text, expected) in [
        ("('x'):gsub('x', '%2')", "invalid capture index %2 in replacement string"),
        ("('x'):gsub('x', '%a')", "invalid use of '%' in replacement string"),
        ("('x'):gsub('x', function() return {} end)", "invalid replacement value (a table)"),
        ("('x'):gsub('x')", "string/function/table expected"),
        ("('x'):find('[a')", "missing ']'"),
        ("('x'):find('%')", "ends with '%'"),
        ("('x'):find('(x')", "unfinished capture"),
        ("('x'):match('x)')", "invalid pattern capture"),
        ("('x'):find('%1')", "invalid capture index %1"),
        ("('x'):find('%b')", "missing arguments to '%b'"),
        ("('x'):find('%fx')", "missing '[' after '%f'"),
        ("('a'):rep(300):find(('a?'):rep(300) .. 'b')", "pattern too complex"),
        ("string.find()", "expected string"),
    ] {
        let error = bad(text);
        assert!(error.message.contains(expected), "{text}: {error}");
    }
}

#[test]
fn gmatch_walks_over_all_matches() {
    let text = "local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end print(table.concat(t, ' '))";
    assert_eq!(good(text), ["a1 b2"]);
    let text = "local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end print(n)";
    assert_eq!(good(text), ["4"]);
    let text = "local t = {} for w in ('one two'):gmatch('%a+', 3) do t[#t + 1] = w end print(table.concat(t, ' '))";
    assert_eq!(good(text), ["e two"]);
    let text = "local t = {} for c in ('aé'):gmatch(utf8.charpattern) do t[#t + 1] = #c end print(table.concat(t, ' '))";
    assert_eq!(good(text), ["1 2"]);
}

#[test]
fn tables_are_changed_as_the_manual_says() {
    let list = |text: &str| {
        good(&format!("local t = {{1, 2, 3}} {text} print(table.concat(t, ' '))")).join("\n")
    };
    assert_eq!(list("table.insert(t, 4)"), "1 2 3 4");
    assert_eq!(list("table.insert(t, 1, 0)"), "0 1 2 3");
    assert_eq!(list("table.insert(t, 4, 9)"), "1 2 3 9");
    assert_eq!(list("print(table.remove(t))"), "3\n1 2");
    assert_eq!(list("print(table.remove(t, 1))"), "1\n2 3");
    assert_eq!(list("print(table.remove(t, 4))"), "nil\n1 2 3");
    assert_eq!(list("table.move(t, 1, 3, 2)"), "1 1 2 3");
    assert_eq!(list("table.move(t, 2, 3, 1)"), "2 3 3");
    assert_eq!(list("t = table.move(t, 1, 2, 3, {8, 9})"), "8 9 1 2");
    gives("table.concat({1, 'a', 2.5}, ', ', 2, 3)", "a, 2.5");
    gives("table.concat({}, 'x')", "");
    gives("('ab'):rep(3, '-')", "ab-ab-ab");
    gives("#('ab'):rep(0), #('ab'):rep(-5), #(''):rep(1 << 60)", "0\t0\t0");
    for (text, expected) in [
        ("table.insert({}, 5, 1)", "position out of bounds"),
        ("table.insert({}, 1, 2, 3)", "wrong number of arguments"),
        ("table.insert(nil, 1)", "bad argument #1 to 'insert' (table expected, got no value)"),
        ("table.remove({}, 5)", "position out of bounds"),
        ("table.concat({{}})", "invalid value (at index 1)"),
        (
            "table.move({}, 'a', 1, 1)",
            "bad argument #2 to 'move' (whole number expected, got string)",
        ),
        ("table.sort({1, 'a'})", "attempt to compare"),
        ("table.sort({1}, 2)", "bad argument #2 to 'sort' (function expected, got number)"),
    ] {
        let error = bad(text);
        assert!(error.message.contains(expected), "{text}: {error}");
        assert!(error.message.contains("script.lua:1: "), "{text}: {error}");
    }
}

#[test]
fn sorting_sorts_and_leaves_equals_in_order() {
    let text = r#"
        local t = {}
        for i = 1, 1000 do t[i] = (i * 7919) % 1009 end
        table.sort(t)
        for i = 2, 1000 do assert(t[i - 1] <= t[i]) end
        local pairs_ = {{2, 'a'}, {1, 'b'}, {2, 'c'}, {1, 'd'}}
        table.sort(pairs_, function(a, b) return a[1] < b[1] end)
        print(pairs_[1][2] .. pairs_[2][2] .. pairs_[3][2] .. pairs_[4][2])
        table.sort(t, function(a, b) return a > b end) print(t[1] > t[1000])
    "#;
    assert_eq!(good(text), ["bdac", "true"]);
}

#[test]
fn errors_are_caught_and_coroutines_yield_through_it() {
    gives("pcall(error, 'x')", "false\tx");
    gives("pcall(error, {1})  == false", "true");
    gives("select('#', pcall(function() return nil, nil end))", "3");
    gives("xpcall(function(a) return a end, print, 5)", "true\t5");
    gives("xpcall(error, function(e) return e .. '!' end, 'x')", "false\tx!");
    let text = "local co = coroutine.wrap(function() print(pcall(function() coroutine.yield(1) error('later', 0) end)) end) print(co()) co()";
    assert_eq!(good(text), ["1", "false\tlater"]);
    let text = "local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) error('end ' .. b, 0) end) \
        print(coroutine.resume(co, 1)) print(coroutine.resume(co, 5)) print(coroutine.status(co))";
    assert_eq!(good(text), ["true\t2", "false\tend 5", "dead"]);
    gives("load('return 1 + 1')()", "2");
    gives("select(2, load('x ='))", "[string \"x =\"]:1: unexpected symbol near <eof>");
    gives("load('return x', 'name', 't', {x = 7})()", "7");
    let text = "local parts, i = {'return ', '4', '2'}, 0 print(load(function() i = i + 1 return parts[i] end)())";
    assert_eq!(good(text), ["42"]);
    assert_eq!(good("print(math.random(1000))"), good("print(math.random(1000))"));
}
