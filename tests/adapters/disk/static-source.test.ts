/**
 * Tests of the files of a directory on disk: paths outside it, entries that are not files, files that change, and
 * file descriptors that must be closed.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { createFileSource } from "../../../adapters/disk/files.ts"
import { type FileSource, type OpenFile, serveStatic } from "../../../lib/static/serve-static.ts"

const base = fs.mkdtempSync(join(tmpdir(), "fw-source-"))
const root = join(base, "root")
const outside = join(base, "root-not")
const big = 300_000
const inside = ["a.txt", "sub/b.txt", "aux.txt", "com1", "a.txt.", "GIT~1", "a:b", "auxiliary.txt"]

for (const dir of [join(root, "sub"), outside]) fs.mkdirSync(dir, { recursive: true })
for (const name of inside) fs.writeFileSync(join(root, name), name)
fs.writeFileSync(join(root, "big.bin"), Buffer.alloc(big, "abcdefghi"))
fs.writeFileSync(join(outside, "secret.txt"), "secret")
fs.symlinkSync(join(outside, "secret.txt"), join(root, "out.txt"))
fs.symlinkSync(outside, join(root, "out"))
fs.symlinkSync("sub", join(root, "linked"))
fs.symlinkSync("loop", join(root, "loop"))
fs.symlinkSync("nowhere", join(root, "dangling"))
fs.symlinkSync("/dev/zero", join(root, "zero"))
execFileSync("mkfifo", [join(root, "fifo")])
fs.symlinkSync(root, join(base, "link-to-root"))

const source = createFileSource(root) as FileSource

/** Returns the open file descriptors whose files are in the test's directory. */
function openDescriptors(): string[] {
  const links = fs.readdirSync("/proc/self/fd").map((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ""
    }
  })
  return links.filter((link) => link.startsWith(base))
}

async function findKind(of: FileSource, path: string): Promise<string | null> {
  const found = await of.open(path.split("/").filter(Boolean))
  if (found === null || found === "directory") return found
  return Buffer.from((await found.read(0, found.size - 1)) as Uint8Array).toString()
}

const table: [path: string, expected: string | null][] = [
  ["", "directory"],
  ["sub", "directory"],
  ["a.txt", "a.txt"],
  ["sub/b.txt", "sub/b.txt"],
  ["linked", "directory"],
  ["linked/b.txt", "sub/b.txt"],
  ["out.txt", null],
  ["out", null],
  ["out/secret.txt", null],
  ["loop", null],
  ["dangling", null],
  ["fifo", null],
  ["zero", null],
  ["nope", null],
  ["a.txt/b", null],
]
const ways: [name: string, source: FileSource][] = [
  ["through /proc", source],
  ["without /proc", createFileSource(root, "darwin") as FileSource],
  ["with a linked root", createFileSource(join(base, "link-to-root")) as FileSource],
  ["with a trailing slash", createFileSource(`${root}/`) as FileSource],
]
for (const [way, of] of ways) {
  for (const [path, expected] of table) {
    test(`${way}: ${path || "the root"} is ${expected === null ? "not found" : expected === "directory" ? "a directory" : `the file ${expected}`}`, async () => {
      assert.is(await findKind(of, path), expected)
    })
  }
}

test("the root of the whole disk can be the directory of static files", async () => {
  const found = await (createFileSource("/") as FileSource).open([...base.split("/").filter(Boolean), "root", "a.txt"])
  assert.is((found as OpenFile).size, 5)
  await (found as OpenFile).close()
})

test("a root that is missing or is a file is refused", () => {
  assert.is(createFileSource(join(root, "nope")), null)
  assert.is(createFileSource(join(root, "a.txt")), null)
  assert.is(createFileSource(join(root, "a.txt", "b")), null)
})

for (const name of ["aux.txt", "com1", "a.txt.", "GIT~1", "a:b", "a.txt::$DATA", "NUL", "con .txt", "x "]) {
  test(`on Windows ${JSON.stringify(name)} is not opened, because it means another file`, async () => {
    assert.is(await (createFileSource(root, "win32") as FileSource).open([name]), null)
  })
}

test("on Windows auxiliary.txt is opened", async () => {
  assert.is(await findKind(createFileSource(root, "win32") as FileSource, "auxiliary.txt"), "auxiliary.txt")
})

async function get(path: string, headers: Record<string, string> = {}) {
  const request = {
    method: "GET",
    path: `/${path}`,
    search: "",
    header: (name: string) => headers[name] ?? "",
  }
  return serveStatic(source, path.split("/"), request)
}

async function readBody(path: string, headers: Record<string, string> = {}) {
  const answer = await get(path, headers)
  return answer?.body as ReadableStream<Uint8Array>
}

test("a large file or a part of it is a stream of its bytes", async () => {
  const whole = Buffer.from(await new Response(await readBody("big.bin")).arrayBuffer())
  assert.ok(whole.equals(fs.readFileSync(join(root, "big.bin"))))
  const part = Buffer.from(
    await new Response(await readBody("big.bin", { range: "bytes=100000-299998" })).arrayBuffer(),
  )
  assert.ok(part.equals(whole.subarray(100000, 299999)))
})

