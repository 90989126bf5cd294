/** An app with all functions that read requests, and requests that reach each of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readTraceparent } from "../../../adapters/otel/span.ts"
import { refuseHandshake } from "../../../adapters/shared/handshake.ts"
import { type App as AnyApp, dispatch } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import type { HttpError } from "../../../lib/errors.ts"
import { FetchExchange } from "../../../lib/exchange.ts"
import { $fwDefer, type Html, html, raw } from "../../../lib/html.ts"
import * as fw from "../../../lib/index.ts"
import { mcp } from "../../../lib/mcp.ts"
import { splitTarget } from "../../../lib/path.ts"
import type { Routes } from "../../../lib/tree.ts"

/** Creates the app. Its log is discarded. */
export async function attackedApp(): Promise<AnyApp> {
  const app = new fw.App({
    trustedProxies: ["127.0.0.1"],
    logger: { level: "debug", format: "json", showIP: true, showUserAgent: true, write: () => {} },
    staticDir: staticFiles(),
  })
  app.use(fw.requestID({ trust: true }))
  app.use(fw.secureHeaders())
  app.use(fw.serverTiming())
  app.use(fw.cors({ origins: ["https://shop.example"], credentials: true }))
  app.use(fw.csrf())
  app.use(fw.compress())
  app.use(fw.etag())
  app.use(fw.rateLimit({ limit: 2 ** 40 }))
  app.setProxy(() => fw.proxy.continue(), {
    matchers: ["/api/:path*", "/{a}/x/{b}", "/a/*"],
    excludes: ["/b/:c+"],
  })
  registerReaders(app)
  registerGuards(app)
  mcp(app, { authorization: { servers: ["https://login.example"] } })
  await app.mount(pages)
  return app
}

function staticFiles(): string {
  const directory = mkdtempSync(join(tmpdir(), "fw-growth-"))
  process.on("exit", () => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, "a.txt"), "text that can be compressed ".repeat(100))
  return directory
}

const anything: fw.StandardSchema = {
  "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "no", path: ["a"] }] }) },
}

/** Adds handlers that read every part of a request. */
function registerReaders(app: AnyApp): void {
  app.get("/read", async (c) => {
    const { clientIP, origin, isJSON, isHTMX } = c
    // `fw/otel` reads `traceparent` in this way. It reads `tracestate` only if `traceparent` is valid.
    readTraceparent(c)
    const valid = `00-${"a".repeat(32)}-${"a".repeat(16)}-01`
    readTraceparent({ header: (name) => (name === "traceparent" ? valid : c.header(name)) })
    const cookies = [c.cookie("x"), c.cookie("session"), await c.cookie("x", { signed: true })]
    const query = [c.query("a"), c.queryInt("b"), c.queryBool("c"), c.queryAll("d").length]
    return c.json(200, { clientIP, origin, isJSON, isHTMX, cookies, query, text: "x".repeat(5000) })
  })
  app.get("/users/{id}/posts/{post}", (c) => c.json(200, [c.paramInt("id"), c.param("post")]))
  app.get("/users/{id}/posts/{post}/a/b", (c) => c.json(200, c.param("id")))
  app.get("/users/*", (c) => c.json(200, c.param("*")))
  app.get("/sse", (c) => c.sse((events) => events.close()))
  app.socket("/socket", () => ({ protocols: ["chat.v1"], message() {} }))
  app.post("/json", async (c) => c.json(200, Object.keys(Object(await c.bind())).length))
  app.post("/form", async (c) => c.json(200, [...(await c.form()).keys()].length))
  app.post("/bound", async (c) => c.json(200, (await c.readForm(anything)).issues))
  app.post("/parts", async (c) => {
    let size = 0
    for await (const part of c.parts()) size += (await part.bytes()).length
    return c.json(200, size)
  })
  app.get("/flashed", (c) => c.json(200, c.flashed().length))
  app.post("/text", async (c) => c.json(200, (await c.text()).length))
  app.post("/request", async (c) => c.json(200, (await c.request.arrayBuffer()).byteLength))
}

function registerGuards(app: AnyApp): void {
  const guards = {
    "/basic": fw.basicAuth({ users: { ada: "secret" } }),
    "/bearer": fw.bearerAuth({ tokens: ["token"] }),
  }
  for (const [path, guard] of Object.entries(guards)) {
    app.group(path, (group) => {
      group.use(guard)
      group.get("/", (c) => c.noContent())
    })
  }
}

