/**
 * Tests of all modules that lib/index.ts imports: they use no package, no runtime and only one import of #platform.
 * Also limits the number of exported names.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import * as fw from "../../lib/index.ts"
import { computeClosure, exportNames, violations } from "../support/lib/closure.ts"
import { root } from "../support/tsc.ts"

const onDisk = (file: string) => readFileSync(join(root, file), "utf8")

test("the core imports only its own modules, #platform and the library for tokens, and names no runtime", () => {
  const files = computeClosure("lib/index.ts", onDisk)
  assert.equal(
    [...files].flatMap(([file, text]) => violations(file, text)),
    [],
  )
  assert.ok(files.size > 25, `only ${files.size} modules of the core were found`)
  assert.ok(
    [...files.values()].some((text) => text.includes('from "#platform"')),
    "no module of the core imports #platform",
  )
  for (const file of files.keys()) assert.match(file, /^lib\//)
})

const { imports } = JSON.parse(onDisk("package.json")) as {
  imports: { "#platform": Readonly<Record<string, string | { readonly default: string }>> }
}

/** The modules that the core may import with each platform: none, or Node's modules and these packages. */
const platforms: Readonly<Record<string, { isBare?: true; packages?: readonly string[] }>> = {
  types: { isBare: true },
  workerd: { isBare: true },
  default: { isBare: true },
  bun: {},
  deno: { packages: [] },
  node: { packages: ["ws"] },
  "fw-executable": { packages: ["ws"] },
}

/** Returns true for a file of a user, and for a library inside the package, which imports nothing. */
const isInPackage = (name: string) => name === "something computed" || name.startsWith("#vendor/")

test("the list of platforms has every condition of #platform", () => {
  assert.equal(Object.keys(imports["#platform"]).sort(), Object.keys(platforms).sort())
})

for (const [condition, { isBare, packages = [] }] of Object.entries(platforms)) {
  test(`the core with the platform of ${condition} imports only allowed modules`, () => {
    const target = imports["#platform"][condition] ?? ""
    const file = typeof target === "string" ? target : target.default
    const [, path = ""] = /^\.\/dist\/(.*?)(?:\.d\.ts|\.js)$/.exec(file) ?? []
    const files = computeClosure("lib/index.ts", onDisk, `${path}.ts`)
    const found = [...files].flatMap(([file, text]) => violations(file, text))
    if (isBare) {
      assert.equal(found, [])
      return
    }
    const imported = found.flatMap((what) => / imports (?!node:)(.*)/.exec(what)?.[1] ?? [])
    assert.equal([...new Set(imported)].filter((name) => !isInPackage(name)).sort(), [...packages])
    const core = [...files].filter(([file]) => file.startsWith("lib/"))
    assert.equal(
      core.flatMap(([file, text]) => violations(file, text)),
      [],
    )
  })
}

const clean =
  'import { b } from "./b.ts"\nimport type { C } from "#platform"\nexport const a = b\n// import "node:fs" and process.env are words here\nconst s = "process.env"\n'

test("the search for imports finds all types of imports", () => {
  const sources: Record<string, string> = {
    "lib/a.ts":
      'import "./b.ts"\nexport * from "./c.ts"\nexport type { D } from "./d.ts"\nconst e = await import("./e.ts")\ntype F = import("./f.ts").F\nimport {\n  g,\n} from "../lib/g.ts"\n',
  }
  const files = computeClosure("lib/a.ts", (file) => sources[file] ?? "")
  assert.equal(
    [...files.keys()].sort(),
    ["a", "b", "c", "d", "e", "f", "g"].map((name) => `lib/${name}.ts`),
  )
})

