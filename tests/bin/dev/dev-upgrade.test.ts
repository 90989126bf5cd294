/** Tests of connections that switch to another protocol, through the parent process of `fw dev` to the program. */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { FrontServer } from "../../../bin/dev/front-server.ts"
import { SentPages } from "../../../bin/dev/page/sent-pages.ts"
import { Upstream } from "../../../bin/dev/pass-request.ts"
import { KeptRequests } from "../../../bin/dev/requests/kept-requests.ts"

const test = suite("fw dev: upgrades")

let directory: string
let server: Server
let target: Upstream
let front: FrontServer

/** Creates a front server on a free port, in front of the test's server. */
function makeFront(): FrontServer {
  const backend = {
    waitForTarget: async () => target,
    explainLost: async () => null,
    waitForDocument: () => null,
    waitForStyles: () => null,
    problems: [],
  }
  return new FrontServer({ host: "127.0.0.1", port: 0, allowedHosts: [] }, backend, {
    answer: async () => {},
    notePageSent: () => {},
    noteAnswer: () => {},
    pages: new SentPages(),
    requests: new KeptRequests(),
  })
}

test.before(async () => {
  directory = mkdtempSync(join(tmpdir(), "fw-upgrade-test-"))
  server = createServer()
  // The server sends the client's address and headers, and then sends back what it receives.
  server.on("upgrade", (incoming, socket, head) => {
    const client = incoming.headers["x-fw-client"]
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n${client} ${incoming.headers["x-app"]} `,
    )
    socket.write(head)
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(join(directory, "server"), resolve))
  target = new Upstream(join(directory, "server"))
  front = makeFront()
  await front.listen()
})

test.after(async () => {
  server.closeAllConnections()
  server.close()
  await front.close(AbortSignal.timeout(1000))
  rmSync(directory, { recursive: true })
})

function open(host: string) {
  const socket = connect(front.address.port, "127.0.0.1").setEncoding("latin1")
  socket.write(
    `GET /socket HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: echo\r\nX-App: own\r\nX-Fw-Client: 6.6.6.6\r\n\r\nfirst`,
  )
  let text = ""
  return {
    socket,
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(text)) text += (await once(socket, "data"))[0]
      return text
    },
  }
}

test("bytes pass in both directions, before and after the switch, with the client's address", async () => {
  const { socket, until } = open("localhost")
  assert.match(await until(/first/), /^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*\r\n\r\n127\.0\.0\.1 own first$/)
  const large = "x".repeat(300_000)
  socket.write(`${large}!`)
  await until(/!$/)
  socket.end()
  await once(socket, "close")
})

test("a new program closes upgraded connections, so that clients connect again", async () => {
  const { socket, until } = open("localhost")
  await until(/first/)
  const closed = once(socket, "close")
  await target.finish()
  await closed
})

test("an upgrade for another host name is refused", async () => {
  const { socket, until } = open("evil.example")
  assert.match(await until(/fw dev --allow-host evil\.example/), /^HTTP\/1\.1 403 Forbidden\r\n/)
  await once(socket, "close")
})

test("a server that is closed still knows its address, because work that ends later may need the address", async () => {
  const other = makeFront()
  await other.listen()
  const { port } = other.address
  await other.close(AbortSignal.timeout(1000))
  assert.ok(port > 0)
  assert.is(other.address.port, port)
})

test.run()
