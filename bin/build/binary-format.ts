/** Finds out for which machines a program or library is, by its first bytes. */
import { closeSync, openSync, readSync } from "node:fs"
import type { Machine, Processor } from "./executable/node-release.ts"

const elfProcessors: Readonly<Record<number, Processor>> = { 62: "amd64", 183: "arm64" }
const machOProcessors: Readonly<Record<number, Processor>> = { 16777223: "amd64", 16777228: "arm64" }
const peProcessors: Readonly<Record<number, Processor>> = { 34404: "amd64", 43620: "arm64" }

/**
 * Returns the machines that a file runs on; null if it is not a program or library. The list is empty for a program
 * for a machine that fw does not know.
 */
export function readFileMachines(path: string): readonly Machine[] | null {
  const file = openSync(path, "r")
  try {
    const head = Buffer.alloc(4096)
    return parseMachines(head.subarray(0, readSync(file, head, 0, head.length, 0)))
  } finally {
    closeSync(file)
  }
}

/** Returns true if a file is a program or library for a machine. */
export function isForMachine(path: string, { os, arch }: Machine): boolean {
  return (readFileMachines(path) ?? []).some((found) => found.os === os && found.arch === arch)
}

/** Does the same as {@link readFileMachines} for the first bytes of a file, about 4 KiB. */
export function parseMachines(head: Buffer): readonly Machine[] | null {
  if (head.length < 64) return null
  const toMachines = (os: Machine["os"], arch: Processor | undefined) => (arch ? [{ os, arch }] : [])
  if (head.readUInt32BE(0) === 0x7f45_4c46) return toMachines("linux", elfProcessors[head.readUInt16LE(18)])
  if (head.readUInt32LE(0) === 0xfeed_facf) return toMachines("darwin", machOProcessors[head.readUInt32LE(4)])
  // A universal file of macOS, with code for several machines. Class files of Java begin with the same four bytes;
  // the number after them is a version there, which is always larger than 20.
  if (head.readUInt32BE(0) === 0xcafe_babe && head.readUInt32BE(4) < 20) {
    const parts = Array.from({ length: head.readUInt32BE(4) }, (_, i) => head.readUInt32BE(8 + 20 * i))
    return parts.flatMap((number) => toMachines("darwin", machOProcessors[number]))
  }
  if (head.readUInt16BE(0) !== 0x4d5a) return null
  const headerOffset = head.readUInt32LE(0x3c)
  if (headerOffset + 6 > head.length || head.readUInt32BE(headerOffset) !== 0x5045_0000) return null
  return toMachines("windows", peProcessors[head.readUInt16LE(headerOffset + 4)])
}