const ends: [name: string, end: (body: ReadableStream<Uint8Array>) => Promise<unknown>][] = [
  ["is read to its end", (body) => new Response(body).arrayBuffer()],
  ["is never read", async () => {}],
  ["is cancelled at once", (body) => body.cancel()],
  [
    "is cancelled after a chunk",
    async (body) => {
      const reader = body.getReader()
      await reader.read()
      await reader.cancel()
    },
  ],
  [
    "is cancelled while it opens",
    async (body) => {
      const reader = body.getReader()
      const reading = reader.read()
      await reader.cancel()
      await reading
    },
  ],
  [
    "is cancelled during a read",
    async (body) => {
      const reader = body.getReader()
      await reader.read()
      const reading = reader.read()
      await reader.cancel()
      await reading
    },
  ],
]
for (const [name, end] of ends) {
  test(`no descriptor stays open when a body ${name}`, async () => {
    await end(await readBody("big.bin"))
    assert.equal(openDescriptors(), [])
  })
}

for (const [name, headers] of Object.entries({
  "a 200": {},
  "a 304": { "if-none-match": "*" },
  "a 412": { "if-match": '"x"' },
  "a 416": { range: "bytes=999999999-" },
  "a 406": { "accept-encoding": "*;q=0" },
})) {
  test(`no descriptor stays open after ${name}`, async () => {
    await get("a.txt", headers as Record<string, string>).catch(() => {})
    await get("out.txt", headers as Record<string, string>)
    await get("sub", headers as Record<string, string>)
    assert.equal(openDescriptors(), [])
  })
}

async function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "",
    (error: Error) => error.message,
  )
}

test("a small file that shrinks before it is read is an error", async () => {
  fs.writeFileSync(join(root, "shrinks.txt"), "0123456789")
  const file = (await source.open(["shrinks.txt"])) as OpenFile
  fs.truncateSync(join(root, "shrinks.txt"), 4)
  assert.match(await failure(file.read(0, 9)), /became shorter/)
  assert.equal(openDescriptors(), [])
})

test("a small file that grows or is deleted is sent with the announced length", async () => {
  fs.writeFileSync(join(root, "grows.txt"), "0123456789")
  const file = (await source.open(["grows.txt"])) as OpenFile
  fs.appendFileSync(join(root, "grows.txt"), "more")
  fs.rmSync(join(root, "grows.txt"))
  assert.is(Buffer.from((await file.read(0, 9)) as Uint8Array).toString(), "0123456789")
})

const changes: [name: string, change: (path: string) => void, message: RegExp][] = [
  ["vanishes", (path) => fs.rmSync(path), /vanished/],
  ["grows", (path) => fs.appendFileSync(path, "more"), /changed/],
  ["shrinks", (path) => fs.truncateSync(path, 100), /changed/],
  ["is rewritten", (path) => fs.utimesSync(path, 5, 5), /changed/],
  [
    "is replaced by a file of equal size and time",
    (path) => {
      const { atime, mtime } = fs.statSync(path)
      fs.copyFileSync(path, `${path}.new`)
      fs.utimesSync(`${path}.new`, atime, mtime)
      fs.renameSync(`${path}.new`, path)
    },
    /changed/,
  ],
  [
    "becomes a link to the outside",
    (path) => {
      fs.rmSync(path)
      fs.symlinkSync(join(outside, "secret.txt"), path)
    },
    /changed/,
  ],
]
for (const [name, change, message] of changes) {
  test(`a large file that ${name} before it is read breaks the body off`, async () => {
    fs.copyFileSync(join(root, "big.bin"), join(root, "changes.bin"))
    fs.utimesSync(join(root, "changes.bin"), 1e9, 1e9)
    const body = await readBody("changes.bin")
    change(join(root, "changes.bin"))
    assert.match(await failure(new Response(body).arrayBuffer()), message)
    assert.equal(openDescriptors(), [])
  })
}

test("a large file that shrinks while it is read breaks the body off", async () => {
  fs.rmSync(join(root, "changes.bin"), { force: true })
  fs.copyFileSync(join(root, "big.bin"), join(root, "changes.bin"))
  const reader = (await readBody("changes.bin")).getReader()
  await reader.read()
  fs.truncateSync(join(root, "changes.bin"), 1)
  assert.match(await failure(reader.read()), /became shorter/)
  assert.equal(openDescriptors(), [])
})

test("a large file whose bytes change while it is read breaks the body off, and a file that only grows does not", async () => {
  const path = join(root, "changes.bin")
  for (const { write, isWhole } of [
    { write: () => fs.writeFileSync(path, Buffer.alloc(big, "b"), { flag: "r+" }), isWhole: false },
    { write: () => fs.appendFileSync(path, "more"), isWhole: true },
  ]) {
    fs.copyFileSync(join(root, "big.bin"), path)
    fs.utimesSync(path, 1e9, 1e9)
    const reader = (await readBody("changes.bin")).getReader()
    let size = (await reader.read()).value?.byteLength ?? 0
    write()
    const rest = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.byteLength
    })()
    if (isWhole) await rest
    else assert.match(await failure(rest), /changed while it was served/)
    assert.is(size === big, isWhole)
    assert.equal(openDescriptors(), [])
  }
})

test.after(() => fs.rmSync(base, { recursive: true }))
test.run()
