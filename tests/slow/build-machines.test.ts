/**
 * Tests of executables for other machines, byte by byte. The readers of the formats of macOS and Windows share no
 * code with the build. build-image.test.ts runs the one for arm64 in an emulator.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeVersion } from "../../bin/build/executable/node-release.ts"
import { build } from "../support/bin/build/executables.ts"
import { readCommands, readFixups, readSegments, readSignature, readSymbols } from "../support/bin/build/macho.ts"
import { computeChecksum } from "../support/bin/build/pe.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

const secret = "a word that only this program has"
const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "app/api/hello/route.ts": route(secret),
  "app/page.tpl": "template Page() {\n  <h1>Shop</h1>\n}\n",
  "static/a.txt": "embedded",
})

async function make(os: string, arch: string): Promise<Buffer> {
  const name = `out/${os}-${arch}`
  const { code, stdout, stderr } = await build(cwd, ["--os", os, "--arch", arch, "-o", name, "--json"])
  assert.is(code, 0, stdout + stderr)
  const { data } = JSON.parse(stdout)
  const file = readFileSync(join(cwd, data.binary))
  assert.equal(data, { binary: os === "windows" ? `${name}.exe` : name, os, arch, size: file.length })
  return file
}

/** Returns the Node program in an executable as it was downloaded. */
function shipped(os: string, arch: string): Buffer {
  return readFileSync(join(homedir(), ".cache/fw/node", `node-v${nodeVersion}-${os}-${arch}`))
}

test("the executable for linux/arm64 has the right format, and is the same when it is built again", async () => {
  const file = await make("linux", "arm64")
  assert.equal([file.readUInt32BE(0), file.readUInt16LE(18)], [0x7f454c46, 0xb7])
  assert.is(Buffer.compare(await make("linux", "arm64"), file), 0)
})

for (const [arch, page] of [
  ["amd64", 0x1000],
  ["arm64", 0x4000],
] as const) {
  let made: Buffer
  let node: Buffer

  test(`darwin/${arch}: the reader of these tests verifies the original signature of Node`, () => {
    // The build downloads Node if this is not done yet.
    return make("darwin", arch).then((file) => {
      made = file
      node = shipped("darwin", arch)
      const { wrong, pageSize, pages } = readSignature(node)
      assert.equal([wrong, pageSize], [[], 4096])
      assert.ok(pages > 30_000)
    })
  })

  test(`darwin/${arch}: every page of the executable has the hash in its signature`, () => {
    const signature = readSignature(made)
    assert.equal([signature.wrong, signature.identifier, signature.flags], [[], "shop", 0x20002])
    assert.is(signature.offset + signature.size, made.length)
    assert.is(signature.codeLimit, signature.offset)
    const text = readSegments(node).find(({ name }) => name === "__TEXT")
    assert.equal(signature.execSegment, { base: 0n, limit: BigInt(text?.file[1] as number), flags: 1n })
  })

  test(`darwin/${arch}: segments follow one another in the file and in memory, at whole pages`, () => {
    const segments = readSegments(made)
    assert.equal(
      segments.map(({ name }) => name),
      ["__PAGEZERO", "__TEXT", "__DATA_CONST", "__DATA", "NODE_SEA", "__LINKEDIT"],
    )
    for (const [i, { vm, file }] of segments.entries()) {
      assert.equal([vm[0] % page, file[0] % page], [0, 0])
      const next = segments[i + 1]
      if (next) assert.is(vm[0] + vm[1], next.vm[0])
      if (next && i > 0) assert.is(file[0] + file[1], next.file[0])
    }
    const last = segments.at(-1)
    assert.is((last?.file[0] as number) + (last?.file[1] as number), made.length)
    const sea = segments.find(({ name }) => name === "NODE_SEA")
    const blob = made.subarray(sea?.file[0], (sea?.file[0] as number) + (sea?.file[1] as number))
    // Node's mark of a blob, and our program in it.
    assert.is(blob.readUInt32LE(0), 0x143da20)
    assert.ok(blob.includes(secret) && blob.includes("embedded"))
  })

  test(`darwin/${arch}: only the header and the mark differ from Node's program`, () => {
    const data = readSegments(node).find(({ name }) => name === "__LINKEDIT")
    const commands = Math.max(...[...readCommands(made)].map(({ at, size }) => at + size))
    const changed: number[] = []
    for (let at = commands; at < (data?.file[0] as number); at++) if (made[at] !== node[at]) changed.push(at)
    assert.is(changed.length, 1)
    const at = changed[0] as number
    assert.is(made.toString("latin1", at - 47, at + 1), "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")
  })

  test(`darwin/${arch}: the fixups describe every segment, and the same pointers as Node's`, () => {
    const [before, after] = [readFixups(node), readFixups(made)]
    assert.is(after.segments.length, readSegments(made).length)
    assert.equal(after.segments, [...before.segments.slice(0, -1), null, before.segments.at(-1)])
    assert.ok(before.segments.filter((segment) => segment !== null).length >= 2)
    assert.is(Buffer.compare(after.imports, before.imports), 0)
    assert.is(Buffer.compare(after.symbols, before.symbols), 0)
  })

  test(`darwin/${arch}: the tables for dyld have Node's bytes at the positions in the header`, () => {
    for (const [cmd, offset, size] of [
      [0x8000_0033, 8, 12],
      [0x26, 8, 12],
    ] as const) {
      const table = (file: Buffer) => {
        const found = [...readCommands(file)].find((command) => command.cmd === cmd)
        const at = found?.at as number
        const start = file.readUInt32LE(at + offset)
        return file.subarray(start, start + file.readUInt32LE(at + size))
      }
      assert.is(Buffer.compare(table(made), table(node)), 0, `command ${cmd.toString(16)}`)
    }
  })

  test(`darwin/${arch}: local symbols are removed, and all other symbols of Node remain`, () => {
    const [before, after] = [readSymbols(node), readSymbols(made)]
    const [, localCount = 0] = before.groups
    assert.ok(localCount > 800_000)
    assert.equal(after.groups.slice(0, 3), [0, 0, 0])
    const kept = before.symbols.slice(localCount)
    assert.is(after.symbols.length, kept.length)
    assert.ok(after.symbols.every((symbol, i) => JSON.stringify(symbol) === JSON.stringify(kept[i])))
    assert.ok(after.symbols.some(({ name }) => name === "_napi_create_object"))
    assert.is(after.indirect.length, before.indirect.length)
    // The compressed executable is about 26 % smaller.
    assert.ok(made.length < node.length * 0.78, `${made.length} of ${node.length} bytes`)
  })
}

