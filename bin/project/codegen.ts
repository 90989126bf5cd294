/** The files of `.fw/`: a scanned tree as static imports, and the program that serves it. */
import { getModuleFile, listTreeFiles, type RouteTree } from "../../lib/tree.ts"
import { generatedHeader, quote } from "./generated-text.ts"
import { jobsFile, renderJobsModule } from "./jobs-module.ts"
import { linksFile, renderLinksModule } from "./links-module.ts"

/** A file to write, relative to the project. */
export interface GeneratedFile {
  readonly file: string
  readonly text: string
}

/** Options of the generated program. */
export interface EntryOptions {
  /**
   * The module that exports the App by default, such as `main.ts`, relative to the project; null creates a
   * new App.
   */
  readonly main: string | null
  /**
   * True to include `.fw/openapi.ts`, which `createEmbeddedAPI` returns for an app that serves its document.
   * Default: false.
   */
  readonly openapi?: boolean
  /** The text of `.fw/assets.ts`. Default: the project has nothing for pages to load. */
  readonly assets?: string | undefined
  /** True to begin with `.fw/db.node.ts`, for a project with a database. Default: false. */
  readonly database?: boolean
}

/** The module with the manifest of what pages load, relative to the project. */
export const assetsFile = ".fw/assets.ts"

/** Returns plain data as a literal, with keys in their order. */
function toLiteral(data: unknown, indent: string): string {
  const json = JSON.stringify(data, null, 2).replace(/[\u2028\u2029]/g, (char) => quote(char).slice(1, -1))
  return json.replaceAll("\n", `\n${indent}`)
}

/** Returns all files of `.fw/` for a Node program. */
export function generateFiles(tree: RouteTree, options: EntryOptions): GeneratedFile[] {
  return [
    { file: ".fw/routes.ts", text: renderRoutesModule(tree) },
    { file: linksFile, text: renderLinksModule(tree) },
    ...listJobFiles(tree),
    ...(options.assets === undefined ? [] : [{ file: assetsFile, text: options.assets }]),
    { file: ".fw/start.node.ts", text: renderNodeStart() },
    { file: ".fw/entry.node.ts", text: renderNodeEntry(tree, options) },
  ]
}

function listJobFiles(tree: RouteTree): GeneratedFile[] {
  const text = renderJobsModule(tree)
  return text === undefined ? [] : [{ file: jobsFile, text }]
}

/**
 * Returns the entry of a worker, in addition to {@link generateFiles}. All servers share one entry, which Bun and
 * Deno run too.
 */
export function generateWorker(tree: RouteTree, options: EntryOptions): GeneratedFile {
  return { file: ".fw/entry.workers.ts", text: renderWorkerEntry(tree, options) }
}

/** Returns the entry of an app that another program imports, in addition to {@link generateFiles}. */
export function generateApp(tree: RouteTree, options: EntryOptions): GeneratedFile {
  return { file: ".fw/entry.app.ts", text: renderAppEntry(tree, options) }
}

/**
 * Returns the entry of the program that makes pages during a build, in addition to {@link generateFiles}: it mounts, and
 * exports the App, the routes, and the class of this copy of fw.
 */
export function generatePages(tree: RouteTree, options: EntryOptions): GeneratedFile {
  const mount = `const mounted = ${renderMountArguments(tree, options)}\nawait app.mount(mounted)`
  const text = `${generatedHeader}${renderAppAndRoutes(tree, options)}\n${mount}\nexport { app, mounted as routes }\nexport { App } from "fw"\n`
  return { file: ".fw/entry.pages.ts", text }
}

/** Returns the text of `.fw/routes.ts`: the tree, and static imports of its files. */
export function renderRoutesModule(tree: RouteTree): string {
  const files = listTreeFiles(tree)
  const imports = files.map((file, i) => `import * as m${i} from ${quote(`../${getModuleFile(file)}`)}\n`)
  const modules = files.map((file, i) => `    ${quote(file)}: m${i},\n`)
  return (
    `${generatedHeader}import type { Routes } from "fw"\n${imports.join("")}\n` +
    // With an explicit type, the module compiles under isolatedDeclarations.
    `const routes: Routes = {\n  tree: ${toLiteral(tree, "  ")},\n  modules: {\n${modules.join("")}  },\n}\n\nexport default routes\n`
  )
}

