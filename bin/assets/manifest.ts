/** Creates the manifest: what a page must know about each bundled file. */
import { createHash } from "node:crypto"
import type { Metafile } from "esbuild"
import type { Asset, AssetFile, AssetManifest } from "../../lib/assets.ts"
import { encodePath } from "../../lib/path.ts"
import type { BrowserEntries, BrowserEntry } from "./entries.ts"

type Outputs = Metafile["outputs"]

/** Directory in which `fw dev` writes the bundled files, relative to the project. */
export const browserDirectory = ".fw/browser"

/** The files that esbuild has made for the browser, and its description of them. */
export interface BrowserOutput {
  /** Contents by path, relative to the directory of bundled files. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly metafile: Metafile
  /** True if the names of the files contain hashes, as in a build. */
  readonly isHashed: boolean
}

/**
 * Returns the manifest of a bundle. Without a bundle, as in generated files, all entries get the names without
 * hashes that `fw dev` writes.
 */
export function createManifest({ entries }: BrowserEntries, bundle?: BrowserOutput): AssetManifest {
  const assets = entries.flatMap((entry) => {
    const asset = bundle ? findAsset(entry, bundle) : { url: toPlainURL(entry) }
    return asset ? [[entry, asset] as const] : []
  })
  const toManifestFiles = (isElement: boolean) =>
    Object.fromEntries(
      assets.flatMap(([{ kind, name }, asset]) => ((kind === "element") === isElement ? [[name, asset]] : [])),
    )
  const elements = toManifestFiles(true)
  const isHashed = bundle?.isHashed ?? false
  return {
    ...(assets.length > 0 && { dir: isHashed ? "assets" : browserDirectory }),
    isHashed,
    files: toManifestFiles(false),
    ...(Object.keys(elements).length > 0 && { elements }),
  }
}

function findAsset(entry: BrowserEntry, { files, metafile: { outputs }, isHashed }: BrowserOutput): Asset | undefined {
  const path = findOutput(outputs, entry)
  if (path === undefined) return undefined
  const toFile = (path: string): AssetFile => {
    const name = path.slice(browserDirectory.length + 1)
    const bytes = isHashed && /\.(?:js|css)$/.test(name) ? files.get(name) : undefined
    return { url: `/assets/${encodePath(name)}`, ...(bytes && { integrity: computeIntegrity(bytes) }) }
  }
  const imports = isHashed ? listImports(outputs, path) : []
  const styles = outputs[path]?.cssBundle
  return {
    ...toFile(path),
    ...(imports.length > 0 && { imports: imports.map(toFile) }),
    ...(styles !== undefined && { styles: [toFile(styles)] }),
  }
}

function toPlainURL({ kind, name, output }: BrowserEntry): string {
  return kind === "media" ? name : `/assets/${encodePath(output)}${kind === "stylesheet" ? ".css" : ".js"}`
}

/** Returns the path of the bundled file of an entry. */
function findOutput(outputs: Outputs, { kind, file, name }: BrowserEntry): string | undefined {
  if (kind === "media") return Object.keys(outputs).find((path) => isCopy(outputs[path], file))
  const entryPoint = kind === "element" ? `fw-entry:${name}` : file
  return Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint)
}

/** Returns true if an output is an unchanged copy of a file. */
function isCopy(output: Outputs[string] | undefined, file: string): boolean {
  const inputs = Object.keys(output?.inputs ?? {})
  return output?.entryPoint === undefined && inputs.length === 1 && inputs[0] === file && output?.imports.length === 0
}

/**
 * Returns the chunks that a script imports directly or indirectly, without those that it loads later with
 * `import()`.
 */
function listImports(outputs: Outputs, start: string): string[] {
  const imports = new Set<string>()
  const visit = (path: string) => {
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (external || kind !== "import-statement" || imports.has(next)) continue
      imports.add(next)
      visit(next)
    }
  }
  visit(start)
  return [...imports]
}

/** Returns the value of `integrity` for a file (Subresource Integrity §3.1). */
export function computeIntegrity(bytes: Uint8Array): string {
  return `sha384-${createHash("sha384").update(bytes).digest("base64")}`
}
