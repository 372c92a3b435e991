-- pace.rs in Lua, for all keys at once. ARGV has the interval and the burst of each key, in microseconds, and at last
-- whether to charge (1) or only to look (0).
-- Returns which key has to wait longest, and how long; zeros when all have room.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local slowest, longest, after = 0, 0, {}

local function keep(key, free_at)
  local milliseconds = math.ceil((free_at - now) / 1000)
  if milliseconds > 0 then
    redis.call('SET', key, string.format('%.0f', free_at), 'PX', string.format('%.0f', milliseconds))
  end
end

for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local free_at = tonumber(redis.call('GET', key) or now) or now
  if free_at > now + burst then
    free_at = now + burst
    keep(key, free_at)
  end
  after[i] = math.max(now, free_at) + interval
  local wait = after[i] - burst - now
  if wait > longest then
    slowest, longest = i, wait
  end
end

if slowest == 0 and ARGV[2 * #KEYS + 1] == '1' then
  for i, key in ipairs(KEYS) do
    keep(key, after[i])
  end
end
return { slowest, longest }
