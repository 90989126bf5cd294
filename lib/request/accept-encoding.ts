/** The `Accept-Encoding` header (RFC 9110 §12.5.3). */
import { readWeights } from "./header-grammar.ts"

/** Encodings of a static file, smallest first. */
const fileCodings = ["br", "gzip", "identity"] as const

/** A content coding of static files. */
export type FileCoding = (typeof fileCodings)[number]

/** Returns the codings that the header accepts, best first. A missing header accepts the plain file. */
export function listAcceptedCodings(header: string): readonly FileCoding[] {
  return selectAccepted(header, fileCodings)
}

/**
 * Returns those of the codings that the header accepts, best first; of equally good ones, the first in the list comes
 * first.
 */
export function selectAccepted<Name extends string>(
  header: string,
  codings: readonly (Name | "identity")[],
): readonly (Name | "identity")[] {
  if (header === "") return ["identity"]
  const weights = readWeights(header)
  const any = weights.get("*")
  const weigh = (coding: string) =>
    weights.get(coding) ??
    weights.get(`x-${coding}`) ??
    (coding === "identity" ? (any === 0 ? 0 : Number.MIN_VALUE) : (any ?? 0))
  // The sort is stable: of equal weights the earlier one comes first.
  return codings.filter((coding) => weigh(coding) > 0).sort((a, b) => weigh(b) - weigh(a))
}
