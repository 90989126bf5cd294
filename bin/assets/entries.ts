/** The entries of a project for the browser: files below `assets/`, and custom elements below the route directory. */
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { encodePath } from "../../lib/path.ts"
import { type ModuleText, readModule } from "../../lib/scan/exports.ts"
import { assetFault } from "../messages/assets.ts"
import { findFiles } from "../project/find-files.ts"
import type { Project } from "../project/project.ts"
import { readSettings } from "../project/settings.ts"
import { readServedDirectories, readStaticDir } from "../project/static-dir.ts"

/** A file that is bundled for the browser, or copied if it is a media file. */
export interface BrowserEntry {
  /** Relative to the project. */
  readonly file: string
  /**
   * How the entry is named elsewhere: the path in templates, such as `/assets/cart.ts`, or the tag of an element,
   * such as `cart-element`.
   */
  readonly name: string
  readonly kind: "script" | "stylesheet" | "media" | "element"
  /** Path of the bundled file without hash and ending, relative to the directory of bundled files: `cart`. */
  readonly output: string
}

/** The entries of a project, and the errors of files that cannot be entries. */
export interface BrowserEntries {
  /** The directory of scripts, stylesheets and media files, relative to the project: `assets`. */
  readonly directory: string
  readonly entries: readonly BrowserEntry[]
  /** The errors of files that do not define a custom element correctly. These files are not among the entries. */
  readonly faults: readonly FwError[]
}

/** Endings of media files. Pages load them unchanged, with a hash in the name. */
export const mediaEndings = [
  ..."apng avif bmp cur gif ico jpeg jpg png svg webp".split(" "),
  ..."aac flac m4a mp3 mp4 oga ogg ogv opus wav weba webm".split(" "),
  ..."eot otf ttf woff woff2".split(" "),
  ..."pdf vtt wasm webmanifest".split(" "),
]

const scriptPattern = /\.(?:tsx?|jsx?|mjs)$/
const mediaPattern = new RegExp(`\\.(?:${mediaEndings.join("|")})$`)
const elementPattern = /\.element\.[jt]sx?$/
const elementName = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/

/** Returns true for the name of a file that defines a custom element. */
export function isElementFile(name: string): boolean {
  return elementPattern.test(name)
}

/** Returns the entries of a project, sorted by file. */
export async function findBrowserEntries({ root, appDir }: Project): Promise<BrowserEntries> {
  const directory = readSettings(root).assets
  // If the program serves the directory as it is, nothing in it is bundled.
  const isServed = [readStaticDir(root), ...readServedDirectories(root)].includes(directory)
  const directoryEntries = isServed
    ? []
    : await readdir(join(root, directory), { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = directoryEntries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(join(root, directory).length + 1)
        .split(/[\\/]/),
    )
    .filter((names) => names.every((name) => !/^[._]/.test(name) && name !== "node_modules"))
  const files = paths.flatMap((names): Omit<BrowserEntry, "output">[] => {
    const kind = findKind(names.at(-1) as string)
    const file = `${directory}/${names.join("/")}`
    return kind ? [{ file, kind, name: `/assets/${encodePath(names.join("/"))}` }] : []
  })
  const { elements, faults } = await findElements(root, appDir)
  const entries = [...files, ...elements].sort((a, b) => compareByCodeUnit(a.file, b.file))
  return { directory, entries: chooseOutputs(directory, entries), faults }
}

function findKind(name: string): "script" | "stylesheet" | "media" | undefined {
  if (/\.d\.ts$|\.test\.[^.]+$/.test(name)) return undefined
  if (scriptPattern.test(name)) return "script"
  if (name.endsWith(".css")) return "stylesheet"
  return mediaPattern.test(name) ? "media" : undefined
}

/**
 * Chooses the names of the bundled files. Files that would get the same name, such as `a.ts` and `a.css`, keep
 * their ending in it.
 */
function chooseOutputs(directory: string, entries: readonly Omit<BrowserEntry, "output">[]): BrowserEntry[] {
  const toStem = ({ kind, file, name }: Omit<BrowserEntry, "output">) =>
    kind === "element" ? `elements/${name}` : file.slice(directory.length + 1).replace(/\.[^.]+$/, "")
  const counts = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind !== "media") counts.set(toStem(entry), (counts.get(toStem(entry)) ?? 0) + 1)
  }
  return entries.map((entry) => {
    const isShared = entry.kind !== "element" && (counts.get(toStem(entry)) ?? 0) > 1
    return { ...entry, output: isShared ? entry.file.slice(directory.length + 1) : toStem(entry) }
  })
}

async function findElements(root: string, appDir: string) {
  const files = (await findFiles(join(root, appDir), isElementFile)).map((file) => `${appDir}/${file}`)
  const faults: FwError[] = []
  const byTag = new Map<string, string>()
  for (const file of files) {
    const stem = basename(file).replace(elementPattern, "")
    const tag = `${stem}-element`
    const other = byTag.get(tag)
    const at = { at: { file } }
    if (!elementName.test(stem)) faults.push(assetFault("element.name", [basename(file)], at))
    else if (other !== undefined) faults.push(assetFault("element.twice", [tag, other, file], at))
    else {
      const fault = checkElement(file, toElementClass(tag), await readFile(join(root, file), "utf8"))
      if (fault) faults.push(fault)
      byTag.set(tag, file)
    }
  }
  const elements = [...byTag].map(([tag, file]) => ({ file, name: tag, kind: "element" as const }))
  return { elements, faults }
}

/** Returns the name of a custom element's class: `CartElement` for `cart-element`. */
export function toElementClass(tag: string): string {
  return tag.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Returns the error of a file that does not define its custom element correctly. Mistakes that the bundler reports
 * are not checked here.
 */
function checkElement(file: string, name: string, source: string): FwError | undefined {
  let module: ModuleText
  try {
    module = readModule(source, { file, allowsJSX: /x$/.test(file) })
  } catch {
    return undefined
  }
  if (!module.exports.some((one) => one.name === name)) {
    const others = module.exports.map((one) => one.name).filter((one) => one.endsWith("Element"))
    return assetFault("element.class", [name, others[0]], { at: { file } })
  }
  const { tokens } = module
  const at = tokens.findIndex(({ text }, i) => text === "class" && tokens[i + 1]?.text === name)
  // An imported or computed base class is not known here, so only a class without a base class is an error.
  if (at < 0 || tokens[at + 2]?.text !== "{") return undefined
  return assetFault("element.base", [name], { at: { file } })
}
