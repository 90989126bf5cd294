/**
 * Tests of connections that arrive while a program stops: each connection that the system has opened gets its
 * answer.
 */
import { once } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { build, serve } from "../support/bin/build/executables.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  // The second worker starts to end later than the first.
  "main.ts": `import cluster from "node:cluster"
import { App } from "fw"
const busy = () => {
  const end = performance.now() + 300
  while (performance.now() < end);
}
if (process.env.SECOND_IS_LATE && cluster.worker?.id === 2) process.once("message", busy)
export default new App({ logger: false })
`,
  "app/now/route.ts": 'import type { Context } from "fw"\nexport const Get = (c: Context) => c.string(200, "whole")\n',
  "app/slow/route.ts":
    'import type { Context } from "fw"\nexport async function Get(c: Context) {\n  console.log("running")\n  await new Promise((resolve) => setTimeout(resolve, 100))\n  return c.string(200, "whole")\n}\n',
  "app/later/route.ts":
    'import type { Context } from "fw"\nexport async function Get(c: Context) {\n  await new Promise((resolve) => setTimeout(resolve, 3))\n  return c.string(200, "whole")\n}\n',
})
const test = suite("connections that arrive while a program stops")

test.before(async () => {
  const { code, stdout, stderr } = await build(cwd, ["--target", "node"])
  assert.is(code, 0, stdout + stderr)
})

/** Sends a request on its own connection. Returns `refused` if the system has not opened the connection. */
function ask(port: number, path: string): Promise<"answered" | "refused" | "lost"> {
  return new Promise((resolve) => {
    let text = ""
    let isOpen = false
    const socket = connect(port, "127.0.0.1", () => {
      isOpen = true
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    })
    socket.setEncoding("latin1").on("data", (part: string) => {
      text += part
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(text.endsWith("whole") ? "answered" : isOpen ? "lost" : "refused"))
  })
}

for (const workers of ["", "1", "2"]) {
  for (const path of ["/now", "/later"]) {
    test(`every opened connection is answered: ${path} of a program with ${workers || "no"} workers`, async () => {
      const env = { HOST: "127.0.0.1", FW_WORKERS: workers, FW_DRAIN: "0" }
      const served = await serve([process.execPath, join(cwd, "dist/node/server.mjs")], cwd, env)
      const port = Number(new URL(served.url).port)
      const counts = { answered: 0, refused: 0, lost: 0 }
      const closed = once(served.child, "close")
      const client = async () => {
        for (;;) {
          const result = await ask(port, path)
          counts[result] += 1
          if (counts.answered === 300) served.child.kill("SIGTERM")
          if (result !== "answered") return
        }
      }
      await Promise.all(Array.from({ length: 30 }, client))
      assert.equal(await closed, [0, null], served.output())
      assert.is(counts.lost, 0)
      assert.is(counts.refused, 30)
    })
  }
}

test("workers answer open requests when none of them accepts connections any more", async () => {
  const env = { HOST: "127.0.0.1", FW_WORKERS: "2", FW_DRAIN: "0", SECOND_IS_LATE: "yes" }
  const served = await serve([process.execPath, join(cwd, "dist/node/server.mjs")], cwd, env)
  const port = Number(new URL(served.url).port)
  const closed = once(served.child, "close")
  const answers = [ask(port, "/slow"), ask(port, "/slow")]
  while (served.output().split("running").length < 3) await once(served.child.stdout as Readable, "data")
  served.child.kill("SIGTERM")
  assert.is(await Promise.race(answers), "answered")
  assert.is(await ask(port, "/now"), "refused")
  assert.equal(await closed, [0, null], served.output())
})

test.run()
