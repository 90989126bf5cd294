/** Tests of the request logger: its lines, its levels, its options, and that clients cannot forge lines. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { createOutput } from "../../../adapters/disk/output.ts"
import { FwError, HttpError } from "../../../lib/errors.ts"
import { type LogLevel, readLogLevel } from "../../../lib/log/log-level.ts"
import type { RequestLoggerConfig } from "../../../lib/log/logger.ts"
import { createRequestLogger, type LoggedRequest } from "../../../lib/log/request-logger.ts"

const noon = new Date(2024, 4, 6, 12, 34, 56, 789)
/** An answered request. */
interface Entry {
  method: string
  path: string
  status: number
  ms: number
  bytes: number
  ip: string
  userAgent: string
  pattern: string
  id: string
  error?: unknown
}
const usual: Entry = {
  method: "GET",
  path: "/api/users",
  status: 200,
  ms: 45.4,
  bytes: 1234,
  ip: "192.0.2.1",
  userAgent: "curl/8.5",
  pattern: "/api/users",
  id: "",
}
const createRequest = ({ method, path, pattern, ip, userAgent, id }: Entry): LoggedRequest => ({
  method,
  originalPath: path,
  pattern,
  clientIP: ip,
  header: (name) => (name === "user-agent" ? userAgent : ""),
  getString: (name) => (name === "request_id" ? id : ""),
})

interface Setting {
  config?: RequestLoggerConfig
  vars?: Record<string, string>
  terminal?: boolean
}

type Name = "out" | "err"
type Seen = Record<Name, string>

const plainOutput = (seen: Seen, name: Name, isTerminal: boolean) => ({
  output: {
    isTerminal,
    write: (text: string) => {
      seen[name] += text
    },
  },
  end: () => {},
})

/** Replaces the output of a process, and returns a function that writes its last lines. */
function processOutput(seen: Seen, name: Name, isTTY: boolean) {
  const before = process.listeners("exit")
  const output = createOutput({ fd: 1, isTTY }, (_fd, bytes, offset, length) => {
    seen[name] += Buffer.from(bytes.subarray(offset, offset + length)).toString()
    return length
  })
  const end = process.listeners("exit").find((listener) => !before.includes(listener)) as () => void
  process.removeListener("exit", end)
  return { output, end }
}

const forms = [plainOutput, processOutput]

/** Returns what is logged for the entries, and checks that each output logs the same. */
function logged(entries: Partial<Entry>[], { config = {}, vars = {}, terminal = false }: Setting = {}) {
  const [first, ...others] = forms.map((output) => {
    const seen = { out: "", err: "" }
    const [out, err] = [output(seen, "out", terminal), output(seen, "err", terminal)]
    const env = {
      get: (name: string) => vars[name],
      out: out.output,
      err: err.output,
    }
    const logger = createRequestLogger({ now: () => noon.getTime(), format: "text", ...config }, env)
    for (const given of entries) {
      const entry = { ...usual, ...given }
      logger.log(createRequest(entry), entry.status, entry.ms, entry.bytes, entry.error)
    }
    out.end()
    err.end()
    return seen
  })
  for (const other of others) assert.equal(other, first)
  return first as { out: string; err: string }
}

