/** Finds the calls of a main file that do what the generated program does itself: scan, mount and serve. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { positionOf, type Token } from "../../../lib/scan/tokens.ts"
import { type Finding, warning } from "./finding.ts"
import { closeOf } from "./module-tokens.ts"

/** Entries of fw that export `serve`. */
const adapters = new Set(["fw/node", "fw/bun", "fw/deno", "fw/workers"])

/** Returns a warning for each call of a main file that the generated program makes itself. */
export function callsOfMain(file: string, { tokens, source }: ModuleText): Finding[] {
  const served = serveNames(tokens)
  return tokens.flatMap((token, at) => {
    if (tokens[at + 1]?.text !== "(") return []
    const found = appCall(tokens, at) ?? serveCall(tokens, at, served) ?? globalCall(tokens, at)
    return found ? [warning("main", { file, ...positionOf(source, token.start) }, ...found)] : []
  })
}

type Text = readonly [message: string, fix: string]

/** `app.listen()`, `app.mount()` and `app.scan()`. Other objects have such methods too, and `app.router.mount()` belongs there. */
function appCall(tokens: readonly Token[], at: number): Text | null {
  const name = tokens[at]?.text ?? ""
  if (tokens[at - 1]?.text !== "." || !/^(?:listen|mount|scan)$/.test(name)) return null
  if (!isOfApp(tokens, at - 2)) return null
  return [
    `the main file calls ${name}(), which the generated program does itself`,
    `Remove the call of ${name}().`,
  ]
}

/** Returns true if a value is the app or is made of it, such as `createServer(nodeHandler(app))`. @param end index of its last token. */
function isOfApp(tokens: readonly Token[], end: number): boolean {
  const app = appName(tokens)
  const namesApp = ({ text }: Token) => text === "App" || text === app
  const { kind, text = "" } = tokens[end] ?? {}
  if (text === ")") return tokens.slice(Math.max(0, openOf(tokens, end) - 1), end).some(namesApp)
  return kind === "name" && (text === app || madeOf(tokens, text).some(namesApp))
}

/** The value with which a variable is declared. It ends at a line that begins on the same level. */
function madeOf(tokens: readonly Token[], name: string): readonly Token[] {
  const at = tokens.findIndex(({ text }, i) => {
    return text === name && /^(?:const|let|var)$/.test(tokens[i - 1]?.text ?? "")
  })
  if (at < 0) return []
  const depth = tokens[at]?.depth
  const rest = tokens.slice(at + 1)
  const end = rest.findIndex((token) => token.depth === depth && token.newline && token.text !== ".")
  return end < 0 ? rest : rest.slice(0, end)
}

/** `serve()` of an adapter, also under another name. */
function serveCall(tokens: readonly Token[], at: number, served: Served): Text | null {
  const name = tokens[at]?.text ?? ""
  const isMember = tokens[at - 1]?.text === "."
  const module = isMember
    ? name === "serve" && tokens[at - 3]?.text !== "." && served.namespaces.get(tokens[at - 2]?.text ?? "")
    : served.functions.get(name)
  // `{ serve(app) { … } }` defines a method.
  if (!module || tokens[closeOf(tokens, at + 1) + 1]?.text === "{") return null
  return textOf(`serve() of ${module}`, "serve()")
}

/** `Bun.serve()` and `Deno.serve()` with the app. A main file may serve something else, such as metrics. */
function globalCall(tokens: readonly Token[], at: number): Text | null {
  const runtime = tokens[at - 2]?.text
  if (tokens[at]?.text !== "serve" || tokens[at - 1]?.text !== ".") return null
  if ((runtime !== "Bun" && runtime !== "Deno") || tokens[at - 3]?.text === ".") return null
  const app = appName(tokens)
  const values = tokens.slice(at + 2, closeOf(tokens, at + 1))
  const hasApp = values.some(
    ({ kind, text }, i) => kind === "name" && text === app && values[i - 1]?.text !== ".",
  )
  return hasApp ? textOf(`${runtime}.serve() with the app`, `${runtime}.serve()`) : null
}

function textOf(call: string, name: string): Text {
  const what = `the main file calls ${call}, and the generated program serves the app itself`
  return [what, `Remove the call of ${name}: export default app is enough.`]
}

/** Names under which a module has `serve` of an adapter, each with the adapter. */
interface Served {
  readonly functions: ReadonlyMap<string, string>
  readonly namespaces: ReadonlyMap<string, string>
}

function serveNames(tokens: readonly Token[]): Served {
  const functions = new Map<string, string>()
  const namespaces = new Map<string, string>()
  for (const [at, { kind, text }] of tokens.entries()) {
    const module = text.slice(1, -1)
    if (kind !== "string" || !adapters.has(module)) continue
    const end = endOfNames(tokens, at)
    const start = tokens.slice(0, end).findLastIndex(({ text }) => /^(?:import|const|let|var)$/.test(text))
    const names = tokens.slice(start + 1, end).map(({ text }) => text)
    for (const [i, name] of names.entries()) {
      if (name === "*" && names[i + 1] === "as") namespaces.set(names[i + 2] as string, module)
      if (name !== "serve" || /^(?:as|:)$/.test(names[i - 1] ?? "")) continue
      const isRenamed = /^(?:as|:)$/.test(names[i + 1] ?? "")
      functions.set(isRenamed ? (names[i + 2] as string) : name, module)
    }
    if (names.length === 1) namespaces.set(names[0] as string, module)
  }
  return { functions, namespaces }
}

/** Returns where the names before a module's name end: at `from`, or at the `=` of `= await import("…")`. */
function endOfNames(tokens: readonly Token[], at: number): number {
  if (tokens[at - 1]?.text === "from") return at - 1
  const before = [4, 3, 2, 1].map((back) => tokens[at - back]?.text).join(" ")
  return before === "= await import (" ? at - 4 : 0
}

/** The name of the app: that of the default export. */
function appName(tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex(({ text }) => text === "default")
  return tokens[at - 1]?.text === "as" ? tokens[at - 2]?.text : tokens[at + 1]?.text
}

/** Returns the index of the bracket that opens the one at an index. */
function openOf(tokens: readonly Token[], close: number): number {
  const depth = tokens[close]?.depth
  return tokens.findLastIndex((token, at) => at < close && token.depth === depth && token.text === "(")
}
