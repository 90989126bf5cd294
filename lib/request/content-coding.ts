/**
 * Content codings of request bodies, such as gzip. Calls that decode text refuse them, unless the route decompresses
 * bodies.
 */
import { HttpError } from "../errors.ts"
import type { BodySource } from "../exchange.ts"
import { shortenText } from "../text.ts"
import { listElements, trimBlanks } from "./header-grammar.ts"

/** Returns the codings of a body. `identity` means no coding, so it is left out (RFC 9110 §12.5.3). */
export function listCodings(source: BodySource): string[] {
  const header = source.hasBody ? source.header("content-encoding") : ""
  return header === "" ? [] : listElements(header).filter((name) => name.toLowerCase() !== "identity")
}

/** Returns a 415 if a body has a coding; otherwise undefined. */
export function refuseCodedBody(source: BodySource): HttpError | undefined {
  return listCodings(source).length === 0 ? undefined : createCodingError(source, "identity")
}

/**
 * Returns the 415 for codings that cannot be decoded.
 *
 * @param acceptedCodings the codings that can be decoded, for the header `Accept-Encoding` (RFC 9110 §15.5.16).
 */
export function createCodingError(source: BodySource, acceptedCodings: "identity" | "gzip, deflate"): HttpError {
  const coding = shortenText(trimBlanks(source.header("content-encoding")))
  const otherWays = acceptedCodings === "identity" ? "" : "in gzip, in deflate or "
  return new HttpError(
    415,
    `the body has the Content-Encoding ${coding}, which is not decoded: send it ${otherWays}without one`,
    { headers: { "Accept-Encoding": acceptedCodings } },
  )
}
