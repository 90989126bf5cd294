/** Tests that archives can be read again in memory, from a file and while they arrive. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findInTar, indexTar, packTar, type TarEntry, writeTar } from "../../../bin/system/tar.ts"
import { readTar } from "../../support/bin/system/read-tar.ts"

const long = `${"d".repeat(140)}/${"e".repeat(90)}`
const entries: readonly TarEntry[] = [
  { path: "a", mode: 0o755, content: null },
  { path: "a/empty", mode: 0o644, content: Buffer.alloc(0) },
  { path: "a/block", mode: 0o755, content: Buffer.alloc(512, "b") },
  { path: long, mode: 0o644, owner: 65_532, content: Buffer.from("é\n".repeat(400)) },
]
const contents = entries.flatMap(({ path, content }) => (content ? [[path, String(content)]] : []))

async function createArchive(list: readonly TarEntry[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of writeTar(list)) parts.push(part)
  return Buffer.concat(parts)
}

test("an archive is read by tar, from a file, and from memory", async () => {
  const archive = await createArchive(entries)
  const directory = mkdtempSync(join(tmpdir(), "fw-tar-"))
  try {
    const file = join(directory, "a.tar")
    writeFileSync(file, archive)
    const listed = execFileSync("tar", ["-tf", file], { encoding: "utf8" }).trim().split("\n")
    assert.equal(listed, ["a/", "a/empty", "a/block", long])
    const found = (await indexTar(file)) ?? new Map()
    const texts = Array.from(found, ([path, { at, size }]) => [path, String(archive.subarray(at, at + size))])
    assert.equal(texts, contents)
  } finally {
    rmSync(directory, { recursive: true })
  }
  for (const [path = "", text] of contents) assert.is(String(findInTar(archive, path)), text)
  assert.is(findInTar(archive, "a/none"), undefined)
})

test("an archive has the same files after reading, and its bytes do not depend on the order of its files", () => {
  const files = [
    { path: "bin/b", bytes: Buffer.from("1"), executable: true },
    { path: "a", bytes: Buffer.from("2"), executable: false },
  ]
  assert.ok(packTar(files).equals(packTar(files.toReversed())))
  const read = readTar(packTar(files)).map((file) => ({ ...file, bytes: Buffer.from(file.bytes) }))
  assert.equal(read, files.toReversed())
})

for (const path of ["f".repeat(101), `${"d".repeat(156)}/f`, `${"d".repeat(90)}/${"d".repeat(70)}/${"f".repeat(101)}`])
  test(`a path of ${path.length} bytes that the format cannot hold is refused`, () => {
    assert.throws(() => packTar([{ path, bytes: Buffer.alloc(0) }]), /too long for a tar archive/)
  })

for (const size of ["-0000000005\0", "zzz\0", "8".padStart(11)]) {
  test(`an archive whose header has the size ${JSON.stringify(size)} is refused, and reading the archive ends`, async () => {
    const archive = await createArchive(entries)
    archive.write(size, 512 + 124, "latin1")
    const directory = mkdtempSync(join(tmpdir(), "fw-tar-"))
    writeFileSync(join(directory, "a.tar"), archive)
    assert.is(await indexTar(join(directory, "a.tar")), null)
    rmSync(directory, { recursive: true })
    assert.throws(() => findInTar(archive, "a/block"), /damaged/)
  })
}

test("data that is not an archive contains no files", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fw-tar-"))
  try {
    writeFileSync(join(directory, "text"), "text ".repeat(1000))
    assert.is(await indexTar(join(directory, "text")), null)
    assert.is(await indexTar(directory), null)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test.run()
