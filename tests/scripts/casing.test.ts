/**
 * Tests the rule of CONTRIBUTING.md that an abbreviation in an identifier is written all in capitals, or all in
 * small letters at the start.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

/** Names that other projects define, in their spelling. */
const foreign = new Set([
  // These names come from the HTML standard (EventSource), OpenAPI, API Gateway, AWS, BullMQ, OpenTelemetry, the MCP
  // SDK, the inspector of V8, nodemailer and the Language Server Protocol.
  "lastEventId",
  "operationId",
  "openIdConnect",
  "openIdConnectUrl",
  "sourceIp",
  "accessKeyId",
  "uploadId",
  "jobId",
  "JobJson",
  "traceId",
  "spanId",
  "parentSpanId",
  "McpError",
  "objectId",
  "languageId",
  "processId",
  "rootUri",
  "messageId",
  "disableUrlAccess",
  // The misspelling that app.fetch() refuses.
  "clientIp",
])

const abbreviations = "Api|Ast|Cli|Cors|Css|Csrf|Dom|Etag|Htmx|Id|Ip|Json|Jsx|Jwk|Jwt|Mcp|Sse|Tls|Ttl|Uri|Url|Utf|Uuid"
const mixed = new RegExp(`(?<![\\w$.])[\\w$]*(?<![A-Z])(?:${abbreviations})(?![a-z])[\\w$]*`, "g")

/** Returns the identifiers of a source that mix capitals and small letters in an abbreviation. */
function mixedIn(source: string): string[] {
  const bare = source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g,
    '""',
  )
  // Functions that compiled templates call have other rules for their names.
  return [...bare.matchAll(mixed)].map(([name]) => name).filter((name) => !foreign.has(name) && !/^\$?fw/.test(name))
}

test("every abbreviation in an identifier has only one case", () => {
  const listed = spawnSync("git", ["ls-files", "lib", "template", "adapters", "bin"], {
    cwd: root,
    encoding: "utf8",
  }).stdout
  const files = listed.split("\n").filter((file) => file.endsWith(".ts"))
  assert.ok(files.length > 300)
  const found = files.flatMap((file) =>
    [...new Set(mixedIn(readFileSync(join(root, file), "utf8")))].map((name) => `${file}: ${name}`),
  )
  assert.equal(found, [])
})

test("the check of abbreviations finds exactly the identifiers that break the rule", () => {
  const source =
    "const requestId = isHTMX(c.clientIP, fooUrl, OpenApiOptions, escapeHtml, HttpError, Idea, valid, rapid) // myUrl"
  assert.equal(mixedIn(source), ["requestId", "fooUrl", "OpenApiOptions"])
})

test.run()
