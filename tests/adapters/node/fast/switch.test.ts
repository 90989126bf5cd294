/**
 * Tests that `FW_FAST=false` changes how requests on Node are read and answered, but nothing in an answer except the
 * order of its headers.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { Wire } from "../../../support/adapters/node/wire.ts"

const { url } = import.meta
const program = fileURLToPath(new URL(`../../../support/adapters/node/switch-program${extname(url)}`, url))
const servers: ChildProcess[] = []
const addresses: string[] = []

test.before(async () => {
  for (const FW_FAST of ["true", "false"]) {
    const child = fork(program, { env: { ...process.env, FW_FAST, FW_LOG_LEVEL: "off" } })
    servers.push(child)
    const [address] = await once(child, "message")
    addresses.push(address as string)
  }
})
test.after(() => {
  for (const server of servers) server.kill("SIGKILL")
})

/** Returns an answer without its time and with sorted headers, because a real Response sorts them. */
function ordered(answer: string): string {
  return answer
    .split(/(?<=\r\n\r\n)(?=HTTP)|(?=\r\n\r\n)/)
    .map((part) => {
      const [first, ...rest] = part.split("\r\n")
      if (!first?.startsWith("HTTP/")) return part
      return [first, ...rest.filter((line) => !line.startsWith("Date:")).sort()].join("\r\n")
    })
    .join("")
}

/** Returns everything that each server sends for a request. */
async function ask(request: string): Promise<string[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const wire = await Wire.open(address)
      wire.send(request)
      await wire.end()
      return ordered(wire.pending)
    }),
  )
}

function head(method: string, path: string, headers: readonly string[] = []): string {
  return `${[`${method} ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`
}

const post = (path: string, type: string, body: string, more: readonly string[] = []) =>
  head("POST", path, [`Content-Type: ${type}`, `Content-Length: ${body.length}`, ...more]) + body

const chunked = (path: string, body: string) =>
  `${head("POST", path, ["Transfer-Encoding: chunked"])}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

const paths = [
  ...[
    "/json",
    "/length",
    "/empty",
    "/away",
    "/bytes",
    "/stream",
    "/own",
    "/clone",
    "/url",
    "/bug",
    "/refused",
    "/tagged",
    "/none",
    "/json/",
  ],
  ...["/json?see=headers", "/json?see=body", "/stream?see=body", "/own?see=headers"],
]
const list = ["X-List: a", "X-List: b", "Cookie: a=1", "Cookie: b=2", "Accept: text/html"]
const requests: ReadonlyArray<readonly [name: string, request: string]> = [
  ...paths.flatMap((path) => ["GET", "HEAD"].map((method) => [`${method} ${path}`, head(method, path)] as const)),
  ["a tag that matches", head("GET", "/tagged", ['If-None-Match: "no", *'])],
  ["OPTIONS", head("OPTIONS", "/json")],
  ["another method", head("DELETE", "/json")],
  ["repeated headers", head("GET", "/headers", list)],
  [
    "a header that node:http drops",
    head("GET", "/headers", [...list, "Accept: a/b", "User-Agent: a", "User-Agent: b"]),
  ],
  ...["/text", "/request", "/unread"].flatMap((path) => [
    [`a body for ${path}`, post(path, "text/plain", "hello")] as const,
    [`chunks for ${path}`, chunked(path, "hello")] as const,
    [`an empty body for ${path}`, post(path, "text/plain", "")] as const,
    [`a long body for ${path}`, post(path, "text/plain", "x".repeat(200))] as const,
    [`long chunks for ${path}`, chunked(path, "x".repeat(200))] as const,
    [`bytes that are not UTF-8 for ${path}`, post(path, "text/plain", "\xff")] as const,
    [`a client that waits before ${path}`, post(path, "text/plain", "hello", ["Expect: 100-continue"])] as const,
  ]),
  ["JSON", post("/bind", "application/json", '{"a":1}')],
  ["malformed JSON", post("/bind", "application/json", "{")],
  ["JSON of another type", post("/bind", "text/plain", "{}")],
  ["a form", post("/form", "application/x-www-form-urlencoded", "a=1&b=2")],
]

for (const [name, request] of requests) {
  test(`the answers with FW_FAST=true and with FW_FAST=false are the same: ${name}`, async () => {
    const [fast, standard] = await ask(request)
    assert.match(fast ?? "", /^HTTP\/1\.1 \d/)
    assert.is(standard, fast)
  })
}

test("for more than half of the requests, only a server with FW_FAST=false creates a Response", async () => {
  const counts = await ask(head("GET", "/made"))
  const [fast, standard] = counts.map((text) => Number(text.split("\r\n\r\n")[1]))
  // Routes that ask for a Request have already created it.
  assert.ok(
    (standard ?? 0) - (fast ?? 0) > requests.length / 2,
    `${fast} Responses with FW_FAST=true, and ${standard} with FW_FAST=false`,
  )
})

test.run()
