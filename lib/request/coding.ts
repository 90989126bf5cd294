/** Refuses bodies in a content coding, such as gzip, for the readers that decode text. */
import { HttpError } from "../errors.ts"
import type { Exchange } from "../exchange.ts"
import { excerpt } from "../text.ts"
import { listElements } from "./header-grammar.ts"

/**
 * Returns the 415 for a body in a content coding, such as gzip: nothing here decodes it. `identity` is the name for none
 * (RFC 9110 §12.5.3), and the answer says so (§15.5.16).
 */
export function codingRefusal(exchange: Exchange): HttpError | undefined {
  const codings = listElements(exchange.header("content-encoding"))
  const coding = codings.filter((name) => name.toLowerCase() !== "identity").join(", ")
  if (coding === "" || !exchange.hasBody) return undefined
  return new HttpError(
    415,
    `the body has the Content-Encoding ${excerpt(coding)}, which is not decoded: send it without one`,
    {
      headers: { "Accept-Encoding": "identity" },
    },
  )
}