const lines: [entry: Partial<Entry>, setting: Setting, line: string][] = [
  [{}, {}, "[12:34:56] GET /api/users 200 in 45ms (1.2KB)"],
  [{ ms: 0.2, bytes: 0 }, {}, "[12:34:56] GET /api/users 200 in 0ms (0B)"],
  [{ bytes: 1023 }, {}, "[12:34:56] GET /api/users 200 in 45ms (1023B)"],
  [{ bytes: 1024 }, {}, "[12:34:56] GET /api/users 200 in 45ms (1.0KB)"],
  [{ bytes: 1024 * 1024 - 1 }, {}, "[12:34:56] GET /api/users 200 in 45ms (1.0MB)"],
  [{ bytes: 5.25 * 1024 ** 3 }, {}, "[12:34:56] GET /api/users 200 in 45ms (5.3GB)"],
  [{ ms: 9999.4 }, {}, "[12:34:56] GET /api/users 200 in 9999ms (1.2KB)"],
  [{ ms: 9999.5 }, {}, "[12:34:56] GET /api/users 200 in 10.0s (1.2KB)"],
  [{ ms: 61_234 }, {}, "[12:34:56] GET /api/users 200 in 61.2s (1.2KB)"],
  [{}, { config: { showIP: true } }, "[12:34:56] GET /api/users 200 in 45ms (1.2KB) 192.0.2.1"],
  [{}, { config: { showUserAgent: true } }, '[12:34:56] GET /api/users 200 in 45ms (1.2KB) "curl/8.5"'],
  [
    {},
    { config: { showIP: true, showUserAgent: true } },
    '[12:34:56] GET /api/users 200 in 45ms (1.2KB) 192.0.2.1 "curl/8.5"',
  ],
  [{}, { terminal: true }, "[12:34:56] GET /api/users \x1b[32m200\x1b[0m in 45ms (1.2KB)"],
  [{ status: 308 }, { terminal: true }, "[12:34:56] GET /api/users \x1b[36m308\x1b[0m in 45ms (1.2KB)"],
  [{ status: 404 }, { terminal: true }, "[12:34:56] GET /api/users \x1b[33m404\x1b[0m in 45ms (1.2KB)"],
  [{ status: 503 }, { terminal: true }, "[12:34:56] GET /api/users \x1b[31m503\x1b[0m in 45ms (1.2KB)"],
  [{}, { terminal: true, vars: { NO_COLOR: "1" } }, "[12:34:56] GET /api/users 200 in 45ms (1.2KB)"],
  [{}, { terminal: true, vars: { NO_COLOR: "" } }, "[12:34:56] GET /api/users \x1b[32m200\x1b[0m in 45ms (1.2KB)"],
  [{}, { terminal: true, config: { format: "auto" } }, "[12:34:56] GET /api/users \x1b[32m200\x1b[0m in 45ms (1.2KB)"],
  // The id of a request is logged only for errors.
  [{ id: "a-1" }, {}, "[12:34:56] GET /api/users 200 in 45ms (1.2KB)"],
  [{ id: "a-1", status: 404 }, {}, "[12:34:56] GET /api/users 404 in 45ms (1.2KB)"],
  [{ id: "a-1", status: 500 }, {}, "[12:34:56] GET /api/users 500 in 45ms (1.2KB) requestID=a-1"],
  [
    { id: "a-1", status: 503 },
    { config: { showIP: true } },
    "[12:34:56] GET /api/users 503 in 45ms (1.2KB) 192.0.2.1 requestID=a-1",
  ],
  // Values that clients send are escaped.
  [{ id: "a\n1", status: 500 }, {}, "[12:34:56] GET /api/users 500 in 45ms (1.2KB) requestID=a\\u000a1"],
  [
    { userAgent: 'a\r\n[12:00:00] GET /admin 200\x1b[2J\x9b1m"\\\u202eé' },
    { config: { showUserAgent: true } },
    '[12:34:56] GET /api/users 200 in 45ms (1.2KB) "a\\u000d\\u000a[12:00:00] GET /admin 200\\u001b[2J\\u009b1m\\"\\\\\\u202e\\u00e9"',
  ],
  [{ path: "/%zz\n 200\x1b" }, {}, "[12:34:56] GET /%zz\\u000a\\u0020200\\u001b 200 in 45ms (1.2KB)"],
  [{ method: "GE\nT" }, {}, "[12:34:56] GE\\u000aT /api/users 200 in 45ms (1.2KB)"],
  [{ ip: "1\n2" }, { config: { showIP: true } }, "[12:34:56] GET /api/users 200 in 45ms (1.2KB) 1\\u000a2"],
]
for (const [entry, setting, line] of lines) {
  test(`${JSON.stringify(entry)} with ${JSON.stringify(setting)} is logged as ${JSON.stringify(line)}`, () => {
    assert.equal(logged([entry], setting), { out: `${line}\n`, err: "" })
  })
}

test("each line has the time of the clock, also when the clock goes back", () => {
  const start = noon.getTime()
  let time = start
  const seen: string[] = []
  const sink = { isTerminal: false, write: (text: string) => seen.push(text.slice(0, 10)) }
  const { log } = createRequestLogger(
    { now: () => time, format: "text" },
    { get: () => undefined, out: sink, err: sink },
  )
  for (time of [start, start + 210, start + 211, start - 1000]) log(createRequest(usual), 200, 1, 1)
  assert.equal(seen, ["[12:34:56]", "[12:34:56]", "[12:34:57]", "[12:34:55]"])
})

