/** Starts the contenders of the benches, each as a server on a free port of 127.0.0.1. Used by `server.mjs`. */
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import {
  createAnswer,
  createPatterns,
  echoPath,
  jsonPath,
  origin,
  patterns,
  programPath,
  sessions,
  text,
  textPath,
  writeLine,
} from "./workload.mjs"

/**
 * Imports a package from the folder in which `npm i fastify @fastify/cookie @fastify/cors hono @hono/node-server elysia
 * @elysiajs/cors` was run.
 */
function importPeer(folder, name) {
  return import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href)
}

/** A server by hand on node:http: it finds routes by a Map and by splitting the path. */
async function bare() {
  const routes = new Map()
  for (const pattern of patterns) {
    const parts = pattern.split("/")
    const withParam = parts[3] === "{id}"
    routes.set(
      `GET ${parts[1]}/${parts[2]}`,
      withParam ? (_, res, id) => json(res, createAnswer(id)) : (_, res) => json(res, createAnswer("")),
    )
  }
  routes.set(`GET ${textPath.slice(1)}/undefined`, (_, res) => {
    res.writeHead(200, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(text),
    })
    res.end(text)
  })
  routes.set(`GET ${jsonPath.slice(1)}/undefined`, (_, res) => json(res, createAnswer("7")))
  routes.set(`GET ${programPath.slice(1)}/undefined`, (req, res) => {
    const { user } = sessions.get(readSession(req.headers.cookie)) ?? {}
    if (req.headers.origin === origin) res.setHeader("access-control-allow-origin", origin).setHeader("vary", "Origin")
    json(res, { user })
    writeLine(`GET ${req.url} 200`)
  })
  routes.set(`POST ${echoPath.slice(1)}`, (req, res) => {
    const chunks = []
    let size = 0
    req.on("data", (chunk) => {
      size += chunk.length
      if (size > 10 * 1024 * 1024) req.destroy()
      chunks.push(chunk)
    })
    req.on("end", () => json(res, JSON.parse(Buffer.concat(chunks).toString())))
  })
  const server = createServer((req, res) => {
    const query = req.url.indexOf("?")
    const path = query < 0 ? req.url : req.url.slice(0, query)
    const parts = path.split("/")
    const handler = routes.get(`${req.method} ${parts[1]}/${parts[2]}`)
    if (handler) handler(req, res, parts[3] === undefined ? "" : decodeURIComponent(parts[3]))
    else res.writeHead(404).end()
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { port: server.address().port, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** Returns the value of the cookie `session`. */
function readSession(cookie) {
  return /(?:^|; )session=([^;]*)/.exec(cookie ?? "")?.[1]
}

function json(res, data) {
  const body = JSON.stringify(data)
  res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  res.end(body)
}

/** The same server by hand with Request and Response, as Bun and Deno need it. */
function bareFetch() {
  const routes = new Map()
  for (const pattern of patterns) {
    const parts = pattern.split("/")
    const withParam = parts[3] === "{id}"
    routes.set(
      `GET ${parts[1]}/${parts[2]}`,
      withParam ? (_, id) => Response.json(createAnswer(id)) : () => Response.json(createAnswer("")),
    )
  }
  routes.set(`GET ${textPath.slice(1)}/undefined`, () => new Response(text))
  routes.set(`GET ${jsonPath.slice(1)}/undefined`, () => Response.json(createAnswer("7")))
  routes.set(`GET ${programPath.slice(1)}/undefined`, ({ headers }) => {
    const { user } = sessions.get(readSession(headers.get("cookie"))) ?? {}
    const corsHeaders =
      headers.get("origin") === origin ? { "access-control-allow-origin": origin, vary: "Origin" } : {}
    writeLine(`GET ${programPath} 200`)
    return Response.json({ user }, { headers: corsHeaders })
  })
  routes.set(`POST ${echoPath.slice(1)}`, async (request) => Response.json(await request.json()))
  return (request) => {
    const { url } = request
    const start = url.indexOf("/", 8)
    const query = url.indexOf("?", start)
    const parts = (query < 0 ? url.slice(start) : url.slice(start, query)).split("/")
    const handler = routes.get(`${request.method} ${parts[1]}/${parts[2]}`)
    if (!handler) return new Response(null, { status: 404 })
    return handler(request, parts[3] === undefined ? "" : decodeURIComponent(parts[3]))
  }
}

/** Serves a function from Request to Response by Bun's or Deno's own server. */
function serveFetch(fetch) {
  if (globalThis.Bun) {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch })
    return { port: server.port, close: () => server.stop() }
  }
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => fetch(request))
  return { port: server.addr.port, close: () => server.shutdown() }
}

/**
 * Starts fw from a build. As in an application, Node loads the bundle, and Bun and Deno load the modules. The request logger
 * is off.
 *
 * @param routes the number of routes. Default: as many as all contenders have.
 * @param isProgram true for the row `program`, which adds middleware that the other rows do not have.
 */
