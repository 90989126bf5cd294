/** Runs the contract of file stores on the disk, and tests what only the disk does. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { diskFiles } from "../../../adapters/files/disk-files.ts"
import { App } from "../../../lib/index.ts"
import { catchFailure, createStream, driveFiles } from "../../support/files/contract.ts"

process.env.FW_LOG_LEVEL = "off"
process.env.FW_SECRETS = "0123456789abcdef0123456789abcdefXYZ"

const root = mkdtempSync(join(tmpdir(), "fw-files-"))
driveFiles("disk", async () => diskFiles(join(root, "later"), { path: "/files" }))

test.after(() => rmSync(root, { recursive: true, force: true }))

/** Creates an empty directory, and a file store in it. */
function open() {
  const directory = mkdtempSync(join(root, "one-"))
  return { directory, files: diskFiles(directory) }
}
const listAll = (directory: string) => readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()

test("files have their own names on the disk, and files of other programs are found", async () => {
  const { directory, files } = open()
  await files.put("a/b.txt", "hello")
  assert.is(readFileSync(join(directory, "a/b.txt"), "utf8"), "hello")
  writeFileSync(join(directory, "a/c.png"), "x")
  writeFileSync(join(directory, ".hidden"), "x")
  assert.is((await files.head("a/c.png"))?.type, "image/png")
  assert.equal(
    (await files.list()).files.map(({ name }) => name),
    ["a/b.txt", "a/c.png"],
  )
})

test("links out of the directory are not files, and nothing is written through such a link", async () => {
  const { directory, files } = open()
  const outside = mkdtempSync(join(root, "outside-"))
  writeFileSync(join(outside, "secret"), "secret")
  symlinkSync(outside, join(directory, "out"))
  symlinkSync(join(outside, "secret"), join(directory, "link"))
  for (const name of ["out/secret", "link"]) {
    assert.is(await files.get(name), null)
    assert.is(await files.head(name), null)
  }
  assert.is(await catchFailure(files.put("out/new", "x")), "files")
  assert.is(await catchFailure(files.put("out/deep/new", "x")), "files")
  await files.delete("out/secret")
  // The link itself is replaced, and the file that it points to stays.
  await files.put("link", "mine")
  assert.equal(listAll(outside), ["secret"])
  assert.is(readFileSync(join(outside, "secret"), "utf8"), "secret")
  assert.is(await (await files.get("link"))?.text(), "mine")
  mkdirSync(join(directory, "real"))
  symlinkSync(join(directory, "real"), join(directory, "inside"))
  await files.put("inside/a", "x")
  assert.is(await (await files.get("real/a"))?.text(), "x")
})

test("the error for a name that is a directory, or below a file, names the directory or the file", async () => {
  const { files } = open()
  await files.put("a/b", "x")
  await files.put("c", "x")
  for (const [name, taken] of [
    ["a", '"a" is a directory'],
    ["c/d", '"c" is a file'],
    ["c/d/e", '"c" is a file'],
  ] as const) {
    const error = await files.put(name, "y").catch((error) => error)
    assert.is(error.code, "files")
    assert.match(error.message, taken)
  }
})

test("while a file is written and after a failure, only the old file exists", async () => {
  const { directory, files } = open()
  await files.put("a/b", "old", { type: "text/csv" })
  const before = listAll(directory)
  let isOpen = () => {}
  const opened = new Promise<void>((resolve) => (isOpen = resolve))
  let fail: (error: Error) => void = () => {}
  const slow = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Uint8Array.of(1))
      fail = (error) => controller.error(error)
    },
    pull: () => isOpen(),
  })
  const put = files.put("a/b", slow)
  await opened
  assert.is(await (await files.get("a/b"))?.text(), "old")
  assert.equal(
    (await files.list()).files.map(({ name }) => name),
    ["a/b"],
  )
  fail(new Error("the client has gone"))
  assert.is(await catchFailure(put), "the client has gone")
  assert.equal(listAll(directory), before)
  assert.is((await files.head("a/b"))?.type, "text/csv")
})

test("a description is written next to a file only if the name of the file does not say the same, and is deleted with the file", async () => {
  const { directory, files } = open()
  await files.put("a.png", "x")
  assert.equal(listAll(directory), ["a.png"])
  await files.put("a.png", "xy", { type: "image/webp" })
  const [description = ""] = listAll(directory)
  // A backup restores a file of 2001 with a time in whole seconds, perhaps without the fraction.
  utimesSync(join(directory, "a.png"), 1e9, 1e9)
  renameSync(join(directory, description), join(directory, `.a.png.2-${(1e9).toString(36)}.json`))
  assert.is((await files.head("a.png"))?.type, "image/webp")
  await files.put("a.png", "xyz", { cacheControl: "no-store" })
  assert.is((await files.head("a.png"))?.cacheControl, "no-store")
  assert.is(listAll(directory).length, 2)
  await files.delete("a.png")
  assert.equal(listAll(directory), [])
  // If another program writes the file, the description of the old one no longer applies.
  await files.put("b", "x", { type: "text/csv" })
  writeFileSync(join(directory, "b"), "other")
  assert.is((await files.head("b"))?.type, "application/octet-stream")
})

test("if several programs store a file at once, its type and its content come from the same program", async () => {
  const { files } = open()
  for (let round = 0; round < 20; round++) {
    const types = ["text/a", "text/bb", "text/ccc"]
    await Promise.all(types.map((type) => files.put("same", type, { type })))
    const found = await files.get("same")
    assert.is(await found?.text(), found?.type)
  }
})

test("directories are created and removed while files are stored and deleted", async () => {
  const { directory, files } = open()
  const putAndDelete = async (_: unknown, writer: number) => {
    for (let round = 0; round < 20; round++) {
      const name = `a/b/c/x${writer}`
      await files.put(name, "x")
      await files.delete(name)
    }
  }
  await Promise.all(Array.from({ length: 8 }, putAndDelete))
  assert.equal(listAll(directory), [])
})

test("an error of the disk is a 503, and the call can be repeated", async () => {
  const directory = mkdtempSync(join(root, "file-"))
  const path = join(directory, "not-a-directory")
  writeFileSync(path, "x")
  const files = diskFiles(path)
  const app = new App({ logger: false })
  app.post("/", async (c) => c.json(200, await files.put("a", "x")))
  const answer = await app.request("/", { method: "POST" })
  assert.is(answer.status, 503)
  assert.is(answer.headers.get("retry-after"), "1")
  assert.not.match(await answer.text(), "not-a-directory")
  assert.is(await catchFailure(() => diskFiles("")), "files")
})

test("a stream is read at the pace of the disk", async () => {
  const { directory, files } = open()
  const pieces = Array.from({ length: 50 }, (_, index) => new Uint8Array(100_000).fill(index))
  assert.is(await files.put("large", createStream(pieces)), 5_000_000)
  assert.is(statSync(join(directory, "large")).size, 5_000_000)
  assert.not.ok(existsSync(join(directory, ".large")))
})

test.run()