const formats: [setting: Setting, isJSON: boolean][] = [
  [{}, true],
  [{ terminal: true }, false],
  [{ vars: { FW_DEV: "true" } }, false],
  [{ config: { format: "text" } }, false],
  [{ config: { format: "json" }, terminal: true }, true],
  [{ config: { write: () => {} } }, false],
]
for (const [{ config = {}, ...rest }, isJSON] of formats) {
  test(`with ${JSON.stringify({ config, ...rest })} the log is ${isJSON ? "JSON" : "text"}`, () => {
    let line = ""
    const keep = (text: string) => {
      line = text
    }
    const write = config.write && keep
    const { out } = logged([{}], {
      ...rest,
      config: { format: undefined as never, ...config, ...(write && { write }) },
    })
    assert.is((line || out).startsWith("{"), isJSON)
  })
}

test("format json and auto write one JSON object per line", () => {
  const common = { time: noon.toISOString(), level: "info", method: "GET", path: "/api/users", status: 200 }
  for (const format of ["json", "auto"] as const) {
    const { out } = logged([{ ms: 1.23456, pattern: "/api/{x}" }, { bytes: 0 }], { config: { format } })
    const [first = "", second = "", rest] = out.split("\n")
    assert.equal(JSON.parse(first), {
      ...common,
      message: "GET /api/users 200",
      ms: 1.235,
      bytes: 1234,
      pattern: "/api/{x}",
    })
    assert.equal(JSON.parse(second), {
      ...common,
      message: "GET /api/users 200",
      ms: 45.4,
      bytes: 0,
      pattern: "/api/users",
    })
    assert.is(rest, "")
  }
})

test("a JSON line stays one line of plain text whatever a client sends", () => {
  const userAgent = 'a\n"\\\x1b\x7f\x9b\u2028\u202e\u{e0001}'
  const { out } = logged([{ userAgent }], { config: { format: "json", showUserAgent: true, showIP: true } })
  assert.not.match(out.slice(0, -1), /[^\x20-\x7e]/)
  assert.equal([JSON.parse(out).userAgent, JSON.parse(out).ip], [userAgent, usual.ip])
})

for (const [level, statuses] of [
  ["debug", [200, 308, 404, 500]],
  ["info", [200, 308, 404, 500]],
  ["warn", [404, 500]],
  ["error", [500]],
  ["off", []],
] as const) {
  test(`level ${level} logs ${statuses.join(" ") || "nothing"}`, () => {
    const all = [200, 308, 404, 500]
    for (const format of ["text", "json"] as const) {
      const { out } = logged(
        all.map((status) => ({ status })),
        { config: { level, format } },
      )
      const found = out.split("\n").flatMap((line) => all.find((status) => line.includes(String(status))) ?? [])
      assert.equal(found, statuses)
    }
  })
}

const environments: [vars: Record<string, string>, stated: LogLevel | undefined, level: LogLevel][] = [
  [{}, undefined, "info"],
  [{}, "error", "error"],
  [{ FW_LOG_LEVEL: "off" }, undefined, "off"],
  [{ FW_LOG_LEVEL: "debug" }, "error", "debug"],
  [{ FW_LOG_LEVEL: " WARN " }, undefined, "warn"],
  [{ FW_LOG_LEVEL: "" }, "error", "error"],
  [{ FW_LOG_LEVEL: "error", FW_DEV: "true", GO_ENV: "production" }, undefined, "error"],
  [{ FW_DEV: "true" }, undefined, "debug"],
  [{ FW_DEV: "true" }, "warn", "warn"],
  [{ FW_DEV: "false" }, undefined, "info"],
  [{ FW_DEV: "true", GO_ENV: "production" }, undefined, "debug"],
  [{ GO_ENV: "production" }, undefined, "warn"],
  [{ NODE_ENV: "production" }, undefined, "warn"],
  [{ NODE_ENV: "production" }, "info", "info"],
  [{ GO_ENV: "development", NODE_ENV: "test" }, undefined, "info"],
]
for (const [vars, stated, level] of environments) {
  test(`with ${JSON.stringify(vars)} and ${stated ?? "no level"} in code, the level is ${level}`, () => {
    assert.is(
      readLogLevel((name) => vars[name], stated),
      level,
    )
  })
}

