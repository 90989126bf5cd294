/** Generates the files of `.fw/`: the scanned routes as static imports, and the program that serves them. */
import { getModuleFile, listTreeFiles, type RouteTree } from "../../lib/tree.ts"
import { generatedHeader, quote } from "./generated-text.ts"
import { jobsFile, renderJobsModule } from "./jobs-module.ts"
import { linksFile, renderLinksModule } from "./links-module.ts"

/** A generated file. Its path is relative to the project. */
export interface GeneratedFile {
  readonly file: string
  readonly text: string
}

/** Options of the generated program. */
export interface EntryOptions {
  /**
   * The module that exports the App as its default, such as `main.ts`, relative to the project. Null to create a
   * new App.
   */
  readonly main: string | null
  /**
   * True to import `.fw/openapi.ts`, which `createEmbeddedAPI` generates for an app that serves its document.
   * Default: false.
   */
  readonly openapi?: boolean
  /** The text of `.fw/assets.ts`. Default: the project has no browser files. */
  readonly assets?: string | undefined
  /** True to import `.fw/db.node.ts` first, for a project with a database. Default: false. */
  readonly database?: boolean
}

/** The module with the manifest of the browser files, relative to the project. */
export const assetsFile = ".fw/assets.ts"

/** Returns data as a JavaScript literal. Keys keep their order. */
function toLiteral(data: unknown, indent: string): string {
  const json = JSON.stringify(data, null, 2).replace(/[\u2028\u2029]/g, (char) => quote(char).slice(1, -1))
  return json.replaceAll("\n", `\n${indent}`)
}

/** Returns all files of `.fw/` for a program on Node. */
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
 * Returns the entry of a worker, in addition to {@link generateFiles}. The servers of Node, Bun and Deno share one
 * entry, which is among those files.
 */
export function generateWorker(tree: RouteTree, options: EntryOptions): GeneratedFile {
  return { file: ".fw/entry.workers.ts", text: renderWorkerEntry(tree, options) }
}

/** Returns the entry of an app that another program imports, in addition to {@link generateFiles}. */
export function generateApp(tree: RouteTree, options: EntryOptions): GeneratedFile {
  return { file: ".fw/entry.app.ts", text: renderAppEntry(tree, options) }
}

/**
 * Returns the entry of the program that prerenders pages during a build, in addition to {@link generateFiles}. It
 * mounts the routes, and exports the App, the routes and the class App of this copy of fw.
 */
export function generatePages(tree: RouteTree, options: EntryOptions): GeneratedFile {
  const mount = `const mounted = ${renderMountArguments(tree, options)}\nawait app.mount(mounted)`
  const text = `${generatedHeader}${renderAppAndRoutes(tree, options)}\n${mount}\nexport { app, mounted as routes }\nexport { App } from "fw"\n`
  return { file: ".fw/entry.pages.ts", text }
}

/** Returns the text of `.fw/routes.ts`: the tree, and static imports of its modules. */
export function renderRoutesModule(tree: RouteTree): string {
  const files = listTreeFiles(tree)
  const imports = files.map((file, i) => `import * as m${i} from ${quote(`../${getModuleFile(file)}`)}\n`)
  const modules = files.map((file, i) => `    ${quote(file)}: m${i},\n`)
  return (
    `${generatedHeader}import type { Routes } from "fw"\n${imports.join("")}\n` +
    // The explicit type is needed under isolatedDeclarations.
    `const routes: Routes = {\n  tree: ${toLiteral(tree, "  ")},\n  modules: {\n${modules.join("")}  },\n}\n\nexport default routes\n`
  )
}

/** Returns the imports of the App and the routes. Without a main file, it creates the App. */
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
 * Returns the text of `.fw/entry.workers.ts`, which mounts the routes, and exports the functions that the platform
 * calls and the other exports of `main.ts`.
 */
export function renderWorkerEntry(tree: RouteTree, options: EntryOptions): string {
  const others = options.main === null ? "" : `\nexport * from ${quote(`../${options.main}`)}\n`
  const [name, module] = tree.jobs ? ["serveJobs", "fw/jobs"] : ["serve", "fw/workers"]
  return `${generatedHeader}import { ${name} } from "${module}"
${renderAppAndRoutes(tree, options)}
await app.mount(${renderMountArguments(tree, options)})
export default ${tree.jobs ? "await " : ""}${name}(app)
${others}`
}

/**
 * Returns the text of `.fw/entry.app.ts`, which mounts the routes, and exports the App, the other exports of
 * `main.ts` and the adapters. An adapter can serve only an app of the same copy of fw, so the bundle must contain
 * the adapters too.
 */
export function renderAppEntry(tree: RouteTree, options: EntryOptions): string {
  const others = options.main === null ? "" : `export * from ${quote(`../${options.main}`)}\n`
  return `${generatedHeader}${renderAppAndRoutes(tree, options)}
await app.mount(${renderMountArguments(tree, options)})
export default app
${others}${adapterExports}`
}

/** The exports of fw in the bundle of an app. */
const adapterExports =
  'export { lambdaHandler, lambdaStreamHandler } from "fw/lambda"\nexport { nodeHandler, nodeUpgrade } from "fw/node"\n'

/** The type declarations of an app's bundle, for programs that have fw installed. */
export const appDeclarations = `${generatedHeader}import type { App } from "fw"

declare const app: App
export default app
${adapterExports}`

/**
 * Returns the text of `.fw/entry.node.ts`, which mounts the routes, listens, and stops gracefully on SIGINT and
 * SIGTERM.
 */
export function renderNodeEntry(tree: RouteTree, options: EntryOptions): string {
  const databaseImport = options.database ? 'import migrations from "./db.node.ts"\n' : ""
  const jobsImport = tree.jobs ? 'import { beginJobs } from "fw/jobs"\n' : ""
  const startOptions = [
    ...(options.database ? ["migrations"] : []),
    ...(tree.jobs ? ["jobs: (prepare) => beginJobs(app, prepare)"] : []),
  ]
  return `${generatedHeader}import "./start.node.ts"
${databaseImport}${jobsImport}import { run } from "fw/start"
${renderAppAndRoutes(tree, options)}
await app.mount(${renderMountArguments(tree, options)})
await run(app${startOptions.length > 0 ? `, { ${startOptions.join(", ")} }` : ""})
`
}

/**
 * Returns the text of `.fw/start.node.ts`. The entry imports it first, so that it can report errors of the other
 * imports. The process that only starts workers does not go on after it.
 */
export function renderNodeStart(): string {
  return `${generatedHeader}import { begin } from "fw/start"

await begin()
`
}

/** Returns the text of `.fw/openapi.ts` or `.fw/mcp.ts`, which exports the document or the tools as JSON. */
export function renderDataModule(json: string): string {
  return `${generatedHeader}export default ${quote(json)}\n`
}

/** Returns true if a route is offered to language models. */
export function offersTools({ routes }: RouteTree): boolean {
  return routes.some(({ mcp }) => mcp)
}
