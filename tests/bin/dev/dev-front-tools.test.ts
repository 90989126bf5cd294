/**
 * Tests that `fw dev` lets messages to `mcp()` wait until the tools are generated, because a body can be passed on
 * only once.
 */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { FrontServer } from "../../../bin/dev/front-server.ts"
import { SentPages } from "../../../bin/dev/page/sent-pages.ts"
import { Upstream } from "../../../bin/dev/pass-request.ts"
import { KeptRequests } from "../../../bin/dev/requests/kept-requests.ts"

const test = suite("fw dev: messages to tools")

let directory: string
let server: Server
let front: FrontServer
/** The events in the order in which they happen: the tools are generated, and the program answers. */
let order: string[] = []
/** Ends the generation of the tools. */
let end = () => {}
let asked: Promise<unknown>

test.before(async () => {
  directory = mkdtempSync(join(tmpdir(), "fw-tools-test-"))
  server = createServer(async (incoming, outgoing) => {
    let body = ""
    for await (const part of incoming) body += part
    order.push(`answered ${body}`)
    outgoing.end()
  })
  server.listen(join(directory, "server"))
  await once(server, "listening")
  const target = new Upstream(join(directory, "server"))
  let ask = () => {}
  const waitForQuestion = () => {
    asked = new Promise<void>((resolve) => {
      ask = resolve
    })
  }
  waitForQuestion()
  const documented = () => {
    ask()
    waitForQuestion()
    return new Promise<void>((resolve) => {
      end = () => {
        order.push("made")
        resolve()
      }
    })
  }
  const backend = {
    waitForTarget: async () => target,
    explainLost: async () => null,
    waitForDocument: documented,
    waitForStyles: () => null,
    problems: [],
  }
  const own = {
    answer: async () => {},
    notePageSent: () => {},
    noteAnswer: () => {},
    pages: new SentPages(),
    requests: new KeptRequests(),
  }
  front = new FrontServer({ host: "127.0.0.1", port: 0, allowedHosts: [] }, backend, own)
  await front.listen()
})

test.after(async () => {
  server.closeAllConnections()
  server.close()
  await front.close(AbortSignal.timeout(1000))
  rmSync(directory, { recursive: true })
})

const messages: ReadonlyArray<readonly [path: string, accept: string, waits: boolean]> = [
  ["/mcp", "*/*", true],
  ["/mcp?x=1", "application/json", true],
  ["/api/mcp", "*/*", true],
  ["/agents", "application/json, text/event-stream", true],
  ["/agents", "application/json", false],
  ["/agents?at=/mcp", "*/*", false],
  ["/mcp/tasks", "*/*", false],
]
for (const [path, accept, waits] of messages) {
  test(`POST ${path} with Accept: ${accept} ${waits ? "waits for the tools" : "does not wait"}`, async () => {
    order = []
    const first = asked
    const init = { method: "POST", headers: { accept }, body: "message" }
    const answer = fetch(`http://127.0.0.1:${front.address.port}${path}`, init)
    if (waits) {
      await Promise.race([first, answer])
      end()
    }
    await answer
    assert.equal(order, waits ? ["made", "answered message"] : ["answered message"])
  })
}

test.run()
