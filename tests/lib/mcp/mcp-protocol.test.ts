/** Tests of `mcp()`: how it answers valid and invalid messages in each version of the protocol. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { App } from "../../../lib/index.ts"
import { createTool, message, post, type Reply, type ToolCase, toolsApp } from "../../support/lib/tools-app.ts"

process.env.FW_LOG_LEVEL = "off"

const hello: ToolCase = { method: "GET", path: "/hello", name: "hello", handler: (c) => c.string(200, "hi") }
const app = await toolsApp([hello], { instructions: "Greet people." })

const current = { "MCP-Protocol-Version": "2025-11-25" }

/** Metadata and headers of the protocol version without a handshake. */
const meta = (version = "2026-07-28") => ({ _meta: { "io.modelcontextprotocol/protocolVersion": version } })
const modern = (method: string, name?: string) => ({
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": method,
  ...(name !== undefined && { "Mcp-Name": name }),
})
const call = { name: "hello" }

type Case = readonly [
  title: string,
  body: unknown,
  headers: Record<string, string>,
  status: number,
  code?: number | null,
]

const cases: readonly Case[] = [
  ["a ping", message("ping"), {}, 200],
  ["a ping of an older version", message("ping"), { "MCP-Protocol-Version": "2025-06-18" }, 200],
  ["an id that is a text", message("ping", undefined, "a"), current, 200],
  ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, current, 202],
  ["an unknown notification", { jsonrpc: "2.0", method: "notifications/x" }, current, 202],
  ["a response", { jsonrpc: "2.0", id: 1, result: {} }, current, 202],
  ["an unknown method", message("tools/steal"), current, 200, -32601],
  ["an unknown tool", message("tools/call", { name: "x" }), current, 200, -32602],
  ["a tool without a name", message("tools/call", {}), current, 200, -32602],
  ["arguments in a list", message("tools/call", { name: "hello", arguments: [] }), current, 200, -32602],
  ["no JSON", "{", current, 400, -32700],
  ["an empty body", "", current, 400, -32700],
  ["JSON that is not a message", "7", current, 400, -32600],
  ["null", "null", current, 400, -32600],
  ["another JSON-RPC", { jsonrpc: "1.0", id: 1, method: "ping" }, current, 400, -32600],
  ["an id that is null", message("ping", undefined, null), current, 400, -32600],
  ["an id that is an object", message("ping", undefined, {}), current, 400, -32600],
  ["no method", { jsonrpc: "2.0", id: 1 }, current, 400, -32600],
  ["a method that is a number", { jsonrpc: "2.0", id: 1, method: 7 }, current, 400, -32600],
  ["params in a list", { jsonrpc: "2.0", id: 1, method: "ping", params: [] }, current, 400, -32600],
  ["a version that does not exist", message("ping"), { "MCP-Protocol-Version": "1900-01-01" }, 400, -32022],
  ["a list in a version without lists", [message("ping")], current, 400, -32600],
  ["an empty list", [], {}, 400, -32600],
  ["a list that is too long", Array(21).fill(message("ping")), {}, 400, -32600],
  ["another content type", message("ping"), { "Content-Type": "text/plain" }, 415, -32600],
  ["a form", "a=b", { "Content-Type": "application/x-www-form-urlencoded" }, 415, -32600],
  ["a client that takes only HTML", message("ping"), { Accept: "text/html" }, 406, -32600],
  ["a client that takes anything", message("ping"), { Accept: "*/*" }, 200],
  ["2026: a list of tools", message("tools/list", meta()), modern("tools/list"), 200],
  ["2026: a call", message("tools/call", { ...call, ...meta() }), modern("tools/call", "hello"), 200],
  [
    "2026: an encoded name",
    message("tools/call", { ...call, ...meta() }),
    modern("tools/call", "=?base64?aGVsbG8=?="),
    200,
  ],
  ["2026: another name", message("tools/call", { ...call, ...meta() }), modern("tools/call", "x"), 400, -32020],
  ["2026: no name", message("tools/call", { ...call, ...meta() }), modern("tools/call"), 400, -32020],
  ["2026: another method", message("tools/list", meta()), modern("ping"), 400, -32020],
  ["2026: no header", message("tools/list", meta()), {}, 400, -32020],
  ["2026: no metadata", message("tools/list"), modern("tools/list"), 400, -32020],
  [
    "2026: another version in the header",
    message("tools/list", meta()),
    { ...modern("tools/list"), ...current },
    400,
    -32020,
  ],
  [
    "2026: a version that does not exist",
    message("tools/list", meta("2199-01-01")),
    { ...modern("tools/list"), "MCP-Protocol-Version": "2199-01-01" },
    400,
    -32022,
  ],
  ["2026: an unknown method", message("x", meta()), modern("x"), 404, -32601],
  ["2026: initialize, which is gone", message("initialize", meta()), modern("initialize"), 404, -32601],
  ["2026: an unknown tool", message("tools/call", { name: "x", ...meta() }), modern("tools/call", "x"), 400, -32602],
]

