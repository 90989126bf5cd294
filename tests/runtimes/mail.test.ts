/** Mail on Bun, Deno and a worker: the mail service gets what a request sends, by a job where there is an engine. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { bundleProgram } from "../support/adapters/published.ts"
import { getCommand, type Runtime, start } from "../support/adapters/runtimes.ts"
import { bundleWorker, startWorker } from "../support/adapters/workerd.ts"
import { project } from "../support/bin/cli/command.ts"
import { root } from "../support/tsc.ts"

const program = await bundleProgram("tests/support/mail/post-office-program.ts")

let accept = (_mail: Record<string, unknown>) => {}
const service = createServer(async (incoming, outgoing) => {
  let body = ""
  for await (const piece of incoming) body += piece
  outgoing.end()
  accept(JSON.parse(body))
})
await new Promise<void>((resolve) => void service.listen(0, "127.0.0.1", resolve))
const MAIL_SERVICE = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
test.after(() => void service.close())

/** Starts the program on a runtime. Returns its address, and a function that ends it. */
async function startPostOffice(runtime: Runtime) {
  if (runtime !== "workerd") {
    const env = { ...process.env, MAIL_SERVICE, NODE_ENV: undefined, NODE_TEST_CONTEXT: undefined }
    const running = start([...getCommand(runtime), program], { cwd: project({}), env })
    return { addr: await running.line(), stop: () => running.stop("SIGTERM") }
  }
  const code = await bundleWorker(join(root, "tests/support/mail/post-office-worker.ts"))
  const vars = { MAIL_SERVICE }
  const { port, stop } = await startWorker({ code, vars, flags: ["nodejs_compat"], reachesMachine: true })
  return { addr: `127.0.0.1:${port}`, stop }
}

for (const runtime of ["bun", "deno", "workerd"] as const) {
  test(`on ${runtime} the mail service gets the mail of a request`, async () => {
    const accepted = new Promise<Record<string, unknown>>((resolve) => {
      accept = resolve
    })
    const office = await startPostOffice(runtime)
    const answer = await fetch(`http://${office.addr}/orders`, { method: "POST" })
    const messageID = await answer.text()
    assert.is(answer.status, 202, messageID)
    const { messageId, to, subject, text } = await accepted
    assert.equal([messageId, subject, text], [messageID, "Your order", "Thank you."])
    assert.equal(to, [{ name: "", address: "ada@x.example" }])
    await office.stop()
  })
}

test.run()
