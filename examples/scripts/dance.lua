-- Ossi dances at dusk, and a lamp goes round; both friends follow it with their heads.
--   sinew run examples/scripts/dance.lua
--   sinew run examples/scripts/dance.lua --frames 120 -o dance.mp4

local dancers, lamp = {}, nil

local function dancer(clip, x, z, angle)
  local actor = sinew.actor("ossi")
  actor:play(clip, { loop = "ping-pong", at = 0.6 })
  actor:place { position = { x, 0, z }, rotation = { 0, angle, 0 } }
  dancers[#dancers + 1] = { actor = actor, head = actor:joint("head") }
end

function Awake()
  dancer("dance", -0.7, 0, 12)
  dancer("idle", 0.75, -0.5, -14)
  local place = sinew.actor("ossi_place")
  place:scenery()
  sinew.camera { position = { 1.2, 1.35, 4.9 }, look_at = { 0.05, 0.9, 0 }, fov = 34 }
  sinew.sky {
    zenith = "#20305c", horizon = "#c98a70", ground = "#4a4038",
    sun = { -0.8, 0.12, 0.3 }, sun_color = { 1, 0.6, 0.35 }, strength = 0.45,
  }
  sinew.fog { kind = "exponential-squared", color = "#8a6a66", density = 0.022 }
  sinew.light { direction = { 0.8, -0.35, -0.4 }, color = "#ffc493", intensity = 1.4 }
  lamp = sinew.light { kind = "point", color = "#ffe2a8", intensity = 6, range = 8 }
end

function Update(dt)
  local angle = sinew.time() * 1.4 + 0.4
  local x, y, z = 1.6 * math.cos(angle), 1.5 + 0.3 * math.sin(2 * angle), 1.2 + 0.8 * math.sin(angle)
  lamp:set { position = { x, y, z } }
  for _, dancer in ipairs(dancers) do
    dancer.head:look_at(x, y, z, { max_angle = 70 })
  end
end