/** A route that is a tool for language models. */
const tool = {
  description: { name: "getTool", inputSchema: { type: "object" }, annotations: {} },
  method: "GET",
  route: "/tool",
  path: "/tool",
  parameters: [],
}

const pages: Routes = {
  tree: {
    appDir: "app",
    routes: [
      {
        method: "GET",
        pattern: tool.route,
        file: "app/tool/route.ts",
        export: "Get",
        line: 1,
        middleware: [],
        mcp: true,
      },
    ],
    tools: JSON.stringify({ name: "Shop", version: "1.0.0", tools: [tool] }),
    middleware: [],
    pages: [
      { pattern: "/page", file: "app/page.tpl", layout: 0, middleware: [], title: "Page" },
      { pattern: "/deferred", file: "app/deferred/page.tpl", layout: 0, middleware: [], title: "Deferred" },
    ],
    layouts: [{ path: "/", file: "app/layout.tpl" }],
    notFound: { file: "app/not-found.tpl" },
    error: { file: "app/error.tpl" },
  },
  modules: {
    "app/tool/route.ts": { Get: (c: Context) => c.json(200, c.cookie("x")) },
    "app/layout.tpl": {
      Layout: (title: string, _: Context, children: Html) => html`${title}${children}`,
      $fwBodyID: "page",
    },
    "app/page.tpl": { Page: () => html`<p>page</p>` },
    "app/deferred/page.tpl": {
      Page: () => raw($fwDefer(async () => html`<p>slow</p>`, html`<p>wait</p>`, undefined)),
    },
    "app/not-found.tpl": { NotFound: (c: Context) => html`<p>nothing at ${c.path}</p>` },
    "app/error.tpl": { Failure: (_: Context, status: number) => html`<p>${status}</p>` },
  },
}

/** A request before an attack changes its headers. */
export interface Target {
  readonly request: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}

const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "getTool",
    arguments: {},
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  },
}

/** Requests that reach every function that reads a request. */
export const targets: readonly Target[] = [
  { request: "GET /read", headers: { "x-forwarded-for": "1.2.3.4" } },
  { request: "GET /read", headers: { "if-none-match": '"a"' } },
  { request: "GET /static/a.txt" },
  { request: "GET /static/a.txt", headers: { range: "bytes=0-1" } },
  {
    request: "OPTIONS /read",
    headers: { origin: "https://shop.example", "access-control-request-method": "GET" },
  },
  { request: "GET /page" },
  { request: "GET /deferred" },
  { request: "GET /page", headers: { "hx-request": "true" } },
  { request: "GET /flashed", headers: { cookie: "fw_flash=%5B%5D" } },
  { request: "GET /nothing" },
  { request: "GET /basic" },
  { request: "GET /bearer" },
  { request: "GET /sse" },
  {
    request: "GET /socket",
    headers: { ...upgrade, origin: "http://localhost", "sec-websocket-protocol": "chat.v1" },
  },
  {
    request: "POST /json",
    headers: { "content-type": "application/json", "content-length": "2" },
    body: "{}",
  },
  { request: "POST /form", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1" },
  {
    request: "POST /form",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: "--b--\r\n",
  },
  {
    request: "POST /mcp",
    headers: {
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "getTool",
    },
    body: JSON.stringify(call),
  },
]

/** A request in which one header, or another part, is hostile. */
export class AttackExchange extends FetchExchange {
  override readonly path: string
  override readonly search: string
  /** The names of the headers that were read. */
  readonly names = new Set<string>()
  readonly #headers: Readonly<Record<string, string>>

  constructor(target: Target, headers: Readonly<Record<string, string>> = {}) {
    const space = target.request.indexOf(" ")
    const [method, url] = [target.request.slice(0, space), target.request.slice(space + 1)]
    super(new Request("http://localhost/", { method, body: target.body ?? null }))
    // The target is split as an adapter does it. A Request would resolve the dots.
    const { path, search } = splitTarget(url)
    this.path = path
    this.search = search
    this.#headers = { host: "localhost", ...target.headers, ...headers }
  }

  override get address(): string {
    return "127.0.0.1"
  }

  get upgradeCheck(): boolean | HttpError {
    return refuseHandshake((name) => this.header(name)) ?? true
  }

  override header(name: string): string {
    this.names.add(name)
    return this.#headers[name] ?? ""
  }
}

/** Sends a hostile request through the app. */
export async function attack(app: AnyApp, target: Target, headers?: Record<string, string>): Promise<AttackExchange> {
  const exchange = new AttackExchange(target, headers)
  const response = await dispatch(app, exchange)
  await response.body?.cancel()
  return exchange
}
