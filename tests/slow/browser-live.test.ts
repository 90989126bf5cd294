/** Tests of event streams, sockets, compression and the protection against other sites in a real browser. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../adapters/node.ts"
import { App, compress, csrf, etag, secureHeaders } from "../../lib/index.ts"
import type { Server } from "../../lib/platform.ts"
import { startBrowser, type TestBrowser } from "../support/browser.ts"

process.env.FW_LOG_LEVEL = "off"

/** What the server has seen. */
const seen = { transfers: 0, opened: 0, statuses: [] as number[] }
const words = "work and play ".repeat(500)

const app = new App({ logger: false })
app.use((next) => async (c) => {
  const answer = await next(c)
  if (c.path === "/words") seen.statuses.push(answer.status)
  return answer
})
app.use(secureHeaders())
app.use(csrf())
app.use(compress())
app.use(etag())
app.get("/", (c) => c.html(200, '<!doctype html><title>own</title><link rel="icon" href="data:,">'))
app.get("/words", (c) => {
  c.setHeader("Cache-Control", "no-cache")
  return c.json(200, { words })
})
app.get("/events", (c) =>
  c.sse(
    async (events) => {
      const next = Number(events.lastEventId || 0) + 1
      for (const n of [next, next + 1]) await events.send({ id: String(n), data: `line ${n}\nand more` })
    },
    { retry: 10 },
  ),
)
app.post("/transfer", (c) => {
  seen.transfers += 1
  return c.string(200, "done")
})
app.socket("/socket", () => ({
  protocols: ["v2", "v1"],
  open(socket) {
    seen.opened += 1
    return socket.send(`spoken: ${socket.protocol}`)
  },
  message: (socket, data) => (data === "leave" ? socket.close(4001, "as you wish") : socket.send(data)),
}))

const other = new App({ logger: false })
other.get("/", (c) => c.html(200, '<!doctype html><title>other</title><link rel="icon" href="data:,">'))

let own: Server
let foreign: Server
let browser: TestBrowser
const getPort = ({ addr }: Server) => addr.split(":").at(-1)

test.before(async () => {
  const options = { host: "127.0.0.1", port: 0 }
  ;[own, foreign, browser] = await Promise.all([serve(app, options), serve(other, options), startBrowser()])
})
test.after(async () => {
  await browser.stop()
  await Promise.all([own.shutdown(), foreign.shutdown()])
})

/** Calls `run` in a page of the site itself, of another port on its host, or of another site. */
async function inPage<T>(from: "own" | "same-site" | "cross-site", run: string): Promise<T> {
  const addresses = {
    own: `http://localhost:${getPort(own)}/`,
    "same-site": `http://localhost:${getPort(foreign)}/`,
    "cross-site": `http://127.0.0.1:${getPort(foreign)}/`,
  }
  const { page, close } = await browser.page({ expected: /403|WebSocket connection|NotSameOrigin/ })
  await page.goto(addresses[from])
  const result = await page.evaluate<T>(`(async (site) => { ${run} })("localhost:${getPort(own)}")`)
  await close()
  return result
}

test("an EventSource gets events, reconnects by itself, and continues with the next event", async () => {
  const said = await inPage(
    "own",
    `return new Promise((resolve, reject) => {
      const source = new EventSource("/events"), said = []
      setTimeout(() => reject(new Error(said.join())), 60_000)
      source.onmessage = ({ lastEventId, data }) => {
        said.push(lastEventId + " " + data)
        if (said.length === 4) { source.close(); resolve(said) }
      }
    })`,
  )
  assert.equal(
    said,
    [1, 2, 3, 4].map((n) => `${n} line ${n}\nand more`),
  )
})

const talk = `return new Promise((resolve) => {
  const socket = new WebSocket("ws://" + site + "/socket", ["v1", "v2"]), said = []
  socket.onmessage = ({ data }) => {
    said.push(data)
    if (said.length === 1) socket.send("hällo")
    else socket.send("leave")
  }
  socket.onclose = ({ code, reason }) => resolve([...said, code, reason])
})`

test("a WebSocket works under the default Content-Security-Policy", async () => {
  assert.equal(await inPage("own", talk), ["spoken: v2", "hällo", 4001, "as you wish"])
})

for (const from of ["same-site", "cross-site"] as const) {
  test(`a WebSocket of a ${from} page is refused`, async () => {
    const before = seen.opened
    assert.equal(await inPage(from, talk), [1006, ""])
    assert.is(seen.opened, before)
  })

  test(`a ${from} page cannot change data by a script`, async () => {
    const before = seen.transfers
    await inPage(
      from,
      `for (const type of ["text/plain", "application/x-www-form-urlencoded", ""]) {
        const body = new Blob(["amount=1000"], { type })
        await fetch("http://" + site + "/transfer", { method: "POST", mode: "no-cors", credentials: "include", body })
          .catch(() => "the policy of the answer keeps it from this page as well")
      }`,
    )
    assert.is(seen.transfers, before)
  })

  test(`a ${from} page cannot change data by a form`, async () => {
    const before = seen.transfers
    const { page, close } = await browser.page({ expected: /403|favicon/ })
    await page.goto(`http://${from === "same-site" ? "localhost" : "127.0.0.1"}:${getPort(foreign)}/`)
    const answered = page.waitForResponse((response) => response.url().endsWith("/transfer"))
    await page.setContent(
      `<form method="post" action="http://localhost:${getPort(own)}/transfer"><button>win</button></form>`,
    )
    await page.click("button")
    assert.is((await answered).status(), 403)
    assert.is(seen.transfers, before)
    await close()
  })
}

test("a page of the site can change data by a script and by a form", async () => {
  const before = seen.transfers
  const text = await inPage("own", `return (await fetch("/transfer", { method: "POST", body: "amount=1" })).text()`)
  assert.is(text, "done")
  const { page, close } = await browser.page({ expected: /favicon/ })
  await page.goto(`http://localhost:${getPort(own)}/`)
  await page.evaluate(`document.body.innerHTML = '<form method="post" action="/transfer"><button>send</button></form>'`)
  await page.click("button")
  await page.waitForURL(/transfer$/)
  assert.is(await page.textContent("body"), "done")
  assert.is(seen.transfers, before + 2)
  await close()
})

test("the browser reads a compressed answer, caches it, and gets a 304 for it", async () => {
  seen.statuses = []
  const read = await inPage<readonly [string, boolean]>(
    "own",
    `const ask = async () => {
      const answer = await fetch("/words")
      return [answer.headers.get("content-encoding"), (await answer.json()).words === ${JSON.stringify(words)}]
    }
    await ask()
    return ask()`,
  )
  assert.equal(read, ["gzip", true])
  assert.equal(seen.statuses, [200, 304])
})

test.run()
