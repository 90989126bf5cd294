/** The `Accept-Encoding` header (RFC 9110 §12.5.3), and weights, which `Accept` has too. */

/** Encodings of a static file, smallest first. */
const codings = ["br", "gzip", "identity"] as const

/** A content coding of static files. */
export type Coding = (typeof codings)[number]

/** Returns the codings that the header accepts, best first. A missing header accepts the plain file. */
export function acceptedCodings(header: string): readonly Coding[] {
  return acceptedOf(header, codings)
}

/**
 * Returns those of the codings that the header accepts, best first; of equally good ones, the first of the
 * list.
 */
export function acceptedOf<Name extends string>(
  header: string,
  codings: readonly (Name | "identity")[],
): readonly (Name | "identity")[] {
  if (header === "") return ["identity"]
  const weights = weightsOf(header)
  const any = weights.get("*")
  const weigh = (coding: string) =>
    weights.get(coding) ??
    weights.get(`x-${coding}`) ??
    (coding === "identity" ? (any === 0 ? 0 : Number.MIN_VALUE) : (any ?? 0))
  // The sort is stable: of equal weights the earlier one comes first.
  return codings.filter((coding) => weigh(coding) > 0).sort((a, b) => weigh(b) - weigh(a))
}

/**
 * Parses the weights of a list such as `br, gzip;q=0.5`, by name in lower case (RFC 9110 §12.4.2). The
 * default weight is 1. A malformed one is 0, because the client may not have meant it.
 */
export function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(",")) {
    const semicolon = element.indexOf(";")
    const name = semicolon < 0 ? element : element.slice(0, semicolon)
    const weight = /;\s*q\s*=([^;]*)/i.exec(element)?.[1]?.trim() ?? "1"
    const valid = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)
    weights.set(name.trim().toLowerCase(), valid ? Number(weight) : 0)
  }
  return weights
}
