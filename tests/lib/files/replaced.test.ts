/**
 * Tests of a file that is replaced while it is read: no answer combines the size or the ETag of one version with
 * bytes of another.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { createFiles } from "../../../lib/files/create-files.ts"
import type { FilesEngine } from "../../../lib/files/engine.ts"
import { App } from "../../../lib/index.ts"
import { catchFailure } from "../../support/files/contract.ts"

const describe = (version: number) => ({
  ...{ name: "a", size: 10, etag: `v${version}`, type: "text/plain", cacheControl: undefined },
  modified: new Date(0),
})

/** Returns an engine whose file is another version at each call, and a list of the streams that are cancelled. */
function openChanging(last = Number.POSITIVE_INFINITY) {
  let version = 0
  const cancelled: number[] = []
  const next = () => Math.min(++version, last)
  const engine = {
    name: "test",
    head: async () => describe(next()),
    get: async () => {
      const number = next()
      return { file: describe(number), body: new ReadableStream({ cancel: () => void cancelled.push(number) }) }
    },
  } satisfies Partial<FilesEngine>
  return { files: createFiles(engine as unknown as FilesEngine), cancelled }
}

test("reading a range of another version is an error, and its stream is cancelled", async () => {
  const { files, cancelled } = openChanging()
  assert.is(await catchFailure(files.get("a", { range: { start: 2 } })), "files")
  assert.equal(cancelled, [2])
  assert.is((await openChanging(1).files.get("a", { range: { start: 2 } }))?.etag, "v1")
})

test("c.file() does not mix two versions", async () => {
  const app = new App({ logger: false })
  const { files, cancelled } = openChanging()
  app.get("/", (c) => c.file(files, "a"))
  assert.is((await app.request("/")).status, 500)
  assert.equal(cancelled, [2])
})

test.run()