/** Imports the App, or creates one, and the routes. */
function renderAppAndRoutes(tree: RouteTree, { main, openapi = false, assets }: EntryOptions): string {
  const tools = offersTools(tree) ? 'import tools from "./mcp.ts"\n' : ""
  const manifest = assets === undefined ? "" : 'import assets from "./assets.ts"\n'
  const routeImports = `${manifest}${tools}${openapi ? 'import openapi from "./openapi.ts"\n' : ""}import routes from "./routes.ts"\n`
  return main === null
    ? `import { App } from "fw"\n${routeImports}\nconst app = new App({ appDir: ${quote(tree.appDir)} })\n`
    : `import app from ${quote(`../${main}`)}\n${routeImports}`
}

/** Returns the argument of mount(). */
function renderMountArguments(tree: RouteTree, { openapi = false, assets }: EntryOptions): string {
  const parts = [
    "...routes",
    ...(assets === undefined ? [] : ["assets"]),
    ...(openapi ? ["openapi"] : []),
    ...(offersTools(tree) ? ["tree: { ...routes.tree, tools }"] : []),
  ]
  return parts.length === 1 ? "routes" : `{ ${parts.join(", ")} }`
}

/**
 * Returns the text of `.fw/entry.workers.ts`: mounts, and exports the functions that the platform calls, with
 * the other exports of `main.ts`.
 */
export function renderWorkerEntry(tree: RouteTree, options: EntryOptions): string {
  const others = options.main === null ? "" : `\nexport * from ${quote(`../${options.main}`)}\n`
  return `${generatedHeader}import { serve } from "fw/workers"
${renderAppAndRoutes(tree, options)}
await app.mount(${renderMountArguments(tree, options)})
export default serve(app)
${others}`
}

/**
 * Returns the text of `.fw/entry.app.ts`: mounts, and exports the App, the other exports of `main.ts`, and
 * the adapters. The adapters are included because an adapter can only serve apps of its own copy of fw.
 */
export function renderAppEntry(tree: RouteTree, options: EntryOptions): string {
  const others = options.main === null ? "" : `export * from ${quote(`../${options.main}`)}\n`
  return `${generatedHeader}${renderAppAndRoutes(tree, options)}
await app.mount(${renderMountArguments(tree, options)})
export default app
${others}${adapterExports}`
}

/** Exports of fw in an app's bundle. */
const adapterExports =
  'export { lambdaHandler, lambdaStreamHandler } from "fw/lambda"\nexport { nodeHandler, nodeUpgrade } from "fw/node"\n'

/** The declarations of an app's bundle, for programs that have fw installed. */
export const appDeclarations = `${generatedHeader}import type { App } from "fw"

declare const app: App
export default app
${adapterExports}`

/** Returns the text of `.fw/entry.node.ts`: mounts, listens, and stops gracefully on SIGINT and SIGTERM. */
export function renderNodeEntry(tree: RouteTree, options: EntryOptions): string {
  const database = options.database ? 'import "./db.node.ts"\n' : ""
  const begin = tree.jobs ? 'import { beginJobs } from "fw/jobs"\n' : ""
  return `${generatedHeader}import "./start.node.ts"
${database}${begin}import { run } from "fw/start"
${renderAppAndRoutes(tree, options)}
await app.mount(${renderMountArguments(tree, options)})
await run(app${tree.jobs ? ", await beginJobs(app)" : ""})
`
}

/**
 * Returns the text of `.fw/start.node.ts`. It is imported first, so that it can report errors of the other imports.
 * The process that starts workers stops in it.
 */
export function renderNodeStart(): string {
  return `${generatedHeader}import { begin } from "fw/start"

await begin()
`
}

/** Returns the text of `.fw/openapi.ts` or `.fw/mcp.ts`: the document or the tools as JSON. */
export function renderDataModule(json: string): string {
  return `${generatedHeader}export default ${quote(json)}\n`
}

/** Returns true if a route offers itself to language models. */
export function offersTools({ routes }: RouteTree): boolean {
  return routes.some(({ mcp }) => mcp)
}
