/**
 * Tests of what the adapters' servers have in common, on Node: HTTPS, and work that goes on after an answer was
 * sent.
 */
import { generateKeyPairSync } from "node:crypto"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { request as requestPlain } from "node:http"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { App, FwError } from "../../lib/index.ts"
import { tls } from "../support/adapters/tls.ts"
import { sendTo } from "../support/contract/runner.ts"

const local = { host: "127.0.0.1", port: 0 }
const getPort = (addr: string) => Number(addr.split(":").at(-1))
/** Returns a promise and the function that resolves it: Node 20 has no `Promise.withResolvers`. */
function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const quiet = () => new App({ logger: false })

test("serve() with tls answers HTTPS, puts https into c.request.url, and stops gracefully", async () => {
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
    const options = { host: "127.0.0.1", port: getPort(server.addr), ca: tls.cert, agent: false }
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

const otherKey = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string
for (const [given, message] of [
  [{ ...tls, key: "" }, /^tls\.cert is set, and tls\.key is not/],
  [{ key: tls.key } as typeof tls, /^tls\.key is set, and tls\.cert is not/],
  [{ ...tls, cert: tls.key }, /^tls\.cert is not a certificate in PEM/],
  [{ ...tls, key: "/etc/key.pem" }, /^tls\.key is not a private key in PEM/],
  [{ ...tls, key: otherKey }, /^tls\.key is not the private key of tls\.cert/],
] as const)
  test(`serve() refuses a certificate that cannot be used: ${message.source}`, async () => {
    const error = await serve(quiet(), { ...local, tls: given }).catch((error: unknown) => error)
    assert.instance(error, FwError)
    assert.is((error as FwError).code, "tls")
    assert.match((error as FwError).message, message)
  })

test("an app listens on a Unix socket, removes its file at the end, and changes no other file", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fw-socket-"))
  const path = join(directory, "a.sock")
  const app = quiet()
  app.get("/", (c) => c.string(200, c.clientIP))
  await app.listen(path)
  assert.is(app.addr, `unix:${path}`)
  const answered = await new Promise<string>((resolve, reject) => {
    requestPlain({ socketPath: path, headers: { host: "a" }, agent: false }, (incoming) =>
      incoming.setEncoding("utf8").on("data", resolve),
    )
      .on("error", reject)
      .end()
  })
  assert.is(answered, "unix")
  const findCode = (error: unknown) => (error as FwError).code
  assert.is(await quiet().listen({ path }).catch(findCode), "port_in_use")
  await app.shutdown()
  assert.not.ok(existsSync(path))
  writeFileSync(path, "notes")
  assert.is(await quiet().listen({ path }).catch(findCode), "port_in_use")
  assert.is(await quiet().listen(join(directory, "none/a.sock")).catch(findCode), "host")
  assert.is(await quiet().listen({ fd: 1_000_000 }).catch(findCode), "host")
  assert.ok(existsSync(path))
  rmSync(directory, { recursive: true })
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
  assert.is(
    (await sendTo(getPort(server.addr), "/")).status,
    204,
    "the request was not answered while c.waitUntil() waits",
  )
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
  await sendTo(getPort(server.addr), "/")
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
  // Node reports unhandled rejections after all microtasks have run.
  await new Promise(setImmediate)
  process.off("unhandledRejection", note)
  assert.equal(unhandled, [])
})

test.run()
