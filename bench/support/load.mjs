/**
 * Sends requests over kept-alive connections as fast as they are answered. It runs as a process of its own, controlled
 * over IPC.
 */
import { connect } from "node:net"
import { createRequests } from "./workload.mjs"

process.on("message", async ({ port, row, connections, milliseconds }) => {
  const list = createRequests(row).map((text) => Buffer.from(text))
  const end = performance.now() + milliseconds
  let next = 0
  const counts = await Promise.all(
    Array.from({ length: connections }, () => drive(port, end, () => list[next++ % list.length])),
  )
  process.send({ count: counts.reduce((a, b) => a + b, 0) })
})
process.on("disconnect", () => process.exit(0))
process.send("ready")

/** Opens a connection. Each request is sent when the answer to the one before it is complete. */
function drive(port, end, request) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setNoDelay()
    let count = 0
    let pending = ""
    socket.on("error", reject)
    socket.on("data", (chunk) => {
      pending += chunk.latin1Slice()
      const size = measureAnswer(pending)
      if (size < 0 || pending.length < size) return
      if (!pending.startsWith("HTTP/1.1 200 ")) return reject(new Error(`not a 200: ${pending.slice(0, 200)}`))
      pending = pending.slice(size)
      count += 1
      if (performance.now() < end) return socket.write(request())
      socket.destroy()
      resolve(count)
    })
    socket.write(request())
  })
}

/** Returns the length of the answer at the beginning of a text; -1 while its headers are incomplete. */
function measureAnswer(text) {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return -1
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))
  if (!length) throw new Error(`an answer without Content-Length: ${text.slice(0, end)}`)
  return end + 4 + Number(length[1])
}
