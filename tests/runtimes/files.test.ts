/** Runs the contract of file stores on Bun, Deno and another Node, on the disk and in S3, and S3 from a worker. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { bundleProgram } from "../support/adapters/published.ts"
import { runContract } from "../support/adapters/runtimes.ts"
import { bundleWorker, startWorker } from "../support/adapters/workerd.ts"
import { type S3Server, startS3 } from "../support/files/s3-server.ts"
import { root } from "../support/tsc.ts"

const directory = mkdtempSync(join(tmpdir(), "fw-files-"))
let program: string

test.before(async () => {
  program = await bundleProgram("tests/support/files/contract-program.ts")
})
test.after(() => rmSync(directory, { recursive: true, force: true }))

/** Calls a function with an empty bucket. */
async function withS3(body: (server: S3Server) => Promise<void>): Promise<void> {
  const server = await startS3()
  try {
    await body(server)
  } finally {
    await server.end()
  }
}

for (const runtime of ["bun", "deno", "node-26"] as const) {
  test(`on ${runtime} files on the disk fulfil the contract`, () =>
    runContract(runtime, program, "disk", join(directory, runtime)))
  test(`on ${runtime} files in S3 fulfil the contract`, () =>
    withS3(({ url }) => runContract(runtime, program, "s3", url)))
}

test("a worker stores uploads in S3 and sends them, without a module of Node", async () => {
  const code = await bundleWorker(join(root, "tests/support/files/worker.ts"))
  assert.not.match(code, /from "node:/)
  const worker = await startWorker({ code, reachesMachine: true })
  const s3 = await startS3()
  try {
    const url = (path: string) => `http://127.0.0.1:${worker.port}${path}?s3=${encodeURIComponent(s3.url)}`
    const body = new FormData()
    body.append("a", new File(["0123456789"], "a.txt"))
    body.append("large", new File([new Uint8Array(9_000_000)], "b.txt"))
    assert.is((await fetch(url("/photos"), { method: "POST", body })).status, 204)
    const answer = await fetch(url("/photos/a.txt"), { headers: { range: "bytes=2-4" } })
    assert.equal([answer.status, await answer.text()], [206, "234"])
    assert.is((await (await fetch(url("/photos/large.txt"))).arrayBuffer()).byteLength, 9_000_000)
    assert.is(await (await fetch(await (await fetch(url("/url"))).text())).text(), "0123456789")
    assert.equal(await (await fetch(url("/errors"))).json(), [
      "diskFiles() needs a disk, which this runtime does not have",
      "r2Files() takes a bucket of R2, not undefined",
    ])
  } finally {
    await worker.stop()
    await s3.end()
  }
})

test.run()
