/**
 * Tests of an app behind the parent process of `fw dev`: it listens on a private socket, and gets the address of
 * the client instead of the parent's.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { clientAddressHeader, setClientAddress } from "../../../bin/dev/client-address.ts"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { App } from "../../../lib/index.ts"

const test = suite("behind fw dev")

test("the app has the client's address and the public address, and another app listens at its own address", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fw-behind-test-"))
  const socketPath = join(directory, "socket")
  const [app, other] = [new App({ logger: false }), new App({ logger: false })]
  app.registerRoute("*", "/seen", (c) => {
    const names = [...c.request.headers.keys()].filter((name) => name.startsWith("x-fw"))
    return c.json(200, [c.clientIP, c.header(clientAddressHeader), names])
  })
  const behind = { socket: socketPath, addr: "localhost:3000", adopt: setClientAddress }
  setDevHooks({ onServe: (served) => (served === app ? behind : undefined) })
  await app.listen(":1")
  await other.listen("127.0.0.1:0")
  assert.is(app.addr, "localhost:3000")
  assert.match(other.addr, /^127\.0\.0\.1:\d+$/)
  for (const extra of [{}, { expect: "100-continue", "content-length": "0" }]) {
    const headers = { ...extra, [clientAddressHeader]: "203.0.113.7" }
    const body = await new Promise<string>((resolve, reject) => {
      const outgoing = request({ socketPath, path: "/seen", headers, agent: false }, (incoming) => {
        incoming.setEncoding("utf8").once("data", resolve)
      })
      outgoing.once("error", reject).end()
    })
    assert.equal(JSON.parse(body), ["203.0.113.7", "", []])
  }
  setDevHooks(undefined)
  await Promise.all([app.shutdown(), other.shutdown()])
  rmSync(directory, { recursive: true })
})

test.run()
