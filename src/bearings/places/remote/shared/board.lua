-- Ask for the lease of a question, or how the flight of its holder goes.
-- KEYS[1]: the lease. ARGV: the beginning of landed flights' names, our token, the lease's milliseconds,
-- the token of the flight that is waited for ('': take the lease if it is free), the most bytes to send.
-- Answers the holder's token ('' for none), and what the awaited flight left ('' if nothing).

if type(redis.pcall('GET', KEYS[1])) == 'table' then -- a value of another type
    redis.call('DEL', KEYS[1])
end
if ARGV[4] == '' then
    redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[3])
end
local holder = redis.call('GET', KEYS[1]) or ''
local left = ''
if ARGV[4] ~= '' then
    left = redis.pcall('GETRANGE', ARGV[1] .. ARGV[4], 0, tonumber(ARGV[5]))
    if type(left) ~= 'string' then left = '' end
end
return {holder, left}
