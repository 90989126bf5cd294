/** Reads the header `Accept-Encoding` (RFC 9110 §12.5.3). */
import { readWeights } from "./header-grammar.ts"

/** Encodings of a static file, smallest first. */
const fileCodings = ["br", "gzip", "identity"] as const

/** A content coding in which a static file may be stored. */
export type FileCoding = (typeof fileCodings)[number]

/**
 * Returns the codings of static files that a client accepts, best first. Without the header, that is only the plain
 * file.
 */
export function listAcceptedCodings(header: string): readonly FileCoding[] {
  return selectAcceptedCodings(header, fileCodings)
}

/**
 * Returns the codings in a list that a client accepts, best first. Codings with the same weight keep the order of the
 * list.
 */
export function selectAcceptedCodings<Name extends string>(
  header: string,
  codings: readonly (Name | "identity")[],
): readonly (Name | "identity")[] {
  if (header === "") return ["identity"]
  const weights = readWeights(header)
  const wildcardWeight = weights.get("*")
  const weigh = (coding: string) =>
    weights.get(coding) ??
    weights.get(`x-${coding}`) ??
    (coding === "identity" ? (wildcardWeight === 0 ? 0 : Number.MIN_VALUE) : (wildcardWeight ?? 0))
  return codings.filter((coding) => weigh(coding) > 0).sort((a, b) => weigh(b) - weigh(a))
}
