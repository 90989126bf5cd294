/** Tests of the application on a real socket, for cases that need a connection. */
import { once } from "node:events"
import { connect } from "node:net"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { app } from "./support/app.ts"

const server = suite("server")

server.before(() => app.listen("127.0.0.1:0"))
server.after(() => app.shutdown(AbortSignal.timeout(5000)))

/** Sends raw bytes and returns the response until the connection ends. */
async function sendRaw(...lines: string[]): Promise<string> {
  const [host, port] = app.addr.split(":")
  const socket = connect(Number(port), host)
  let response = ""
  socket.setEncoding("utf8").on("data", (text: string) => {
    response += text
  })
  socket.end(lines.join("\r\n"))
  await once(socket, "close")
  return response
}

server("a task with an attachment can be added, and its page shows it", async () => {
  const base = `http://${app.addr}`
  const added = await fetch(base, {
    method: "POST",
    body: new URLSearchParams({ title: "Ride" }),
  })
  assert.is(added.url, `${base}/`)
  assert.match(await added.text(), ">Ride</a>")
  const form = new FormData()
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  form.set("file", new File([bytes], "map.png", { type: "image/png" }))
  const upload = await fetch(`${base}/api/tasks/1/attachments`, { method: "POST", body: form })
  assert.is(upload.status, 201)
  const download = await fetch(base + upload.headers.get("location"))
  assert.equal(new Uint8Array(await download.arrayBuffer()), bytes)
  const list = await fetch(`${base}/api/tasks/export`)
  assert.match(await list.text(), / Ride\n$/)
})

server("valid and invalid requests on the wire get the right status", async () => {
  const end = ["Connection: close", "", ""]
  for (const [status, ...lines] of [
    [200, "GET /api/health HTTP/1.1", "Host: x", ...end],
    [200, "GET http://other/api/health HTTP/1.1", "Host: x", ...end],
    [200, "GET /api/../api/./health HTTP/1.1", "Host: x", ...end],
    [204, "OPTIONS * HTTP/1.1", "Host: x", ...end],
    [400, "GET * HTTP/1.1", "Host: x", ...end],
    [400, "GET /api/health HTTP/1.1", "Host: x", "Host: y", ...end],
    [400, "GET /api/health HTTP/1.1", ...end],
    [400, "GET /api\\health HTTP/1.1", "Host: x", ...end],
    [400, "GET /%c3%28 HTTP/1.1", "Host: x", ...end],
    [400, "NONSENSE", "", ""],
    [400, "POST /api/tasks HTTP/1.1", "Host: x", "Content-Length: 2", "Transfer-Encoding: chunked", ...end],
    [413, "POST /api/tasks HTTP/1.1", "Host: x", "Content-Length: 99999", "Expect: 100-continue", ...end],
    [431, "GET / HTTP/1.1", "Host: x", `Cookie: ${"x".repeat(20_000)}`, ...end],
    [501, "TRACE / HTTP/1.1", "Host: x", ...end],
  ] as const) {
    const response = await sendRaw(...lines)
    assert.is(response.slice(0, 12), `HTTP/1.1 ${status}`, `${lines.join(" | ").slice(0, 200)}: ${response}`)
  }
})

server.run()
