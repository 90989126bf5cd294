/** Generates `.fw/links.ts`: the function `link()`, whose types contain every pattern of the application. */
import { parsePattern } from "../../lib/pattern.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { generatedHeader, quote } from "./generated-text.ts"

/** The module that exports `link()`, relative to the project. */
export const linksFile = ".fw/links.ts"

/**
 * Returns the text of `.fw/links.ts`. The type of each pattern is written out without conditional types, because
 * the type checker reads them all and a project may have hundreds.
 */
export function renderLinksModule(tree: RouteTree): string {
  const rests = listCatchAlls(tree)
  const rows = [...rests].map(([pattern, rest]) => `  readonly ${quote(pattern)}: ${renderArguments(pattern, rest)}\n`)
  const table = [...rests].flatMap(([pattern, rest]) => {
    return rest === undefined ? [] : [`  ${quote(pattern)}: ${quote(rest)},\n`]
  })
  const types = rows.join("").match(/\bLink(?:Options|Rest|Value)\b/g) ?? []
  const names = ["buildLink", ...[...new Set(types)].sort().map((name) => `type ${name}`)]
  // Without a route, no pattern can be passed.
  const signature = rows.length === 0 ? "pattern: never, ...given: never" : "pattern: Pattern, ...given: Links[Pattern]"
  return `${generatedHeader}import { ${names.join(", ")} } from "fw/links"

/** The arguments of \`link()\` after the pattern, for each pattern of the application. */
export interface Links {
${rows.join("")}}

/** A pattern of the application, as \`fw routes\` lists it. */
export type LinkPattern = keyof Links

/** Names of catch-alls. */
const rests: Readonly<Record<string, string>> = {
${table.join("")}}

/** Returns the path of a pattern with its values, percent-encoded. */
export function link${rows.length === 0 ? "" : "<Pattern extends LinkPattern>"}(${signature}): string {
  return buildLink(pattern, given, rests[pattern])
}
`
}

/** Returns each pattern with the name of its catch-all, sorted; undefined if it has none. */
function listCatchAlls(tree: RouteTree): Map<string, string | undefined> {
  const rests = new Map<string, string | undefined>()
  for (const { pattern, rest } of [...tree.pages, ...tree.routes]) {
    rests.set(pattern, rests.get(pattern) ?? rest)
  }
  return new Map([...rests].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function renderArguments(pattern: string, rest: string | undefined): string {
  const values = parsePattern(pattern).segments.flatMap((segment) => {
    if (segment.kind === "static") return []
    if (segment.kind === "param") return [`readonly ${renderKey(segment.name)}: LinkValue`]
    return [`readonly ${renderKey(rest ?? "*")}: LinkRest`]
  })
  return values.length === 0 ? "[options?: LinkOptions]" : `[values: { ${values.join("; ")} }, options?: LinkOptions]`
}

/** Returns a name as a key of an object type, in quotes if needed. */
function renderKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}
