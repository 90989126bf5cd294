/** Reads the import statements of a module from its tokens. */
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import type { ModuleToken } from "../../lib/scan/tokens.ts"

/** An `import` statement, or an `export` statement with `from`. */
export interface ModuleImport {
  /** The name of the module, as it is written. */
  readonly specifier: string
  /** The exports that it names: `default`, or `*` for all of them. */
  readonly names: readonly ImportedName[]
  /** True if it has import attributes, such as `with { type: "json" }`. */
  readonly hasAttributes: boolean
}

/** An export of another module, and its name in this one: `""` for `export *`, which gives it none. */
export interface ImportedName {
  readonly name: string
  readonly local: string
}

/** Returns the imports of a module, in their order. Those of types are among them, and `import()` is not. */
export function listModuleImports(tokens: readonly ModuleToken[]): ModuleImport[] {
  return tokens.flatMap((token, at) => {
    const isSource = token.kind === "string" && /^(?:from|import)$/.test(tokens[at - 1]?.text ?? "")
    if (!isSource) return []
    const start = tokens.findLastIndex(({ text, depth }, index) => {
      return index < at && depth === token.depth && /^(?:im|ex)port$/.test(text)
    })
    const isOfTypes = tokens[start + 1]?.text === "type" && tokens[start + 2]?.text === "{"
    const names = splitClause(tokens.slice(start + (isOfTypes ? 2 : 1), at - 1)).flatMap(toName)
    return [{ specifier: toText(token), names, hasAttributes: tokens[at + 1]?.text === "with" }]
  })
}

/** Splits `a, { b, c as d }` at its commas and braces. */
function splitClause(tokens: readonly ModuleToken[]): { readonly isInBraces: boolean; readonly texts: string[] }[] {
  const items = [{ isInBraces: false, texts: [] as string[] }]
  for (const token of tokens) {
    const isInBraces = token.text === "{" || (token.text === "," && items.at(-1)?.isInBraces === true)
    if (token.kind === "mark" && /^[{,}]$/.test(token.text)) items.push({ isInBraces, texts: [] })
    else items.at(-1)?.texts.push(toText(token))
  }
  return items
}

/** Returns the name of `a`, `a as b`, `* as b` or `type a`. */
function toName({ isInBraces, texts }: { readonly isInBraces: boolean; readonly texts: string[] }): ImportedName[] {
  // Without its `type`, a name has one word or three.
  const [name, , local] = texts.length % 2 === 0 ? texts.slice(1) : texts
  if (name === undefined) return []
  if (name === "*") return [{ name, local: local ?? "" }]
  return [isInBraces ? { name, local: local ?? name } : { name: "default", local: name }]
}

function toText({ kind, text }: ModuleToken): string {
  return kind === "string" ? parseStringLiteral(text) : text
}
