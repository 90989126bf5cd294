/** Checks the main file, and files that probably belong into the route directory. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { FwError } from "../../../lib/errors.ts"
import { type ModuleText, readModule } from "../../../lib/scan/exports.ts"
import { type FileRole, findRole } from "../../../lib/scan/file-names.ts"
import { type ModuleToken, toPosition } from "../../../lib/scan/tokens.ts"
import { explainSyntax } from "../../project/explain-syntax.ts"
import { findClosing } from "../../project/module-tokens.ts"
import { tryReadModule } from "../../project/read-module.ts"
import { createError, createWarning, type Finding, toFinding } from "./finding.ts"

/** The exports of a file, by role. A template with such a name always has the role. */
export const roleExports: Readonly<Record<FileRole, readonly string[]>> = {
  route: ["Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "All", "Socket"],
  middleware: ["Middleware"],
  proxy: ["Proxy"],
  page: ["Page"],
  layout: ["Layout"],
  "not-found": [],
  error: [],
  job: ["Job"],
}

/** The exports of files with the same names in other frameworks. Such a file may also be a helper. */
const foreignExports: Readonly<Partial<Record<FileRole, readonly string[]>>> = {
  middleware: ["middleware", "onRequest", "default"],
  proxy: ["proxy", "default"],
}

/** Returns the convention files in the root of the project or in `src/`, which the scan does not read. */
export async function findMisplacedFiles(root: string, appDir: string, main: ModuleText | null): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const directory of ["", "src/"]) {
    if (appDir === (directory.slice(0, -1) || ".")) continue
    for (const name of await readdir(join(root, directory)).catch(() => [])) {
      const role = findRole(name)
      const file = `${directory}${name}`
      if (typeof role !== "string" || isImported(main, file)) continue
      const names = (await tryReadModule(root, file))?.exports.map((found) => found.name) ?? []
      const isRoleFile = file.endsWith(".tpl") || names.some((one) => roleExports[role].includes(one))
      if (!isRoleFile && !names.some((one) => foreignExports[role]?.includes(one))) continue
      const message = `the ${role} file is outside ${appDir}, where nothing reads it`
      const fix = `Move it to ${appDir === "." ? "" : `${appDir}/`}${name}.`
      findings.push((isRoleFile ? createError : createWarning)("misplaced", { file }, message, fix))
    }
  }
  return findings
}

/** Returns true if the main file imports a file, which then is a helper. */
function isImported(main: ModuleText | null, file: string): boolean {
  const stem = file.replace(/\.\w+$/, "")
  return main?.tokens.some(({ kind, text }) => kind === "string" && text.slice(1, -1).startsWith(`./${stem}`)) ?? false
}

/** Checks the main file, or a file that was probably meant to be it. */
export async function checkMain(root: string, main: string | null): Promise<Finding[]> {
  if (main === null) return await findNearMains(root)
  let module: ModuleText
  try {
    module = readModule(await readFile(join(root, main), "utf8"), {
      file: main,
      allowsJSX: !/\.m?ts$/.test(main),
    })
  } catch (error) {
    if (error instanceof FwError) return (await explainSyntax(root, [error])).map((one) => toFinding(one, main))
    throw error
  }
  const calls = checkMainCalls(main, module)
  if (module.exports.some(({ name }) => name === "default")) return calls
  const message = "the main file has no default export, where fw looks for the App"
  return [createError("main", { file: main }, message, "Write export default app."), ...calls]
}

async function findNearMains(root: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const directory of ["", "src/"]) {
    for (const name of await readdir(join(root, directory)).catch(() => [])) {
      if (!/^main\.(?:[cm]?[jt]s|[jt]sx)$/i.test(name)) continue
      const message = "fw does not read this file: the main file is main.ts next to package.json"
      findings.push(createWarning("main", { file: `${directory}${name}` }, message, "Move it to main.ts."))
    }
  }
  return findings
}

/** Matches the modules of fw that export `serve`. */
const adapterModule = /^["']fw\/(?:node|bun|deno|workers)["']$/

/** Returns a warning for each call in a main file that the generated program makes itself. */
function checkMainCalls(file: string, { tokens, source }: ModuleText): Finding[] {
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
