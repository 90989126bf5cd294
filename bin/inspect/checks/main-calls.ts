/** Finds calls in a main file that the generated program makes itself: scan, mount and serve. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { type ModuleToken, toPosition } from "../../../lib/scan/tokens.ts"
import { findClosing } from "../../project/module-tokens.ts"
import { createWarning, type Finding } from "./finding.ts"

/** Matches the modules of fw that export `serve`. */
const adapterModule = /^["']fw\/(?:node|bun|deno|workers)["']$/

/** Returns a warning for each call in a main file that the generated program makes itself. */
export function checkMainCalls(file: string, { tokens, source }: ModuleText): Finding[] {
  const app = findAppName(tokens)
  return tokens.flatMap((token, at) => {
    const found = tokens[at + 1]?.text === "(" && (findAppCall(tokens, at, app) ?? findServeCall(tokens, at, app))
    return found ? [createWarning("main", { file, ...toPosition(source, token.start) }, ...found)] : []
  })
}

type MessageAndFix = readonly [message: string, fix: string]

/**
 * Finds `app.listen()`, `app.mount()` and `app.scan()`. Other objects have methods with these names too, and
 * `app.router.mount()` is correct in a main file.
 */
function findAppCall(tokens: readonly ModuleToken[], at: number, app: string | undefined): MessageAndFix | null {
  const name = tokens[at]?.text ?? ""
  const isOfApp = tokens[at - 1]?.text === "." && tokens[at - 2]?.text === app && tokens[at - 3]?.text !== "."
  if (!isOfApp || !/^(?:listen|mount|scan)$/.test(name)) return null
  return [`the main file calls ${name}(), which the generated program does itself`, `Remove the call of ${name}().`]
}

/**
 * Finds `serve(app)` of an adapter, and `Bun.serve({ fetch: app.fetch })`. A main file may serve other things, such
 * as metrics.
 */
function findServeCall(tokens: readonly ModuleToken[], at: number, app: string | undefined): MessageAndFix | null {
  if (tokens[at]?.text !== "serve") return null
  const end = findClosing(tokens, at + 1)
  const hasApp = tokens.slice(at + 2, end).some(({ kind, text }) => kind === "word" && text === app)
  const object = tokens[at - 1]?.text === "." ? (tokens[at - 2]?.text ?? "") : ""
  const isServer = /^(?:Bun|Deno)$/.test(object) || tokens.some(({ text }) => adapterModule.test(text))
  // `{ serve(app) { … } }` defines a method and is not a call.
  if (!hasApp || !isServer || tokens[end + 1]?.text === "{") return null
  const call = object === "" ? "serve()" : `${object}.serve()`
  const message = `the main file calls ${call} with the app, and the generated program serves the app itself`
  return [message, `Remove the call of ${call}: export default app is enough.`]
}

/** Returns the name of the app, which is that of the default export. */
function findAppName(tokens: readonly ModuleToken[]): string | undefined {
  const at = tokens.findIndex(({ text }) => text === "default")
  return tokens[at - 1]?.text === "as" ? tokens[at - 2]?.text : tokens[at + 1]?.text
}
