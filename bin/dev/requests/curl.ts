/** Converts requests to commands of curl. */

import type { HeaderPairs } from "./kept-requests.ts"
import type { RequestEntry, ShownBody } from "./view.ts"

/** Headers that curl sends itself. */
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|expect)$/i

/** Returns a command that sends a request. Secrets are masked. */
export function toCurl(
  url: string,
  { method, headers, body }: Pick<RequestEntry, "method"> & { readonly headers: HeaderPairs; readonly body: ShownBody },
): string {
  const fields = headers
    .filter(([name]) => !ownHeaders.test(name))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const isWhole = body.isText && body.kept === body.total
  const parts = [
    `curl ${method === "HEAD" ? "--head" : `-X ${method}`} ${quote(url)}`,
    ...fields,
    ...(body.total > 0 ? [isWhole ? `--data-binary ${quote(body.text)}` : "--data-binary @body"] : []),
  ]
  return parts.join(" \\\n  ")
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
