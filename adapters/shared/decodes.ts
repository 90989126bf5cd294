/** Says which codings `fetch()` decodes. Runtimes differ in the codings, and in what they do with several of them. */
import { listElements } from "../../lib/request/header-grammar.ts"

/** See `Platform.decodes`. */
type DecodesCoding = (contentEncoding: string) => boolean

/** The codings that the fetch standard expects in Accept-Encoding, and that browsers support. */
export const usualCodings: readonly string[] = ["gzip", "x-gzip", "deflate", "br", "zstd"]

/**
 * Returns the rule of the fetch standard ("handle content codings"): all codings are decoded, or none of them if one is
 * unknown.
 */
export function decodesAll(known: readonly string[]): DecodesCoding {
  return (contentEncoding) => {
    const codings = listElements(contentEncoding.toLowerCase())
    // In the standard, an empty element counts as an unknown coding.
    const commas = contentEncoding.match(/,/g)?.length ?? 0
    return codings.length > commas && codings.every((coding) => known.includes(coding))
  }
}

/** Returns the rule of Bun: it decodes one coding, and ignores `identity` next to it. */
export function decodesOne(known: readonly string[]): DecodesCoding {
  return (contentEncoding) => {
    const codings = listElements(contentEncoding.toLowerCase()).filter((coding) => coding !== "identity")
    return codings.length === 1 && codings.every((coding) => known.includes(coding))
  }
}