const broken: ReadonlyArray<readonly [line: string, what: RegExp]> = [
  ['import { z } from "zod"', /imports zod/],
  ['import fs from "node:fs"', /imports node:fs/],
  ['export * from "node:path"', /imports node:path/],
  ['const x = await import("jose")', /imports jose/],
  ['import type { Server } from "node:http"', /imports node:http/],
  ['import "#other"', /imports #other/],
  ["const x = await import(name)", /imports something computed/],
  ["const x = process.env.HOME", /names process/],
  ["const x = globalThis.process", /names process/],
  ['const x = Buffer.from("")', /names Buffer/],
  ["if (typeof Deno !== 'undefined') {}", /names Deno/],
  ["Bun.serve({})", /names Bun/],
  ["const x = __dirname", /names __dirname/],
  ['const x = require("fs")', /names require/],
  ["setImmediate(() => {})", /names setImmediate/],
  ["const x = navigator.userAgent", /names navigator/],
  ["const x = `${process.pid}`", /names process/],
]

test("no violation is found in a file without violations", () => assert.equal(violations("lib/a.ts", clean), []))
for (const [line, what] of broken) {
  test(`forbidden code is found in: ${line}`, () => {
    const [found, ...more] = violations("lib/a.ts", `${clean}${line}\n`)
    assert.match(found ?? "", what)
    assert.is(more.length, 0)
  })
}

/** The exported names. Each name is documented, tested and kept, so adding one is a decision. */
// Each name has its own line, so that two branches which add names do not conflict.
const values = `
App
FwError
HttpError
LogLevelDebug
LogLevelError
LogLevelInfo
LogLevelOff
LogLevelWarn
badRequest
basicAuth
bearerAuth
bodyLimit
combine
compress
contextKey
cors
csrf
etag
forbidden
internalServerError
ipRestriction
jwt
log
logger
newForm
notFound
peekResponse
pinoLog
proxy
rateLimit
recover
replaceResponse
requestID
secureHeaders
serverTiming
timeout
unauthorized
`
  .trim()
  .replaceAll("\n", " ")
const types = `
AppFetch
AppOptions
Around
BasicAuthOptions
BearerAuthOptions
Bindings
BodyLimitOptions
CORSOptions
CSRFOptions
CompressOptions
Condition
Config
Context
ContextKey
Cookie
ETagOptions
EventStream
EventStreamOptions
FileOptions
FileProblem
Form
FormOptions
FwErrorCode
FwErrorOptions
HandlerContext
HandlerFunc
HandlerResult
HealthCheck
HealthOptions
HttpErrorOptions
IPRestrictionOptions
Issue
JWK
JWKSet
JWTAlgorithm
JWTClaims
JWTOptions
Location
ListenOptions
ListenTarget
Log
LogFields
LogLevel
LogRecord
LogSink
MiddlewareFunc
Next
Origins
ParamNames
Part
PartsOptions
OpenAPIOptions
Operation
OperationKind
PageOptions
PrerenderParams
ProxyConfig
ProxyFunc
ProxyResult
RateLimitCount
RateLimitOptions
RateLimitStore
RecoverOptions
RequestIDOptions
RequestHandler
RequestLoggerConfig
RequestOperation
ResponseChanges
ResponsePeek
RouteGroup
RouteTree
Router
Routes
SecureHeadersOptions
Serialized
Server
ServerSentEvent
ServerSocket
ServerTimingOptions
ShutdownOptions
ShownForm
SocketFunc
SocketHandler
StandardSchema
StaticOptions
TLSOptions
TimeoutOptions
TreeJob
TreeLayout
TreeMiddleware
TreePage
TreeProxy
TreeRoute
TypedResponse
Variables
`
  .trim()
  .replaceAll("\n", " ")

test("lib/index.ts exports these names and no other", () => {
  assert.equal(Object.keys(fw).sort().join(" "), values)
  assert.equal(
    exportNames(onDisk("lib/index.ts")).sort().join(" "),
    [...values.split(" "), ...types.split(" ")].sort().join(" "),
  )
})

/** Returns the names under each heading of lib/index.ts. */
function readGroups(source: string): Record<string, string[]> {
  const [, ...parts] = source.split(/^\/\/ /m)
  return Object.fromEntries(
    parts.map((part) => [part.slice(0, part.indexOf("\n")), exportNames(part.slice(part.indexOf("\n")))]),
  )
}

/** Names that belong under each heading. An import sorter once moved the headings away from their names. */
const headings: Readonly<Record<string, readonly string[]>> = {
  "The application": ["App", "AppOptions", "RouteGroup", "StaticOptions"],
  "Handlers and the request context": ["Context", "HandlerFunc", "MiddlewareFunc", "TypedResponse"],
  "Forms and uploads": ["newForm", "Form", "FormOptions", "Part", "PartsOptions"],
  "Server-sent events and WebSockets": ["EventStream", "ServerSocket"],
  Errors: ["FwError", "HttpError", "badRequest", "HttpErrorOptions", "Issue", "FwErrorCode"],
  "The proxy": ["proxy", "ProxyConfig", "ProxyResult"],
  Logging: ["LogLevel", "LogLevelInfo", "logger", "RequestLoggerConfig"],
  "Middleware: access": ["basicAuth", "jwt", "JWTOptions", "rateLimit", "RateLimitStore"],
  "For middleware of your own": ["peekResponse", "replaceResponse", "ResponsePeek", "ResponseChanges"],
  "Middleware: requests and responses": ["bodyLimit", "cors", "CORSOptions", "timeout", "TimeoutOptions"],
  "The scanned application": ["Routes", "RouteTree", "TreeRoute"],
}

test("lib/index.ts has its exports below the right headings", () => {
  const groups = readGroups(onDisk("lib/index.ts"))
  assert.equal(Object.keys(groups), Object.keys(headings))
  for (const [heading, names] of Object.entries(headings))
    for (const name of names) assert.ok(groups[heading]?.includes(name), `${name} is not below "${heading}"`)
  assert.equal(
    Object.values(groups).flat().sort(),
    exportNames(onDisk("lib/index.ts")).sort(),
    "the exports below the headings are not those of the module",
  )
})

test("lib/index.ts names each file once, with a function next to its options", () => {
  const files = [...onDisk("lib/index.ts").matchAll(/ from "(.*)"$/gm)].map(([, file]) => file)
  const runs = files.filter((file, index) => file !== files[index - 1])
  assert.equal(runs, [...new Set(files)])
})

test.run()
