-- Prolong a lease, or end it and leave the answer to those who wait. KEYS[1]: the lease.
-- ARGV: the beginning of landed flights' names, our token, milliseconds, 'keep' or 'end', the answer ('' for none).
-- Answers 1 if the lease was still ours.

local ours = redis.pcall('GET', KEYS[1]) == ARGV[2]
if ARGV[4] == 'keep' then
    if ours then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
else
    if ARGV[5] ~= '' then redis.call('SET', ARGV[1] .. ARGV[2], ARGV[5], 'PX', ARGV[3]) end
    if ours then redis.call('DEL', KEYS[1]) end
end
return ours and 1 or 0
