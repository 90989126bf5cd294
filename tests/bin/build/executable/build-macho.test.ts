/**
 * Tests of executables for darwin: the inserted program moves only what is behind it, and code that the test has
 * for itself verifies every page.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { insertBlob } from "../../../../bin/build/executable/macho-insert.ts"
import { signMachO } from "../../../../bin/build/executable/macho-sign.ts"
import { makeMachO, readCommands, readFixups, readSegments, readSignature } from "../../../support/bin/build/macho.ts"

const blob = Buffer.alloc(70_000, "the program ")

for (const [arm64, slack] of [
  [true, false],
  [false, false],
  [true, true],
] as const) {
  const name = `${arm64 ? "arm64" : "amd64"}${slack ? " with room in its fixups" : ""}`
  const page = arm64 ? 0x4000 : 0x1000
  const node = makeMachO({ arm64, slack })
  const made = signMachO(insertBlob(node, blob), "shop")

  test(`${name}: the signature is valid for every page`, () => {
    const { wrong, pages, identifier, flags, codeLimit, offset, size, pageSize, execSegment } = readSignature(made)
    assert.equal({ wrong, identifier, pageSize }, { wrong: [], identifier: "shop", pageSize: 4096 })
    // The flags of an ad hoc signature that a linker made.
    assert.is(flags, 0x20002)
    assert.is(codeLimit, offset)
    assert.is(offset % 16, 0)
    assert.is(offset + size, made.length)
    assert.is(pages, Math.ceil(codeLimit / 4096))
    assert.equal(execSegment, { base: 0n, limit: BigInt(2 * page), flags: 1n })
  })

  test(`${name}: a change of one byte makes the signature of its page invalid`, () => {
    for (const at of [40, page, made.length - 20_000]) {
      const other = Buffer.from(made)
      other[at] = (other[at] as number) ^ 1
      if (at < readSignature(made).offset) assert.equal(readSignature(other).wrong, [Math.floor(at / 4096)])
    }
  })

  test(`${name}: the inserted program is a segment before __LINKEDIT, which stays last`, () => {
    const before = readSegments(node)
    const [sea, link] = readSegments(made).slice(before.length - 1)
    const last = before.at(-1)
    assert.equal(readSegments(made).slice(0, before.length - 1), before.slice(0, -1))
    assert.is(sea?.name, "NODE_SEA")
    assert.equal(made.subarray(sea?.file[0], (sea?.file[0] as number) + blob.length), blob)
    const room = Math.ceil(blob.length / page) * page
    assert.equal(sea?.vm, [last?.vm[0], room])
    assert.is(link?.vm[0], (last?.vm[0] as number) + room)
    assert.is(link?.file[0], (last?.file[0] as number) + room)
    assert.is((link?.file[0] as number) + (link?.file[1] as number), made.length)
    assert.is((link?.vm[1] as number) >= (link?.file[1] as number) && (link?.vm[1] as number) % page === 0, true)
  })

  test(`${name}: offsets into __LINKEDIT lead to the same tables, and an empty table stays empty`, () => {
    const word = (cmd: number, place: number) => {
      const found = [...readCommands(made)].find((command) => command.cmd === cmd)
      return made.readUInt32LE((found?.at as number) + place)
    }
    const text = (offset: number) => made.toString("latin1", offset, offset + 8)
    assert.equal(
      [text(word(0x8000_0033, 8)), text(word(0x2, 8)), text(word(0x2, 16)), text(word(0xb, 56)), text(word(0x26, 8))],
      ["exports.", "symbols.", "strings.", "indirect", "starts.."],
    )
    assert.equal([word(0xb, 8), word(0xb, 64), word(0x29, 8)], [0, 0, 0])
  })

  test(`${name}: the fixups describe every segment and the same pointers`, () => {
    const [before, after] = [readFixups(node), readFixups(made)]
    assert.is(after.segments.length, readSegments(made).length)
    const last = before.segments.length - 1
    assert.equal(after.segments, [...before.segments.slice(0, last), null, before.segments[last]])
    assert.equal(after.imports, before.imports)
    assert.equal(after.symbols, before.symbols)
  })

  test(`${name}: only the header and the mark of the original program change`, () => {
    const end = 2 * page + page
    const changed: number[] = []
    for (let at = 0; at < end; at++) if (made[at] !== node[at]) changed.push(at)
    const commands = Math.max(...[...readCommands(made)].map(({ at, size }) => at + size))
    const outside = changed.filter((at) => at >= commands)
    assert.is(outside.length, 1)
    assert.is(made.toString("latin1", (outside[0] as number) - 3, (outside[0] as number) + 1), "b2:1")
  })
}

test("an old signature is replaced, and a file without a signature gets one", () => {
  const plain = signMachO(insertBlob(makeMachO({ isSigned: false }), blob), "x")
  assert.equal(readSignature(plain).wrong, [])
  const again = signMachO(insertBlob(makeMachO(), blob), "x")
  assert.is([...readCommands(again)].filter(({ cmd }) => cmd === 0x1d).length, 1)
  assert.throws(() => signMachO(again, "x"), /signed already/)
})

const refused: ReadonlyArray<readonly [string, Buffer, RegExp]> = [
  ["a file in another format", Buffer.from("#!/bin/sh\n".repeat(40)), /not a Mach-O file/],
  ["a file of 32 bits", Buffer.concat([Buffer.from([0xce, 0xfa, 0xed, 0xfe]), Buffer.alloc(100)]), /not a Mach-O file/],
  ["a file that is cut short", makeMachO().subarray(0, 300), /cut short/],
  ["a file without room in the header", makeMachO({ room: 100 }), /no room/],
  ["a file without a mark", makeMachO({ fuses: 0 }), /no single mark/],
  ["a file with two marks", makeMachO({ fuses: 2 }), /no single mark/],
]
for (const [what, file, message] of refused) {
  test(`inserting a program is refused for ${what}`, () => assert.throws(() => insertBlob(file, blob), message))
}

test("inserting a program is refused for a Node that contains a program already", () => {
  assert.throws(() => insertBlob(insertBlob(makeMachO({ room: 800 }), blob), blob), /holds a program already/)
})

test.run()