for (const [title, body, headers, status, code = null] of cases) {
  test(`${title} is answered with ${status}${code ? ` and the error ${code}` : ""}`, async () => {
    const response = await post(app, body, headers)
    const text = await response.text()
    assert.is(response.status, status, text)
    if (status === 202) assert.is(text, "")
    else assert.is((JSON.parse(text) as Reply).error?.code ?? null, code, text)
    if (text !== "") assert.match(response.headers.get("content-type") ?? "", /^application\/json/)
  })
}

for (const method of ["GET", "DELETE", "PUT"]) {
  test(`a ${method} request is answered with 405 and the allowed methods`, async () => {
    const response = await app.request("/mcp", { method })
    assert.is(response.status, 405)
    assert.match(response.headers.get("allow") ?? "", /\bPOST\b/)
  })
}

const getReply = async (body: unknown, headers = {}, to: App = app) =>
  (await (await post(to, body, headers)).json()) as Reply

for (const [asked, given] of [
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-03-26"],
  ["2024-11-05", "2025-11-25"],
  ["2026-07-28", "2025-11-25"],
  [7, "2025-11-25"],
] as const) {
  test(`initialize with the version ${asked} agrees on the version ${given}`, async () => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "t", version: "1" } }
    assert.equal((await getReply(message("initialize", params))).result, {
      protocolVersion: given,
      capabilities: { tools: {} },
      serverInfo: { name: "Shop", version: "2.1.0" },
      instructions: "Greet people.",
    })
  })
}