const skips: [patterns: string[], path: string, skipped: boolean][] = [
  [["/health"], "/health", true],
  [["/health"], "/health/x", false],
  [["/health"], "/healthy", false],
  [["/static/*"], "/static/a/b.css", true],
  [["/static/*"], "/static", true],
  [["/static/*"], "/statics", false],
  [["/_*"], "/_internal/x", true],
  [["/*"], "/", true],
  [["/*"], "/x", true],
  [["/"], "/", true],
  [["/"], "/x", false],
  [["/caf\u00e9"], "/caf%C3%A9", true],
  [[], "/", false],
]
for (const [skipPaths, path, skipped] of skips) {
  test(`skipPaths ${JSON.stringify(skipPaths)} ${skipped ? "skips" : "keeps"} ${path}`, () => {
    for (const format of ["text", "json"] as const) {
      assert.is(logged([{ path }], { config: { skipPaths, format } }).out === "", skipped)
    }
  })
}

const refused: [config: object, vars: Record<string, string>, code: string, message: RegExp][] = [
  [{ levle: "info" }, {}, "logger_config", /"levle"[\s\S]*level, showIP, showUserAgent, skipPaths/],
  [{ constructor: 1 }, {}, "logger_config", /"constructor"/],
  [{ level: "loud" }, {}, "logger_config", /level[\s\S]*debug, info, warn, error, off/],
  [{ showIP: "yes" }, {}, "logger_config", /showIP[\s\S]*true or false/],
  [{ showUserAgent: 1 }, {}, "logger_config", /showUserAgent/],
  [{ skipPaths: "/x" }, {}, "logger_config", /skipPaths[\s\S]*list/],
  [{ skipPaths: ["x"] }, {}, "logger_config", /skipPaths/],
  [{ skipPaths: ["/a/*/b"] }, {}, "logger_config", /skipPaths/],
  [{ skipPaths: [1] }, {}, "logger_config", /skipPaths/],
  [{ format: "xml" }, {}, "logger_config", /format[\s\S]*text, json, auto/],
  [{ write: "stdout" }, {}, "logger_config", /write[\s\S]*function/],
  [{ now: 5 }, {}, "logger_config", /now[\s\S]*function/],
  [{}, { FW_LOG_LEVEL: "verbose" }, "log_level", /"verbose"[\s\S]*debug, info, warn, error, off/],
  [{ level: "info" }, { FW_LOG_LEVEL: "1" }, "log_level", /"1"/],
]
for (const [config, vars, code, message] of refused) {
  test(`${JSON.stringify(config)} with ${JSON.stringify(vars)} is refused`, () => {
    assert.throws(
      () => logged([], { config: config as RequestLoggerConfig, vars }),
      (error: unknown) => error instanceof FwError && error.code === code && message.test(String(error)),
    )
  })
}

test("the report of a bug has the id of its request", () => {
  const { err } = logged([{ status: 500, id: "a-1", error: new Error("boom") }])
  assert.match(err, /^\[12:34:56\] GET \/api\/users requestID=a-1 Error: boom\n/)
})

test("a bug is reported completely on standard error, also for a skipped path", () => {
  const error = new Error("boom", { cause: new TypeError("why") })
  const { out, err } = logged([{ status: 500, error }], { config: { skipPaths: ["/api/users"] } })
  assert.is(out, "")
  assert.match(
    err,
    /^\[12:34:56\] GET \/api\/users Error: boom\n {4}at .*\n[\s\S]* {2}caused by TypeError: why\n {6}at /,
  )
  assert.is(logged([{ status: 500, error }], { config: { level: "off" } }).err, "")
})

test("in a JSON line, a bug is the field error", () => {
  const error = new Error("boom")
  const { out, err } = logged([{ status: 500, error }], { config: { format: "json" } })
  const record = JSON.parse(out)
  assert.equal([record.level, err], ["error", ""])
  assert.match(record.error, /^Error: boom\n {4}at /)
})

test("an HttpError is not logged as a bug, and its cause is shown at level debug", () => {
  const error = new HttpError(404, "gone", { cause: new Error("no row") })
  assert.is(logged([{ status: 404, error }]).err, "")
  assert.is(logged([{ status: 404, error: new HttpError(404, "gone") }], { config: { level: "debug" } }).err, "")
  assert.match(logged([{ status: 404, error }], { config: { level: "debug" } }).err, /caused by Error: no row/)
})

test("lines and bugs go to the write option, without colour", () => {
  let text = ""
  const write = (piece: string) => {
    text += piece
  }
  const seen = logged([{ status: 500, error: new Error("boom") }], { config: { write }, terminal: true })
  assert.equal(seen, { out: "", err: "" })
  assert.match(
    text,
    /^\[12:34:56\] GET \/api\/users 500 in 45ms \(1\.2KB\)\n\[12:34:56\] GET \/api\/users Error: boom\n/,
  )
})

test.run()