test("windows/amd64: headers and checksum are right, there is no signature, and the next build gives the same", async () => {
  const file = await make("windows", "amd64")
  assert.is(Buffer.compare(await make("windows", "amd64"), file), 0)
  const pe = file.readUInt32LE(0x3c)
  const optional = pe + 24
  assert.equal(
    [file.toString("latin1", 0, 2), file.readUInt32LE(pe), file.readUInt16LE(pe + 4)],
    ["MZ", 0x4550, 0x8664],
  )
  assert.is(file.readUInt32LE(optional + 64), computeChecksum(file))
  const directory = (i: number) => [
    file.readUInt32LE(optional + 112 + i * 8),
    file.readUInt32LE(optional + 116 + i * 8),
  ]
  assert.equal(directory(4), [0, 0])
  const sections = Array.from({ length: file.readUInt16LE(pe + 6) }, (_, i) => {
    const at = optional + file.readUInt16LE(pe + 20) + i * 40
    const word = (place: number) => file.readUInt32LE(at + place)
    return { virtual: [word(12), word(8)] as const, raw: [word(20), word(16)] as const }
  })
  const byAddress = [...sections].sort((a, b) => a.virtual[0] - b.virtual[0])
  for (const [i, { virtual, raw }] of byAddress.entries()) {
    const next = byAddress[i + 1]
    if (next) assert.ok(virtual[0] + virtual[1] <= next.virtual[0], `section ${i} overlaps`)
    assert.ok(raw[0] + raw[1] <= file.length, `section ${i} is cut short`)
  }
  assert.is(Math.max(...sections.map(({ raw }) => raw[0] + raw[1])), file.length)
  const [resources] = directory(2) as [number, number]
  const holder = sections.find(({ virtual }) => resources >= virtual[0] && resources < virtual[0] + virtual[1])
  const [start, length] = holder?.raw ?? [0, 0]
  const inside = file.subarray(start, start + length)
  assert.ok(inside.includes(secret) && inside.includes(Buffer.from("NODE_SEA_BLOB", "utf16le")))
})

test("the command `file` recognizes each executable as one of its machine", () => {
  for (const name of ["darwin-amd64", "darwin-arm64", "windows-amd64.exe", "linux-arm64"]) {
    const text = execFileSync("file", ["-b", join(cwd, "out", name)], { encoding: "utf8" })
    assert.match(
      text,
      /^(?:Mach-O 64-bit (?:x86_64|arm64) executable|PE32\+ executable.* x86-64|ELF 64-bit LSB .*ARM aarch64)/,
    )
    assert.not.match(text, /corrupt|truncated/)
  }
})

test.run()