test("server/discover returns all versions, the server and its capabilities", async () => {
  const { result } = await getReply(message("server/discover", meta()), modern("server/discover"))
  assert.equal(result?.supportedVersions, ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"])
  assert.equal(result?._meta, { "io.modelcontextprotocol/serverInfo": { name: "Shop", version: "2.1.0" } })
  assert.is(result?.resultType, "complete")
  assert.is(result?.cacheScope, "public")
})

test("the name of the server is an option", async () => {
  const named = await toolsApp([hello], { name: "Counter" })
  const { result } = await getReply(message("initialize", {}), {}, named)
  assert.equal(result?.serverInfo, { name: "Counter", version: "2.1.0" })
})

test("a list of messages is answered in its order, without its notifications", async () => {
  const messages = [message("ping", undefined, 1), { jsonrpc: "2.0", method: "x" }, message("x", undefined, "b")]
  const replies = (await (await post(app, messages)).json()) as Reply[]
  assert.equal(
    replies.map(({ id }) => id),
    [1, "b"],
  )
  const silent = await post(app, [{ jsonrpc: "2.0", method: "x" }])
  assert.is(silent.status, 202)
})

test("a body above the limit of the app is a 413", async () => {
  const response = await post(app, `"${"a".repeat(11 * 1024 * 1024)}"`)
  assert.is(response.status, 413)
})

for (const [title, url, headers, status] of [
  ["a client of localhost", "http://localhost:3000/mcp", {}, 200],
  ["a client of a name below localhost", "http://shop.localhost:3000/mcp", {}, 200],
  ["a client of 127.0.0.1", "http://127.0.0.1:3000/mcp", {}, 200],
  ["a client of an IPv6 address", "http://[::1]:3000/mcp", {}, 200],
  ["a page of the program", "http://localhost:3000/mcp", { Origin: "http://localhost:3000" }, 200],
  ["a page at another port", "http://localhost:3000/mcp", { Origin: "http://localhost:4000" }, 403],
  ["a page of another site", "http://localhost:3000/mcp", { Origin: "http://evil.example" }, 403],
  ["a page whose origin is null", "http://localhost:3000/mcp", { Origin: "null" }, 403],
  [
    "a page whose own name leads to this machine",
    "http://evil.example:3000/mcp",
    { Origin: "http://evil.example:3000" },
    403,
  ],
  ["a client of a foreign name that leads to this machine", "http://evil.example:3000/mcp", {}, 403],
  ["a client of a name that only ends like localhost", "http://evillocalhost:3000/mcp", {}, 403],
  ["a page of a host in the options", "https://shop.example/mcp", { Origin: "https://shop.example" }, 200],
  [
    "a page of a host in the options, behind a proxy for TLS",
    "http://shop.example/mcp",
    { Origin: "https://shop.example" },
    200,
  ],
  ["a client of a name below a host in the options", "https://x.shop.example/mcp", {}, 403],
  ["a page of an origin in the options", "https://shop.example/mcp", { Origin: "https://chat.example" }, 200],
] as const) {
  test(`a request of ${title} is answered with ${status}`, async () => {
    const named = await toolsApp([hello], { hosts: ["Shop.example"], origins: ["https://chat.example"] })
    const response = await post(named, message("ping"), headers, url)
    assert.is(response.status, status)
    if (status === 403) assert.is(((await response.json()) as Reply).error?.code, -32600)
  })
}

test("if fw did not put the tools into the program, they are read from .fw/mcp.json for each request, and an error says if it is missing", async () => {
  const before = process.cwd()
  const directory = mkdtempSync(join(tmpdir(), "fw-mcp-"))
  process.chdir(directory)
  try {
    const bare = await toolsApp([hello], {}, undefined, false)
    const missing = await getReply(message("tools/list"), {}, bare)
    assert.is(missing.error?.code, -32603)
    assert.match(missing.error?.message ?? "", /fw dev, fw build and fw test write them to \.fw\/mcp\.json/)
    assert.is((await getReply(message("ping"), {}, bare)).error, undefined)
    mkdirSync(".fw")
    for (const name of ["one", "two"]) {
      const tools = [createTool({ ...hello, name })]
      writeFileSync(".fw/mcp.json", JSON.stringify({ name: "Shop", version: "1.0.0", tools }))
      assert.is((await getReply(message("tools/list"), {}, bare)).result?.tools?.[0]?.name, name)
    }
  } finally {
    process.chdir(before)
    rmSync(directory, { recursive: true })
  }
})

test("an app whose routes offer nothing has no tools", async () => {
  const silent = await toolsApp([{ ...hello, offered: false }])
  assert.equal((await getReply(message("tools/list"), {}, silent)).result?.tools, [])
})

for (const [options, pattern] of [
  [{ host: "x" }, /has no option "host"/],
  [{ path: 7 }, /path/],
  [{ hosts: "shop.example" }, /list of host names/],
  [{ hosts: ["https://shop.example"] }, /list of host names/],
  [{ hosts: ["shop.example:80"] }, /list of host names/],
  [{ headers: ["x y"] }, /list of names of request headers/],
  [{ origins: ["shop.example"] }, /origin/],
  [{ answerLimit: 0 }, /answerLimit 0/],
  [{ authorization: {} }, /authorization.servers/],
  [{ authorization: { servers: [] } }, /authorization.servers/],
  [{ authorization: { servers: ["https://login.example"], scopes: ["a b"] } }, /authorization.scopes/],
] as const) {
  test(`the options ${JSON.stringify(options)} are refused`, async () => {
    const error = await toolsApp([hello], options as object).then(
      () => null,
      (thrown: Error & { code?: string }) => thrown,
    )
    assert.is(error?.code, "mcp_options")
    assert.match(error?.message ?? "", pattern)
  })
}

test.run()
