/**
 * The tags of literal markup that load files of the project, such as `<script type="module" src="/assets/cart.ts">`: with the URLs of
 * the files, and what a browser needs to check them and to load at the same time.
 */
import { type Asset, type AssetFile, getAssets } from "../assets.ts"
import { escapeHtml } from "./escape.ts"

/** The attributes of which the values are looked up, by element. */
const namesByElement: Readonly<Record<string, string>> = {
  audio: "src",
  image: "href xlink:href",
  img: "src srcset",
  input: "src",
  link: "href imagesrcset",
  script: "src",
  source: "src srcset",
  track: "src",
  use: "href xlink:href",
  video: "src poster",
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>=]+))?/
const attributePattern = new RegExp(attribute, "g")
/** A tag with its attributes, up to one that has a value of the program. The last group is its end, if no value comes before it. */
const tagPattern = new RegExp(
  `<(${Object.keys(namesByElement).join("|")})((?:\\s+${attribute.source})+)(\\s*/?>)?`,
  "gi",
)
/** A path of this site that names a file, and the part of the file that is meant. Paths with a query name something else. */
const filePattern = /^(\/(?!\/)[^?#\s]*\.\w+)(#\S*)?$/

type FindAsset = (path: string) => Asset | undefined

/** Returns markup with the URLs of the files that a function finds. */
function replaceFiles(text: string, find: FindAsset): string {
  return text.replace(tagPattern, (tag, element: string, attributes: string, ...groups: unknown[]) => {
    const end = groups[2] as string | undefined
    const names = namesByElement[element.toLowerCase()]?.split(" ")
    let file: Asset | undefined
    let quote = '"'
    const changed = attributes.replace(attributePattern, (all, name: string, value = "") => {
      if (!names?.includes(name.toLowerCase()) || value === "") return all
      quote = value.startsWith("'") ? "'" : '"'
      const given = value.replace(/^["']|["']$/g, "")
      const isList = name.toLowerCase().endsWith("srcset")
      const url = isList ? replaceList(given, find) : replacePath(given, find, (found) => (file = found))
      return url === given ? all : all.replace(value, () => quote + url + quote)
    })
    if (!file) return changed === attributes ? tag : `<${element}${changed}${end ?? ""}`
    const isScript = /^script$/i.test(element)
    const isChecked = /\sintegrity[\s=]/i.test(attributes)
    const integrity = isScript || /^link$/i.test(element) ? formatIntegrity(file, quote) : ""
    // The nonce of a page's policy is a value, so the links before such a script could not have it.
    const isPreloaded = end !== undefined && isModule(attributes) && !/\snonce[\s=]/i.test(attributes)
    const links = isScript ? formatLinks(file, { isPreloaded, quote }).join("") : ""
    return `${links}<${element}${changed}${isChecked ? "" : integrity}${end ?? ""}`
  })
}

function isModule(attributes: string): boolean {
  return /\stype\s*=\s*["']?module\b/i.test(attributes)
}

function replacePath(given: string, find: FindAsset, keep: (found: Asset) => unknown = () => {}): string {
  const [, path = "", fragment = ""] = filePattern.exec(given) ?? []
  const found = path === "" ? undefined : find(path.replaceAll("&amp;", "&"))
  if (!found) return given
  keep(found)
  return escapeHtml(found.url) + fragment
}

/** Replaces the URLs in a list of images, each of which may have a size after it. */
function replaceList(given: string, find: FindAsset): string {
  return given.replace(/(^|,)(\s*)([^\s,]+)/g, (_, comma, blanks, url) => comma + blanks + replacePath(url, find))
}

/** How attributes are written. */
interface FormatOptions {
  readonly quote?: string
  /** The nonce of the page's policy; `""` for none. */
  readonly nonce?: string
}

/** Returns the attributes of a tag that loads a file. @param name the one with its URL. */
export function formatFile(name: string, file: AssetFile, { quote = '"', nonce = "" }: FormatOptions): string {
  const own = ` ${name}=${quote}${escapeHtml(file.url)}${quote}${formatIntegrity(file, quote)}`
  return nonce === "" ? own : `${own} nonce=${quote}${escapeHtml(nonce)}${quote}`
}

function formatIntegrity({ integrity }: AssetFile, quote: string): string {
  return integrity === undefined ? "" : ` integrity=${quote}${integrity}${quote}`
}

/** Returns the links to what a script needs: stylesheets, and modules if they are loaded early. */
export function formatLinks(
  { imports = [], styles = [] }: Asset,
  { isPreloaded, ...options }: FormatOptions & { readonly isPreloaded: boolean },
): string[] {
  const { quote = '"' } = options
  const format = (rel: string) => (file: AssetFile) =>
    `<link rel=${quote}${rel}${quote}${formatFile("href", file, options)}>`
  return [...styles.map(format("stylesheet")), ...(isPreloaded ? imports.map(format("modulepreload")) : [])]
}

/** Markup with URLs, by the literal texts of the program. */
const textCache = new Map<string, string>()
let cachedFiles: Readonly<Record<string, Asset>> | undefined

/** Returns literal markup of a compiled template, or of an `html` literal, with the URLs of the project's files. */
export function $fwAssets(text: string): string {
  const files = getAssets()?.files
  if (!files) return text
  if (files !== cachedFiles) textCache.clear()
  cachedFiles = files
  let made = textCache.get(text)
  if (made === undefined) {
    made = replaceFiles(text, (path) => (Object.hasOwn(files, path) ? files[path] : undefined))
    textCache.set(text, made)
  }
  return made
}

/** Returns true for literal markup that may load files of the project. */
export function mayLoadAssets(text: string): boolean {
  let isFound = false
  replaceFiles(text, () => {
    isFound = true
    return undefined
  })
  return isFound
}
