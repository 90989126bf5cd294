/**
 * The esbuild plugin for browser code: it adds entries that are not files, compiles stylesheets, and refuses
 * imports of server code.
 */
import { readFile } from "node:fs/promises"
import { builtinModules } from "node:module"
import { basename, extname, join, relative, sep } from "node:path"
import type { Message, OnLoadResult, OnResolveArgs, OnResolveResult, PartialMessage, Plugin } from "esbuild"
import type { FwError } from "../../lib/errors.ts"
import { findRole } from "../../lib/scan/file-names.ts"
import { assetFault } from "../messages/assets.ts"
import { findMain, type Project } from "../project/project.ts"
import { readPackageName } from "../tools/npm.ts"
import { type BrowserEntries, isElementFile, toElementClass } from "./entries.ts"

/** The prefix of an entry that defines a custom element. The tag follows. */
export const elementPrefix = "fw-element:"
/** The entry that imports all media files, which pages load unchanged. */
export const mediaEntry = "fw-media:all"

/** Compiles a stylesheet that imports Tailwind CSS. The file is relative to the project. */
export type CompileStyles = (file: string) => Promise<string>

/** The plugin for esbuild, and the function that improves the messages of esbuild. */
export interface BrowserPlugin {
  readonly plugin: Plugin
  /**
   * Returns a message of esbuild. If it is about a module of Node, the text explains that browsers do not have it.
   */
  explain(message: Message): Message
}

/** Marks imports that the plugin resolves itself, so that it does not handle them twice. */
const ownImport = Symbol("own")

/** Matches a stylesheet that the CSS compiler has to compile first. */
const tailwindImport = /@import\s+(?:url\(\s*)?["']tailwindcss(?:\/[^"']*)?["']/

/**
 * Creates the plugin.
 *
 * @param entries the entries of the current build.
 */
export function createBrowserPlugin(
  { root, appDir }: Project,
  entries: () => BrowserEntries,
  compileStyles: CompileStyles,
): BrowserPlugin {
  /** The first importer of each module and package. */
  const importers = new Map<string, string>()
  const toChain = (name: string): string[] => {
    const from = importers.get(name)
    return from === undefined ? [name] : [...toChain(from), name]
  }
  const refuse = (fault: FwError): OnResolveResult => ({ errors: [toMessage(fault)] })
  const toName = (path: string) => relative(root, path).split(sep).join("/")
  const main = findMain({ root, appDir })

  const resolve = async (args: OnResolveArgs, build: Parameters<Plugin["setup"]>[0]) => {
    const { path, kind, resolveDir, importer, namespace, pluginData } = args
    if (pluginData === ownImport || kind === "entry-point") return undefined
    // A URL that begins with a slash is a path of the application, and not a file to bundle.
    if ((kind === "url-token" || kind === "import-rule") && path.startsWith("/")) return { path, external: true }
    const isPlugins = namespace !== "file"
    const from = isPlugins ? undefined : (findPackage(importer) ?? toName(importer))
    const isLocal = /^[./#]/.test(path) && path !== "#assets"
    if (path === "#assets" || /^fw(?:\/|$)/.test(path)) {
      if (path === "fw/links")
        return toResult(await build.resolve(path, { kind, resolveDir: join(root, ".fw"), pluginData: ownImport }))
      return refuse(assetFault("browser.framework", [path, [...toChain(from ?? ""), path]]))
    }
    if (!isLocal) {
      if (from !== undefined && !importers.has(path)) importers.set(readPackageName(path) ?? path, from)
      return undefined
    }
    if (from !== undefined && findPackage(importer)) return undefined
    const found = await build.resolve(path, { kind, resolveDir, importer, namespace, pluginData: ownImport })
    // If the import cannot be resolved, esbuild tries it again itself and reports the error with its position.
    if (found.errors.length > 0 || found.external || found.namespace !== "file") return undefined
    const file = toName(found.path)
    if (from !== undefined && from !== file && !importers.has(file)) importers.set(file, from)
    if (!isServerModule(file)) return toResult(found)
    return refuse(assetFault("browser.server", [file, toChain(file)]))
  }

  /** Returns true for a module that runs only on the server, such as a route. */
  const isServerModule = (file: string) => {
    if (file === main || /\.tpl(?:\.ts)?$/.test(file)) return true
    return file.startsWith(`${appDir}/`) && !isElementFile(file) && findRole(basename(file)) !== null
  }

  const loadEntry = (path: string): OnLoadResult => {
    const { entries: all } = entries()
    const media = all.filter(({ kind }) => kind === "media")
    const contents =
      path === mediaEntry
        ? media.map(({ file }, i) => `export { default as m${i} } from ${JSON.stringify(`./${file}`)}\n`).join("")
        : renderElement(path, all.find(({ kind, name }) => kind === "element" && name === path)?.file ?? "")
    return { contents, resolveDir: root, loader: "js" }
  }

  return {
    plugin: {
      name: "fw-browser",
      setup(build) {
        build.onStart(() => importers.clear())
        build.onResolve({ filter: /^fw-(?:element|media):/ }, ({ path }) => {
          return { path: path.replace(elementPrefix, ""), namespace: "fw-entry" }
        })
        build.onLoad({ filter: /.*/, namespace: "fw-entry" }, ({ path }) => loadEntry(path))
        build.onResolve({ filter: /.*/ }, (args) => resolve(args, build))
        build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
          if (findPackage(path) || !tailwindImport.test(await readFile(path, "utf8"))) return undefined
          return { contents: await compileStyles(toName(path)), loader: "css" }
        })
      },
    },
    explain(message) {
      const [, name] = /^Could not resolve "([^"]+)"/.exec(message.text) ?? []
      if (name === undefined || !isNodeModule(name)) return message
      const file = message.location?.file ?? ""
      const importer = findPackage(file) ?? file
      return { ...message, ...toMessage(assetFault("browser.node", [name, [...toChain(importer), name]])) } as Message
    },
  }
}

/** Returns the module that defines a custom element. It does nothing if another copy of the module has defined it. */
function renderElement(tag: string, file: string): string {
  const name = toElementClass(tag)
  return `import { ${name} } from ${JSON.stringify(`./${file}`)}
if (!customElements.get(${JSON.stringify(tag)})) customElements.define(${JSON.stringify(tag)}, ${name})
`
}

/** Converts an error to a message of esbuild, which adds the position. */
function toMessage({ message, fix }: FwError): PartialMessage & { text: string } {
  return { text: message, notes: [{ text: fix, location: null }] }
}

/** Returns the package that a file belongs to; undefined for a file of the project. */
function findPackage(path: string): string | undefined {
  const [, inner] = /.*[/\\]?node_modules[/\\](.*)$/.exec(path) ?? []
  return inner === undefined ? undefined : (readPackageName(inner.replaceAll("\\", "/")) ?? undefined)
}

function isNodeModule(name: string): boolean {
  return name.startsWith("node:") || (extname(name) === "" && builtinModules.includes(name))
}

function toResult({
  path,
  external,
  namespace,
  sideEffects,
  suffix,
  errors,
  warnings,
}: Awaited<ReturnType<Parameters<Plugin["setup"]>[0]["resolve"]>>): OnResolveResult {
  return { path, external, namespace, sideEffects, suffix, errors, warnings }
}
