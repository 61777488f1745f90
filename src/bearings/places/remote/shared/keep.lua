-- Store an entry, behind its time by this server's clock (17 characters).
-- KEYS[1]: the generation. ARGV: the beginning of entries' names, the entry's digest, its milliseconds to live, flag, body.

local generation = redis.pcall('GET', KEYS[1])
if type(generation) ~= 'string' then generation = '0' end
local time = redis.call('TIME')
local stored = string.format('%017.6f', time[1] + time[2] / 1000000)
redis.call('SET', ARGV[1] .. generation .. ':' .. ARGV[2], ARGV[4] .. stored .. ARGV[5], 'PX', ARGV[3])
return generation
