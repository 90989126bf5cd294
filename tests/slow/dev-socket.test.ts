/**
 * Tests of a WebSocket in a route file under `fw dev`: it goes through the parent process, and a save of the file
 * closes it.
 */
import { once } from "node:events"
import { get } from "node:http"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"

const socket = (name: string) => `import type { Context, SocketHandler } from "fw"

export function Get(c: Context<"room">) {
  return c.string(200, c.param("room"))
}

export function Socket(c: Context<"room">): SocketHandler {
  return {
    open: (socket) => socket.send(\`${name} \${c.param("room")} \${c.clientIP} \${c.header("x-fw-client")}.\`),
    message: (socket, data) => socket.send(data),
  }
}
`

const file = "app/rooms/[room]/route.ts"

/** Says whether the upgrade succeeds, and returns the first message. */
async function first(port: number, headers: Record<string, string> = {}) {
  const client = new WebSocket(`ws://localhost:${port}/rooms/blue`, { headers })
  client.on("error", () => {})
  const [data] = await once(client, "message")
  return { client, text: String(data) }
}

test("a socket works through the parent process, a save closes the socket, and the next one reaches the new server", async () => {
  const root = makeProject({ [file]: socket("one") }, ["fw", "esbuild", "ws"])
  const dev = startDev(root)
  try {
    const port = await dev.port()
    const { client, text } = await first(port, { "X-Fw-Client": "6.6.6.6" })
    assert.match(text, /^one blue (?:127\.0\.0\.1|::1) \.$/)
    client.send("echo")
    assert.is(String((await once(client, "message"))[0]), "echo")
    const closed = once(client, "close")
    write(root, { [file]: socket("two") })
    await closed
    assert.match((await first(port)).text, /^two blue /)
    const page = await fetch(`http://localhost:${port}/rooms/blue`)
    assert.is(await page.text(), "blue")
  } finally {
    assert.is(await dev.stop(), 0)
  }
})

test("an event stream ends when its server is replaced, and does not delay the new one", async () => {
  const events = (name: string) => `import type { Context } from "fw"

export function Get(c: Context) {
  return c.sse(async (events) => {
    await events.send("${name}")
    await events.closed
  })
}
`
  const route = "app/events/route.ts"
  const root = makeProject({ [route]: events("one") })
  const dev = startDev(root)
  let late: NodeJS.Timeout | undefined
  try {
    const port = await dev.port()
    const open = async () => {
      const [answer] = await once(get(`http://localhost:${port}/events`), "response")
      answer.setEncoding("utf8")
      const [text] = await once(answer, "data")
      return { answer, text }
    }
    const { answer, text } = await open()
    assert.is(text, "data: one\n\n")
    const ended = once(answer, "end")
    // The old program ends by itself after its grace period of half a minute, which is too late.
    late = setTimeout(() => dev.kill(), 25_000)
    write(root, { [route]: events("two") })
    await ended
    assert.ok(answer.complete)
    const next = await open()
    assert.is(next.text, "data: two\n\n")
    next.answer.on("error", () => {})
    assert.is(await dev.stop(), 0)
  } finally {
    clearTimeout(late)
    dev.kill()
  }
})

test("a page of another origin is refused through the parent process", async () => {
  const root = makeProject({ [file]: socket("one") }, ["fw", "esbuild", "ws"])
  const dev = startDev(root)
  try {
    const port = await dev.port()
    const client = new WebSocket(`ws://localhost:${port}/rooms/blue`, { origin: "https://evil.example" })
    client.on("error", () => {})
    const [, answer] = await once(client, "unexpected-response")
    assert.is(answer.statusCode, 403)
    client.terminate()
  } finally {
    await dev.stop()
  }
})

test.run()
