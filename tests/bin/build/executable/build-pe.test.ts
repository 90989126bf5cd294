/**
 * Tests of executables for Windows: a signature that is no longer valid is removed, and the checksum is correct.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { finishPe } from "../../../../bin/build/executable/pe.ts"
import { computeChecksum, makePe, place, sectionsEnd } from "../../../support/bin/build/pe.ts"

test("the signature of an executable for Windows is removed from its headers and from its end", () => {
  const file = finishPe(makePe({ signature: 1000 }))
  assert.is(file.length, sectionsEnd)
  assert.equal([file.readUInt32LE(place.certificates), file.readUInt32LE(place.certificates + 4)], [0, 0])
})

for (const signature of [0, 1, 1000]) {
  test(`the checksum of an executable for Windows is right after a signature of ${signature} bytes was removed`, () => {
    const file = finishPe(makePe({ signature }))
    assert.is(file.readUInt32LE(place.checksum), computeChecksum(file))
    const other = Buffer.from(file)
    other[0x500] = 0
    assert.is.not(other.readUInt32LE(place.checksum), computeChecksum(other))
  })
}

test("a file without a signature keeps all its bytes, even an odd number after its sections", () => {
  const before = Buffer.concat([makePe({ signature: 0 }), Buffer.from("!")])
  const after = finishPe(Buffer.from(before))
  after.writeUInt32LE(before.readUInt32LE(place.checksum), place.checksum)
  assert.equal(after, before)
  assert.is(finishPe(Buffer.from(before)).readUInt32LE(place.checksum), computeChecksum(before))
})

for (const [what, file] of [
  ["a text", Buffer.from("#!/bin/sh\n".repeat(100))],
  ["a program for DOS", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(300)])],
  ["a program of 32 bits", withMagic(0x10b)],
] as const) {
  test(`${what} is refused as an executable for Windows`, () =>
    assert.throws(() => finishPe(file), /not a 64-bit Windows program/))
}

function withMagic(magic: number): Buffer {
  const file = makePe({ signature: 0 })
  file.writeUInt16LE(magic, place.pe + 24)
  return file
}

test.run()
