/** Tests of `timeout()`: its answer, the abort signal that handlers see, and answers that come too late. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type HandlerFunc, type MiddlewareFunc, timeout } from "../../../lib/index.ts"
import { sendTo } from "../../support/contract/runner.ts"

/** Returns an app whose timeout ends as soon as anything waits for it, and the errors that it logs. */
function hasty(handler: HandlerFunc, options?: Parameters<typeof timeout>[1]) {
  const bugs: string[] = []
  const write = (text: string) => void (/ 50[34] in /.test(text) || bugs.push(text))
  const app = new App({ logger: { level: "error", write } })
  app.use(timeout(0.005, options))
  app.get("/", handler)
  return { app, bugs }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))

test("a request that takes too long gets 503 as JSON, and c.signal aborts with a TimeoutError", async () => {
  let reason: unknown
  const { app, bugs } = hasty(async (c) => {
    reason = await aborted(c.signal).catch((error) => error)
    return c.string(200, "late")
  })
  const answer = await app.request("/")
  assert.is(answer.status, 503)
  assert.equal(await answer.json(), { error: "service_unavailable", message: "no answer within 0.005 s" })
  assert.instance(reason, DOMException)
  assert.is((reason as DOMException).name, "TimeoutError")
  assert.equal(bugs, [])
})

test("a handler that fails because of the abort is not reported as a bug", async () => {
  const { app, bugs } = hasty((c) => aborted(c.signal))
  assert.is((await app.request("/")).status, 503)
  const { app: gateway } = hasty((c) => aborted(c.signal), { status: 504 })
  const late = (await (await gateway.request("/")).json()) as { error: string }
  assert.is(late.error, "gateway_timeout")
  assert.equal(bugs, [])
})

test("a bug after the timeout is still reported, and does not change the answer", async () => {
  const late: unknown[] = []
  const app = new App({ logger: false })
  const remember: MiddlewareFunc = (next) => (c) => {
    const { waitUntil } = c
    c.waitUntil = (promise) =>
      waitUntil.call(
        c,
        promise.catch((error) => void late.push(error)),
      )
    return next(c)
  }
  let done: () => void = () => {}
  const over = new Promise<void>((resolve) => {
    done = resolve
  })
  app.use(remember)
  app.use(timeout(0.005))
  app.get("/", async (c) => {
    await aborted(c.signal).catch(() => {})
    await new Promise((resolve) => setImmediate(resolve))
    setImmediate(done)
    throw new TypeError("a bug")
  })
  assert.is((await app.request("/")).status, 503)
  await over
  assert.equal(
    late.map((error) => (error as Error).message),
    ["a bug"],
  )
})

test("an answer in time is not changed, and c.signal does not abort", async () => {
  const app = new App({ logger: false })
  let signal: AbortSignal | undefined
  app.use(timeout(2_000_000))
  app.get("/", (c) => {
    signal = c.signal
    return c.string(200, "in time")
  })
  app.get("/bug", () => {
    throw new Error("a bug")
  })
  assert.is(await (await app.request("/")).text(), "in time")
  assert.is(signal?.aborted, false)
  assert.is((await app.request("/bug")).status, 500)
})

test("an answer that has started has no time limit", async () => {
  const { app } = hasty((c) => {
    let left = 3
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      // This takes as long as the limit: timers of equal length end in the order in which they started.
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(new TextEncoder().encode("."))
      if (--left === 0) controller.close()
    }
    return c.blob(200, "text/plain", new ReadableStream({ pull }))
  })
  assert.is(await (await app.request("/")).text(), "...")
})

test("the body of an answer that comes too late is cancelled, because nobody reads it", async () => {
  let tell: (reason: unknown) => void
  const told = new Promise((resolve) => {
    tell = resolve
  })
  const { app } = hasty(async (c) => {
    await aborted(c.signal).catch(() => {})
    return c.blob(200, "text/plain", new ReadableStream({ cancel: (reason) => tell(reason) }))
  })
  assert.is((await app.request("/")).status, 503)
  await told
})

test("c.signal still aborts when the client disconnects", async () => {
  const client = new AbortController()
  const app = new App({ logger: false })
  app.use(timeout(1_000_000))
  app.get("/", async (c) => {
    setTimeout(() => client.abort())
    await aborted(c.signal).catch(() => {})
    return c.string(200, String(c.signal.aborted))
  })
  assert.is(await (await app.request("/", { signal: client.signal })).text(), "true")
})

test("a request over a socket that takes too long gets 503", async () => {
  const { app } = hasty((c) => aborted(c.signal))
  await app.listen("127.0.0.1:0")
  assert.is((await sendTo(Number(app.addr.split(":").at(-1)), "/")).status, 503)
  await app.shutdown()
})

test.run()
