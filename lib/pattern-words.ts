/** Why a pattern is none, and how to write it: `lib/pattern.ts` only finds the segment that is wrong. Called through `lib/messages.ts`. */
import type { Words } from "./messages.ts"

/** @param part the segment at fault; `""` where the whole does not start with a slash too. */
export function wordsOfPattern(pattern: string, part: string): Words {
  const [what, fix] = reasonOf(pattern, part)
  return [`the pattern ${JSON.stringify(pattern)} ${what}`, fix]
}

function reasonOf(pattern: string, part: string): readonly [what: string, fix: string] {
  if (!pattern.startsWith("/"))
    return ["does not start with a slash", `Write ${JSON.stringify(`/${pattern}`)}.`]
  if (part === "") return ["has an empty segment", "Take one of the slashes away."]
  const quoted = JSON.stringify(part)
  const name =
    /^\{(.*)\}$/.exec(part)?.[1] ?? /^\[(?:\.\.\.)?([^[\]]*)\]$/.exec(part)?.[1] ?? /^:(.*)$/.exec(part)?.[1]
  if (name !== undefined && (!/^[A-Za-z_$][\w$-]*$/.test(name) || name === "__proto__"))
    return [`has no valid parameter name in ${quoted}`, "Use letters, digits, _ and -, such as {id}."]
  if (
    (part === "*" || part.startsWith("[...")) &&
    !/[^/]*$/.exec(pattern.replace(/\/$/, ""))?.[0].includes(part)
  )
    return ["has a catch-all before its end", "A * or [...name] must be the last segment."]
  if (name !== undefined || part === "*")
    return [`names the parameter ${JSON.stringify(name ?? part)} twice`, "Give each parameter its own name."]
  if (/[?#]/.test(part))
    return [`holds more than a path in ${quoted}`, "Take the query away: a handler reads it itself."]
  if (/[{}[\]*]/.test(part))
    return [`mixes text and a parameter in ${quoted}`, "A parameter takes a whole segment: /files/{name}."]
  try {
    const value = decodeURIComponent(part)
    const fix = "Write the path without dot segments, backslashes and NUL."
    return [`has a segment that no request can have, ${JSON.stringify(value)}`, fix]
  } catch {
    const fix = "Write the characters themselves, or encode a % as %25."
    return ["is not valid percent-encoded UTF-8", fix]
  }
}
