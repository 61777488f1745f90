-- One step of a server's ledger, on this server's clock: the rules of pace.py, whose numbers are arguments.
--
-- KEYS[1]: the ledger, a hash. ARGV: the step, interval, hold, queue, rounding, the longest cool-down, then the step's
-- own arguments.
-- Answers the time, sent_at, free_at, refused_at, cooldown_s, refused_with, strikes, and the step's answer, as text.
--
-- A replica learns after a while that it may send, so `confirm` does not note a departure as pace.py does for a file.
-- It notes a grant, which holds back all others until its request has left (`depart`), or `hold` seconds long: a
-- replica that learns later than that does not send. A ledger that another run of the server wrote, or none, may lack
-- the last grant; then one is assumed now.

local step, interval, hold = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local queue, rounding, longest = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local fields = {'sent_at', 'free_at', 'refused_at', 'cooldown_s', 'refused_with', 'strikes', 'granted'}

local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000

local function text(number) return string.format('%.6f', number) end

local ledger, found = {}, redis.pcall('HMGET', KEYS[1], unpack(fields))
if found.err then -- a value of another type
    redis.call('DEL', KEYS[1])
end
for i, field in ipairs(fields) do
    local number = tonumber(found[i] or 0)
    ledger[field] = number and number >= 0 and number < math.huge and number or 0
end
ledger.cooldown_s = math.min(ledger.cooldown_s, longest)

local function cooldown_left()
    return math.max(0, ledger.cooldown_s - math.max(0, now - ledger.refused_at))
end

-- Times in the future that only a clock set back can explain are moved to now.
local function sane()
    for _, field in ipairs({'sent_at', 'refused_at', 'granted'}) do
        ledger[field] = math.min(ledger[field], now)
    end
    if ledger.free_at - now > queue * interval then ledger.free_at = now + interval end
end

local function same_run()
    local info = redis.pcall('INFO', 'server')
    local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or 'unknown'
    if redis.call('HGET', KEYS[1], 'run') ~= run then
        redis.call('HSET', KEYS[1], 'run', run)
        ledger.granted = now
    end
end

local steps = {}

function steps.read() return '' end

function steps.reserve()
    if cooldown_left() > 0 then return '' end
    same_run()
    sane()
    local start = math.max(now, ledger.free_at, ledger.sent_at + interval)
    ledger.free_at = start + interval
    return text(start)
end

function steps.confirm()
    if cooldown_left() > 0 then return '' end
    same_run()
    sane()
    local last = ledger.sent_at
    if ledger.granted > 0 then
        if now < ledger.granted + hold then return text(now + hold / 10) end
        last = math.max(last, ledger.granted + hold)
    end
    if now + rounding < last + interval then return text(last + interval) end
    ledger.granted = now
    ledger.free_at = math.max(ledger.free_at, now + interval)
    return 'go ' .. text(now)
end

function steps.depart()
    if ARGV[7] == text(ledger.granted) then ledger.granted = 0 end
    ledger.sent_at = math.max(ledger.sent_at, now)
    ledger.free_at = math.max(ledger.free_at, now + interval)
    return ''
end

function steps.give_back()
    if math.abs(ledger.free_at - tonumber(ARGV[7]) - interval) < rounding then ledger.free_at = tonumber(ARGV[7]) end
    return ''
end

-- ARGV: status, the seconds of Retry-After ('' for none), first and least cool-down, the most doublings.
function steps.strike()
    local left = cooldown_left()
    if left == 0 then ledger.strikes = ledger.strikes + 1 end
    local doublings = math.min(ledger.strikes - 1, tonumber(ARGV[11]))
    local wanted = tonumber(ARGV[8]) or tonumber(ARGV[9]) * 2 ^ doublings
    ledger.refused_at, ledger.refused_with = now, tonumber(ARGV[7])
    ledger.cooldown_s = math.min(math.max(wanted, tonumber(ARGV[10]), left), longest)
    return ''
end

function steps.answered()
    ledger.strikes = 0
    return ''
end

local answer = steps[step]()
local said, written = {text(now)}, {}
for _, field in ipairs(fields) do
    if field ~= 'granted' then said[#said + 1] = text(ledger[field]) end
    written[#written + 1] = field
    written[#written + 1] = text(ledger[field])
end
if step ~= 'read' then redis.call('HSET', KEYS[1], unpack(written)) end
said[#said + 1] = answer
return said
