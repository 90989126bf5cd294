/**
 * Runs one contender of `bench/shutdown.mjs`: it serves `/` and, on SIGTERM, shuts down as its documentation
 * recommends.
 */
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const [name, folder] = process.argv.slice(2)
const importPeer = (packageName) =>
  import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(packageName)).href)
const work = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
const body = { hello: "world" }

const starters = {
  async fw() {
    const { App } = await import(pathToFileURL(join(folder, "lib/index.js")).href)
    const app = new App({ logger: false })
    app.get("/", async (c) => {
      await work()
      return c.json(200, body)
    })
    app.get("/sync", (c) => c.json(200, body))
    await app.listen("127.0.0.1:0")
    return { port: Number(app.addr.split(":")[1]), stop: () => app.shutdown(AbortSignal.timeout(3_000)) }
  },
  async http() {
    const server = createServer(async (req, res) => {
      if (req.url === "/") await work()
      res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
    })
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
    return { port: server.address().port, stop: () => new Promise((resolve) => server.close(resolve)) }
  },
  async fastify() {
    const { default: Fastify } = await importPeer("fastify")
    const app = Fastify()
    app.get("/", async () => {
      await work()
      return body
    })
    app.get("/sync", (_, reply) => reply.send(body))
    await app.listen({ host: "127.0.0.1", port: 0 })
    return { port: app.server.address().port, stop: () => app.close() }
  },
  async hono() {
    const { Hono } = await importPeer("hono")
    const { serve } = await importPeer("@hono/node-server")
    const app = new Hono()
    app.get("/", async (c) => {
      await work()
      return c.json(body)
    })
    app.get("/sync", (c) => c.json(body))
    const server = await new Promise((resolve) => {
      const newServer = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(newServer))
    })
    return { port: server.address().port, stop: () => new Promise((resolve) => server.close(resolve)) }
  },
}

const { port, stop } = await starters[name]()
process.once("SIGTERM", async () => {
  await stop()
  process.disconnect()
})
process.send({ port })
