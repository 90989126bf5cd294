/**
 * Scripts that Redis runs as one step. Each has one key, except the scripts of locks, which have a second key for the
 * last token.
 */

/** Sets `now` to microseconds since 1970. It is a text of digits, because Lua would round such a large number. */
const timeScript = `local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function digits(number) return string.format('%.0f', number) end`

/** Creates the scripts. It is a function, so that bundles without Redis leave the scripts out. */
export function createScripts() {
  return {
    /**
     * Arguments: key; '1' and the expected text, or '0'; '1' and the new text, or '0'; milliseconds, or '0'. Returns 1
     * if the text was replaced, otherwise 0.
     */
    compareAndSet: `local current = redis.call('GET', KEYS[1])
if ARGV[1] == '1' then
  if current ~= ARGV[2] then return 0 end
elseif current then return 0 end
if ARGV[3] == '0' then redis.call('DEL', KEYS[1])
elseif ARGV[5] == '0' then redis.call('SET', KEYS[1], ARGV[4])
else redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5]) end
return 1`,
    /**
     * Arguments: key; milliseconds of a window. Returns the count and the milliseconds that remain. They are never more
     * than the window, even if the clock of the server was set back.
     */
    hit: `local count = redis.call('INCR', KEYS[1])
local rest = redis.call('PTTL', KEYS[1])
if rest < 0 or rest > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  rest = tonumber(ARGV[1])
end
return {count, rest}`,
    /**
     * Arguments: keys of the lock and of the last token; milliseconds. Returns the token; nothing if the lock is taken.
     */
    acquire: `if redis.call('EXISTS', KEYS[1]) == 1 then return false end
${timeScript}
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
local token = digits(math.max(last + 1, now))
redis.call('SET', KEYS[2], token)
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return token`,
    /** Arguments: key; token; milliseconds. Returns 1 if the lease was extended, otherwise 0. */
    renew: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
    /** Arguments: key; token. Returns 1 if the lock was released, otherwise 0. */
    release: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
    /**
     * Arguments: an unused key; channel; text. The script deletes the key, which a replica refuses. Without that, a
     * replica would send the message to its own clients only.
     */
    publish: `redis.call('DEL', KEYS[1])
return redis.call('PUBLISH', ARGV[1], ARGV[2])`,
    /** Arguments: key of a stream; text; maximum number of entries; milliseconds. Returns the id. */
    append: `local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local id
if last then
  local epoch, number = string.match(last[1], '(%d+)-(%d+)')
  id = epoch .. '-' .. string.format('%.0f', number + 1)
else
  ${timeScript}
  id = digits(now) .. '-1'
end
redis.call('XADD', KEYS[1], 'MAXLEN', '=', ARGV[2], id, 'd', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return id`,
    /**
     * Arguments: key of a stream; epoch; number of the first entry to read; maximum number of entries. Returns the
     * first and the last id, and the entries.
     */
    read: `local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
if not first then return {} end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local from = '-'
if string.match(first[1], '%d+') == ARGV[1] then from = ARGV[1] .. '-' .. ARGV[2] end
return {first[1], last[1], redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[3])}`,
  }
}