async function fw(folder, routes, isProgram) {
  const isNode = !("Bun" in globalThis) && !("Deno" in globalThis)
  const bundle = join(folder, "node/index.js")
  const entry = isNode && existsSync(bundle) ? bundle : join(folder, "lib/index.js")
  const { App, cors, logger } = await import(pathToFileURL(entry).href)
  const app = new App({ logger: false })
  for (const pattern of routes ? createPatterns(Number(routes)) : patterns)
    app.get(pattern, (c) => c.json(200, createAnswer(c.param("id"))))
  app.get(textPath, (c) => c.string(200, text))
  app.get(jsonPath, (c) => c.json(200, createAnswer("7")))
  if (isProgram) {
    app.use(logger({ write: writeLine }), cors({ origins: [origin] }))
    app.get(programPath, (c) => c.json(200, { user: sessions.get(c.cookie("session"))?.user }))
  }
  app.post(echoPath, async (c) => c.json(200, await c.bind()))
  await app.listen("127.0.0.1:0")
  return { port: Number(app.addr.split(":")[1]), close: () => app.shutdown() }
}

/** fw with `telemetry()`, from its sources, so that a profile names their files. Needs `--conditions=fw-source`. */
async function telemetry() {
  const [{ App }, otel] = await Promise.all([import("../../lib/index.ts"), import("../../adapters/otel.ts")])
  const app = new App({ logger: false })
  app.get(textPath, (c) => c.string(200, text))
  otel.telemetry(app)
  await app.listen("127.0.0.1:0")
  return { port: Number(app.addr.split(":")[1]), close: () => app.shutdown() }
}

async function fastify(folder, _, isProgram) {
  const { default: Fastify } = await importPeer(folder, "fastify")
  const app = Fastify({ logger: false })
  for (const pattern of patterns)
    app.get(pattern.replace("{id}", ":id"), (req, reply) => reply.send(createAnswer(req.params.id ?? "")))
  app.get(textPath, (_, reply) => reply.send(text))
  app.get(jsonPath, (_, reply) => reply.send(createAnswer("7")))
  if (isProgram) {
    for (const [name, options] of [
      ["@fastify/cookie", {}],
      ["@fastify/cors", { origin }],
    ])
      await app.register((await importPeer(folder, name)).default, options)
    app.addHook("onResponse", async (req, reply) => writeLine(`${req.method} ${req.url} ${reply.statusCode}`))
    app.get(programPath, (req, reply) => reply.send({ user: sessions.get(req.cookies.session)?.user }))
  }
  app.post(echoPath, (req, reply) => reply.send(req.body))
  await app.listen({ host: "127.0.0.1", port: 0 })
  return { port: app.server.address().port, close: () => app.close() }
}

async function hono(folder, _, isProgram) {
  const { Hono } = await importPeer(folder, "hono")
  const app = new Hono()
  for (const pattern of patterns)
    app.get(pattern.replace("{id}", ":id"), (c) => c.json(createAnswer(c.req.param("id") ?? "")))
  app.get(textPath, (c) => c.text(text))
  app.get(jsonPath, (c) => c.json(createAnswer("7")))
  if (isProgram) {
    const [{ cors }, { getCookie }, { logger }] = await Promise.all(
      ["hono/cors", "hono/cookie", "hono/logger"].map((name) => importPeer(folder, name)),
    )
    app.use(logger(writeLine), cors({ origin }))
    app.get(programPath, (c) => c.json({ user: sessions.get(getCookie(c, "session"))?.user }))
  }
  app.post(echoPath, async (c) => c.json(await c.req.json()))
  if (globalThis.Bun || globalThis.Deno) return serveFetch(app.fetch)
  const { serve } = await importPeer(folder, "@hono/node-server")
  const server = await new Promise((resolve) => {
    const newServer = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(newServer))
  })
  return { port: server.address().port, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** Starts Elysia: on Bun by its own `listen`, elsewhere by serving its `fetch`. */
async function elysia(folder, _, isProgram) {
  const { Elysia } = await importPeer(folder, "elysia")
  const app = new Elysia()
  for (const pattern of patterns)
    app.get(pattern.replace("{id}", ":id"), ({ params }) => createAnswer(params?.id ?? ""))
  app.get(textPath, () => text)
  app.get(jsonPath, () => createAnswer("7"))
  if (isProgram) {
    app.use((await importPeer(folder, "@elysiajs/cors")).cors({ origin }))
    app.onAfterResponse(({ request, set }) => writeLine(`${request.method} ${request.url} ${set.status}`))
    app.get(programPath, ({ cookie }) => ({ user: sessions.get(cookie.session?.value)?.user }))
  }
  app.post(echoPath, ({ body }) => body)
  if (!globalThis.Bun) return serveFetch(app.fetch)
  app.listen({ hostname: "127.0.0.1", port: 0 })
  return { port: app.server.port, close: () => app.stop() }
}

/** The contenders by name. Each function takes the folder from which it loads its framework. */
export const servers = {
  bare,
  fw,
  "fw with telemetry": telemetry,
  fastify,
  hono,
  elysia,
  "bare fetch": () => serveFetch(bareFetch()),
  // Bun and Deno answer differently once a program has read the headers of the request, as every program with cookies
  // does.
  "bare, reads a header": () => {
    const answer = bareFetch()
    return serveFetch((request) => {
      request.headers.get("host")
      return answer(request)
    })
  },
}
