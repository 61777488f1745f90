-- An entry. KEYS[1]: the generation. ARGV: the beginning of entries' names, the entry's digest, the most bytes to send.
-- Answers the generation, the time, and the entry's bytes ('' if there is none).

local generation = redis.pcall('GET', KEYS[1])
if type(generation) ~= 'string' then generation = '0' end
local time = redis.call('TIME')
local entry = redis.pcall('GETRANGE', ARGV[1] .. generation .. ':' .. ARGV[2], 0, tonumber(ARGV[3]))
if type(entry) ~= 'string' then entry = '' end
return {generation, string.format('%.6f', time[1] + time[2] / 1000000), entry}
