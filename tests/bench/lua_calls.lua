-- Writes the calls that a Lua script makes in a folder, as rows that bench_traced_edges.py reads.
-- Run: lua lua_calls.lua FOLDER OUTPUT SCRIPT ARGUMENT ...
-- A row is [path, line, name, whether it is defined in the folder, right places]. What is called in the place of its
-- caller (a tail call), by C code or as a metamethod is left out. FOLDER has to be what its files are loaded by.

local folder, output, script = table.remove(arg, 1), table.remove(arg, 1), table.remove(arg, 1)
local root = folder:gsub("/+$", "") .. "/"
local rows, getinfo = {}, debug.getinfo
local named = { global = true, ["local"] = true, method = true, field = true, upvalue = true }

local function inside(source)
  if source:sub(1, #root + 1) == "@" .. root then
    return source:sub(#root + 2)
  end
end

local function is_call_of_object(called)
  local _, first = debug.getlocal(3, 1)
  local meta = debug.getmetatable(first)
  return type(meta) == "table" and rawget(meta, "__call") == called
end

local function note()
  local caller = getinfo(3, "Sl")
  local path = caller and inside(caller.source)
  local called = path and getinfo(2, "nSf")
  if not called or not called.name or not named[called.namewhat] or is_call_of_object(called.func) then
    return
  end
  local at = called.what ~= "C" and inside(called.source)
  local key = ("[%q,%d,%q,%s,[%s]]"):format(
    path, caller.currentline, called.name, tostring(at ~= nil and at ~= false),
    at and ("[%q,%d]"):format(at, called.linedefined) or "")
  rows[key] = true
end

local create, wrap = coroutine.create, coroutine.wrap
coroutine.create = function(body)
  local thread = create(body)
  debug.sethook(thread, note, "c")
  return thread
end
coroutine.wrap = function(body)
  local thread = coroutine.create(body)
  return function(...)
    local results = table.pack(coroutine.resume(thread, ...))
    if results[1] then
      return table.unpack(results, 2, results.n)
    end
    error(results[2], 0)
  end
end

local function write()
  debug.sethook()
  local keys = {}
  for key in pairs(rows) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  local file = assert(io.open(output, "w"))
  file:write("[", table.concat(keys, ",\n"), "]")
  file:close()
end

local exit = os.exit
os.exit = function(...)
  write()
  exit(...)
end
arg[0] = script
debug.sethook(note, "c")
local is_fine, message = xpcall(dofile, debug.traceback, script)
write()
if not is_fine then
  error(message)
end
