-- What of Lua's own library would loop or catch errors out of the limits' sight, written so that they see every step.
-- Everything here is reached by scripts only through the functions it leaves in the global tables.
local native = ...
local check, text_of, write, step = native.check, native.text_of, native.write, native.step
local error, getmetatable, pairs, rawget, select, tostring, type =
  error, getmetatable, pairs, rawget, select, tostring, type
local min, tointeger = math.min, math.tointeger
local pack = table.pack

-- `level` is how many calls up the script is that gave the argument.
local function wrong(position, name, expected, found, level)
  local what = type(found) == "nil" and "no value" or type(found)
  error("bad argument #" .. position .. " to '" .. name .. "' (" .. expected .. " expected, got " .. what .. ")", level or 3)
end

-- Errors: what was stopped by a limit cannot be caught.

local try = pcall

local function settle(ok, first, ...)
  if ok then
    return true, first, ...
  end
  check()
  return false, text_of(first), ...
end

function pcall(f, ...)
  return settle(try(f, ...))
end

local function handle(handler, ok, ...)
  if ok then
    return true, ...
  end
  return false, handler(...)
end

-- The handler runs after the call has ended: while an error is under way, the interpreter does not count.
function xpcall(f, handler, ...)
  if type(handler) ~= "function" then
    wrong(2, "xpcall", "function", handler)
  end
  return handle(handler, settle(try(f, ...)))
end

-- Nor does it count in finalizers.
local attach = setmetatable
function setmetatable(object, meta)
  if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
    error("a script may not have finalizers (__gc)", 2)
  end
  return attach(object, meta)
end
getmetatable("").__metatable = false

local used = collectgarbage
function collectgarbage(what)
  if what ~= "count" then
    error('collectgarbage: expected "count"; the rest goes by itself', 2)
  end
  return used("count")
end

function print(...)
  local words = pack(...)
  for i = 1, words.n do
    words[i] = tostring(words[i])
  end
  write(native.concat(words, "\t", 1, words.n))
end

-- Coroutines

local create, resume, wrap, close = coroutine.create, coroutine.resume, coroutine.wrap, coroutine.close

function coroutine.create(f)
  check()
  return create(f)
end

function coroutine.resume(co, ...)
  check()
  return settle(resume(co, ...))
end

function coroutine.wrap(f)
  check()
  local go = wrap(f)
  return function(...)
    check()
    return go(...)
  end
end

function coroutine.close(co)
  check()
  return settle(close(co))
end

-- Strings

function string.gmatch(text, pattern, init)
  local at, last = init or 1, 0
  local function settle_match(next_at, ...)
    if next_at == nil then
      at = nil
      return nil
    end
    at, last = next_at, next_at
    return ...
  end
  step(text, pattern, at, last, true)
  return function()
    if at == nil then
      return nil
    end
    return settle_match(step(text, pattern, at, last, false))
  end
end

-- Tables

local function whole(position, name, number)
  local found = tointeger(number)
  if found == nil then
    wrong(position, name, "whole number", number, 4)
  end
  return found
end

local function is_list(list, name)
  if type(list) ~= "table" then
    wrong(1, name, "table", list, 4)
  end
end

function table.insert(list, ...)
  is_list(list, "insert")
  local count, last = select("#", ...), #list + 1
  if count == 1 then
    list[last] = ...
    return
  elseif count ~= 2 then
    error("wrong number of arguments to 'insert'", 2)
  end
  local at, value = ...
  at = whole(2, "insert", at)
  if at < 1 or at > last then
    error("bad argument #2 to 'insert' (position out of bounds)", 2)
  end
  for i = last, at + 1, -1 do
    list[i] = list[i - 1]
  end
  list[at] = value
end

function table.remove(list, at)
  is_list(list, "remove")
  local size = #list
  if at == nil then
    at = size
  else
    at = whole(2, "remove", at)
    if size + 1 ~= at and (at < 1 or at > size + 1) and not (size == 0 and at == 0) then
      error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
  end
  local value = list[at]
  for i = at, size - 1 do
    list[i] = list[i + 1]
  end
  list[at < size and size or at] = nil
  return value
end

function table.concat(list, separator, first, last)
  is_list(list, "concat")
  local parts, count = {}, 0
  for i = whole(3, "concat", first or 1), whole(4, "concat", last or #list) do
    local part = list[i]
    if type(part) ~= "string" and type(part) ~= "number" then
      error("invalid value (at index " .. i .. ") in table for 'concat'", 2)
    end
    count = count + 1
    parts[count] = part
  end
  return native.concat(parts, separator or "", 1, count)
end

function table.move(from, first, last, at, to)
  is_list(from, "move")
  to = to == nil and from or to
  if type(to) ~= "table" then
    wrong(5, "move", "table", to)
  end
  first, last, at = whole(2, "move", first), whole(3, "move", last), whole(4, "move", at)
  if at > last or at <= first or to ~= from then
    for i = 0, last - first do
      to[at + i] = from[first + i]
    end
  else
    for i = last - first, 0, -1 do
      to[at + i] = from[first + i]
    end
  end
  return to
end

local function smaller(a, b)
  return a < b
end

-- By merging: the same effort whatever the order, and equal things stay as they were.
function table.sort(list, before)
  is_list(list, "sort")
  if before ~= nil and type(before) ~= "function" then
    wrong(2, "sort", "function", before)
  end
  before = before or smaller
  local count, from, to = #list, {}, {}
  for i = 1, count do
    from[i] = list[i]
  end
  local width = 1
  while width < count do
    for low = 1, count, 2 * width do
      local middle, high = min(low + width, count + 1), min(low + 2 * width, count + 1)
      local a, b = low, middle
      for i = low, high - 1 do
        if a < middle and (b >= high or not before(from[b], from[a])) then
          to[i] = from[a]
          a = a + 1
        else
          to[i] = from[b]
          b = b + 1
        end
      end
    end
    from, to = to, from
    width = 2 * width
  end
  for i = 1, count do
    list[i] = from[i]
  end
end
