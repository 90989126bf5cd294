/** Content codings of request bodies, such as gzip: refused by the readers that decode text, unless the route decodes them. */
import { HttpError } from "../errors.ts"
import type { BodySource } from "../exchange.ts"
import { shortenText } from "../text.ts"
import { listElements, trimBlanks } from "./header-grammar.ts"

/** Returns the codings of a body. `identity` is the name for none (RFC 9110 §12.5.3). */
export function listCodings(source: BodySource): string[] {
  if (!source.hasBody) return []
  return listElements(source.header("content-encoding")).filter((name) => name.toLowerCase() !== "identity")
}

/** Returns the 415 for a body in a coding. */
export function refuseCodedBody(source: BodySource): HttpError | undefined {
  return listCodings(source).length === 0 ? undefined : createCodingError(source, "identity")
}

/**
 * Returns the 415 for codings that are not decoded.
 *
 * @param accepted the codings that are, for the header Accept-Encoding (RFC 9110 §15.5.16).
 */
export function createCodingError(source: BodySource, accepted: "identity" | "gzip, deflate"): HttpError {
  const coding = shortenText(trimBlanks(source.header("content-encoding")))
  const other = accepted === "identity" ? "" : "in gzip, in deflate or "
  return new HttpError(
    415,
    `the body has the Content-Encoding ${coding}, which is not decoded: send it ${other}without one`,
    { headers: { "Accept-Encoding": accepted } },
  )
}
