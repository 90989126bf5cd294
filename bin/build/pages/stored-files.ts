/** The answers of a build as static files, and the list by which the program finds them. */
import { createHash } from "node:crypto"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { type StoredAnswer, storedDirectory } from "../../../lib/mount/stored-answers.ts"
import { compareByCodeUnit } from "../../../lib/order.ts"
import { isPackedType } from "../../../lib/static/media-types.ts"
import type { StaticDirectory, StaticFile } from "../static-files.ts"
import type { PageAnswer } from "./page-answer.ts"

/** Returns the answers as the program finds them, by path. */
export function listStoredAnswers(answers: readonly PageAnswer[]): Record<string, StoredAnswer> {
  const entries = answers.map(({ path, status, headers, bytes }) => {
    return [path, { status, headers, ...(bytes.length > 0 && { file: toFileName(bytes) }) }] as const
  })
  return Object.fromEntries(entries)
}

/** Returns the bodies as static files, for a build that contains these. @param compresses true to add `.br` and `.gz`. */
export function toStoredDirectory(answers: readonly PageAnswer[], compresses: boolean): StaticDirectory {
  const files = new Map<string, StaticFile>()
  for (const { bytes, headers } of answers) {
    if (bytes.length === 0) continue
    const name = toFileName(bytes)
    add(name, bytes)
    if (!compresses || bytes.length < minCompressedBytes || isPackedType(headers["content-type"] ?? "")) continue
    for (const [ending, compress] of Object.entries(compressions)) {
      const smaller = compress(bytes)
      if (smaller.length < bytes.length * maxCompressedPart) add(`${name}${ending}`, smaller)
    }
  }
  function add(path: string, bytes: Uint8Array): void {
    files.set(path, { path, bytes, sha256: hash(bytes) })
  }
  const sorted = [...files.values()].sort((a, b) => compareByCodeUnit(a.path, b.path))
  return { name: storedDirectory, prefix: `/${storedDirectory}`, files: sorted }
}

const compressions = { ".br": brotliCompressSync, ".gz": gzipSync } as const

/** A shorter answer fits into one packet in any case. */
const minCompressedBytes = 1024

/** A compressed file that is not smaller than this part of the original does not pay for its space. */
const maxCompressedPart = 0.9

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

/** Returns the name of the file that has a body. */
function toFileName(bytes: Uint8Array): string {
  return hash(bytes).slice(0, 20)
}
