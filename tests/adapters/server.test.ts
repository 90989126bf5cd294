/** Common behaviour of the adapters' servers, on Node: HTTPS, and work that outlives its answer. */
import { request } from "node:https"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { App } from "../../lib/index.ts"
import { tls } from "../support/adapters/tls.ts"
import { sendTo } from "../support/contract/runner.ts"

const local = { host: "127.0.0.1", port: 0 }
const portOf = (addr: string) => Number(addr.split(":").at(-1))
/** A promise and what resolves it: Node 20 has no `Promise.withResolvers`. */
function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const quiet = () => new App({ logger: false })

test("serve() with tls answers HTTPS, c.request.url has https, and it stops gracefully", async () => {
  const app = quiet()
  const arrived = gate()
  const finish = gate()
  app.get("/", async (c) => {
    arrived.resolve()
    await finish.promise
    return c.json(200, [new URL(c.request.url).protocol, c.clientIP])
  })
  const server = await serve(app, { ...local, tls })
  const answered = new Promise<string>((resolve, reject) => {
    const options = { host: "127.0.0.1", port: portOf(server.addr), ca: tls.cert, agent: false }
    request(options, async (incoming) => {
      let text = ""
      for await (const chunk of incoming) text += chunk
      resolve(text)
    })
      .on("error", reject)
      .end()
  })
  await arrived.promise
  const stopped = server.shutdown()
  finish.resolve()
  assert.is(await answered, '["https:","127.0.0.1"]')
  await stopped
})

test("shutdown() waits for c.waitUntil(), and for work that this work starts", async () => {
  const app = quiet()
  const first = gate()
  const second = gate()
  const order: string[] = []
  app.get("/", (c) => {
    c.waitUntil(
      first.promise.then(() => {
        order.push("first")
        c.waitUntil(second.promise.then(() => order.push("second")))
      }),
    )
    return c.noContent()
  })
  const server = await serve(app, local)
  assert.is((await sendTo(portOf(server.addr), "/")).status, 204, "the answer does not wait")
  const stopped = server.shutdown().then(() => order.push("stopped"))
  first.resolve()
  await first.promise
  second.resolve()
  await stopped
  assert.equal(order, ["first", "second", "stopped"])
})

test("the signal of shutdown() ends the wait for c.waitUntil()", async () => {
  const app = quiet()
  app.get("/", (c) => {
    c.waitUntil(new Promise(() => {}))
    return c.noContent()
  })
  const server = await serve(app, local)
  await sendTo(portOf(server.addr), "/")
  const cut = new AbortController()
  const stopped = server.shutdown(cut.signal).catch((error: unknown) => error)
  cut.abort("enough")
  assert.is(await stopped, "enough")
})

test("c.env has the environment variables of the process", async () => {
  process.env.FW_TEST_VARIABLE = "value"
  const app = quiet()
  app.get("/", (c) => c.json(200, c.env.FW_TEST_VARIABLE))
  assert.is(await (await app.request("/")).json(), "value")
})

test("a rejected c.waitUntil does not become an unhandled rejection", async () => {
  const app = quiet()
  app.get("/", (c) => {
    c.waitUntil(Promise.reject(new Error("later, on purpose")))
    return c.noContent()
  })
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on("unhandledRejection", note)
  assert.is((await app.request("/")).status, 204)
  // Rejections are told apart once the microtasks are through.
  await new Promise(setImmediate)
  process.off("unhandledRejection", note)
  assert.equal(unhandled, [])
})

test.run()
