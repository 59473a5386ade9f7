-- Ossi plays a graph: sets off, runs, stops, jumps; and prints states and footfalls.
--   sinew run examples/scripts/graph.lua
--   sinew run examples/scripts/graph.lua --frames 240 -o graph.mp4

local ossi, state, jumped

function Awake()
  ossi = sinew.actor("ossi")
  ossi:graph("graph.toml")             -- beside this script
  ossi:apply_root_motion()             -- goes where its feet go
  sinew.actor("ossi_place"):scenery()
end

-- Metres a second: rises for two seconds, and is zero after four.
local function speed(time)
  return time < 4 and math.min(1.6 * time, 3.2) or 0
end

function Update(dt)
  local time = sinew.time()
  ossi:set("speed", speed(time))
  if time > 5 and not jumped then
    jumped = true
    ossi:trigger("jump")
  end
  if state ~= ossi:state() then
    state = ossi:state()
    print(string.format("%.2f s: %s", time, state))
  end
  for _, event in ipairs(ossi:events()) do
    if event.weight > 0.5 then print(string.format("%.2f s: %s", time, event.name)) end
  end
  local x, _, z = ossi:position()
  sinew.camera { position = { x + 3.2, 1.6, z + 3 }, look_at = { x, 0.9, z }, fov = 36 }
end
