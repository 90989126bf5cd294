/** The `Accept-Encoding` header (RFC 9110 §12.5.3). Called by static files and `compress()`. */

/** What a file may be sent as, the smallest first. */
const codings = ["br", "gzip", "identity"] as const

/** A content coding that static files know. */
export type Coding = (typeof codings)[number]

/** The codings that the header accepts, the best first; an absent header asks for the file as it is. */
export function acceptedCodings(header: string): readonly Coding[] {
  return acceptedOf(header, codings)
}

/** Those of the codings that the header accepts, the best first; of equally good ones, the first of the list. */
export function acceptedOf<Name extends string>(
  header: string,
  codings: readonly (Name | "identity")[],
): readonly (Name | "identity")[] {
  if (header === "") return ["identity"]
  const weights = new Map<string, number>()
  for (const element of header.split(",")) {
    const [name = "", ...parameters] = element.split(";")
    weights.set(name.trim().toLowerCase().replace(/^x-/, ""), weightOf(parameters))
  }
  const any = weights.get("*")
  const weigh = (coding: string) =>
    weights.get(coding) ?? (coding === "identity" ? (any === 0 ? 0 : Number.MIN_VALUE) : (any ?? 0))
  // The sort is stable: between equal weights the earlier wins.
  return codings.filter((coding) => weigh(coding) > 0).sort((a, b) => weigh(b) - weigh(a))
}

/** The `q` of an element, 1 without one. A malformed one is 0: what the client may not have meant is not sent. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    // Trimmed first: an expression that looks for blanks at the end tries again at every blank.
    const match = /^q\s*=\s*(.*)$/i.exec(parameter.trim())
    if (match) return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(match[1] as string) ? Number(match[1]) : 0
  }
  return 1
}
