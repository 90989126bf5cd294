/** Stores prerendered answers as static files, with the list from which the program reads them. */
import { createHash } from "node:crypto"
import { type StoredAnswer, storedDirectory } from "../../../lib/mount/stored-answers.ts"
import { compareByCodeUnit } from "../../../lib/order.ts"
import { createStaticFile, type StaticDirectory } from "../static-files.ts"
import type { PageAnswer } from "./page-answer.ts"

/** Returns the stored answers by path, with the file names of their bodies. */
export function listStoredAnswers(answers: readonly PageAnswer[]): Record<string, StoredAnswer> {
  const entries = answers.map(({ path, status, headers, bytes }) => {
    return [path, { status, headers, ...(bytes.length > 0 && { file: toFileName(bytes) }) }] as const
  })
  return Object.fromEntries(entries)
}

/** Returns the bodies of the answers as a directory of static files. */
export function toStoredDirectory(answers: readonly PageAnswer[]): StaticDirectory {
  const bodies = answers.filter(({ bytes }) => bytes.length > 0)
  const files = new Map(bodies.map(({ bytes }) => [toFileName(bytes), createStaticFile(toFileName(bytes), bytes)]))
  const sorted = [...files.values()].sort((a, b) => compareByCodeUnit(a.path, b.path))
  return { name: storedDirectory, prefix: `/${storedDirectory}`, files: sorted }
}

/** Returns the name of the file for a body. */
function toFileName(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 20)
}
