/**
 * Rewrites tags that load files of the project, such as `<script type="module" src="/assets/cart.ts">`: puts in the
 * URLs that the files have in this build, checksums, and links to what a browser can load at the same time.
 */
import { type Asset, type AssetFile, getAssets } from "../assets.ts"
import { escapeHtml } from "./escape.ts"

/** The attributes that may hold the URL of a file, by element. */
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
/**
 * A tag with its attributes, up to the first attribute whose value the program prints. The last group is the end of the
 * tag; it is missing if there is such a value.
 */
const tagPattern = new RegExp(
  `<(${Object.keys(namesByElement).join("|")})((?:\\s+${attribute.source})+)(\\s*/?>)?`,
  "gi",
)
/** A path of this site that names a file, with an optional fragment. A path with a query is not a file. */
const filePattern = /^(\/(?!\/)[^?#\s]*\.\w+)(#\S*)?$/

type FindAsset = (path: string) => Asset | undefined

/** Returns markup in which the paths of files are replaced by their URLs. @param find finds a file by its path. */
function replaceFiles(text: string, find: FindAsset): string {
  return text.replace(tagPattern, (tag, element: string, attributes: string, ...groups: unknown[]) => {
    const end = groups[2] as string | undefined
    const names = namesByElement[element.toLowerCase()]?.split(" ")
    let file: Asset | undefined
    let quote = '"'
    const newAttributes = attributes.replace(attributePattern, (all, name: string, value = "") => {
      if (!names?.includes(name.toLowerCase()) || value === "") return all
      quote = value.startsWith("'") ? "'" : '"'
      const unquoted = value.replace(/^["']|["']$/g, "")
      const isList = name.toLowerCase().endsWith("srcset")
      const url = isList ? replaceList(unquoted, find) : replacePath(unquoted, find, (found) => (file = found))
      return url === unquoted ? all : all.replace(value, () => quote + url + quote)
    })
    if (!file) return newAttributes === attributes ? tag : `<${element}${newAttributes}${end ?? ""}`
    const isScript = /^script$/i.test(element)
    const hasIntegrity = /\sintegrity[\s=]/i.test(attributes)
    const integrity = isScript || /^link$/i.test(element) ? formatIntegrity(file, quote) : ""
    // A script with a nonce needs the nonce on its preload links too. The nonce is printed later, so such links are
    // left out.
    const isPreloaded = end !== undefined && isModule(attributes) && !/\snonce[\s=]/i.test(attributes)
    const links = isScript ? formatLinks(file, { isPreloaded, quote }).join("") : ""
    return `${links}<${element}${newAttributes}${hasIntegrity ? "" : integrity}${end ?? ""}`
  })
}

function isModule(attributes: string): boolean {
  return /\stype\s*=\s*["']?module\b/i.test(attributes)
}

function replacePath(url: string, find: FindAsset, onFound: (found: Asset) => unknown = () => {}): string {
  const [, path = "", fragment = ""] = filePattern.exec(url) ?? []
  const asset = path === "" ? undefined : find(path.replaceAll("&amp;", "&"))
  if (!asset) return url
  onFound(asset)
  return escapeHtml(asset.url) + fragment
}

/** Replaces the URLs in the value of `srcset`. A size may follow each URL. */
function replaceList(urls: string, find: FindAsset): string {
  return urls.replace(/(^|,)(\s*)([^\s,]+)/g, (_, comma, blanks, url) => comma + blanks + replacePath(url, find))
}

/** How the attributes of a tag are written. */
interface FormatOptions {
  readonly quote?: string
  /** The nonce of the page's Content-Security-Policy; `""` for none. */
  readonly nonce?: string
}

/** Returns the attributes of a tag that loads a file. @param name the attribute that holds the URL. */
export function formatFile(name: string, file: AssetFile, { quote = '"', nonce = "" }: FormatOptions): string {
  const attributes = ` ${name}=${quote}${escapeHtml(file.url)}${quote}${formatIntegrity(file, quote)}`
  return nonce === "" ? attributes : `${attributes} nonce=${quote}${escapeHtml(nonce)}${quote}`
}

function formatIntegrity({ integrity }: AssetFile, quote: string): string {
  return integrity === undefined ? "" : ` integrity=${quote}${integrity}${quote}`
}

/** Returns the `<link>` tags for a script: its stylesheets, and preloads of its modules if `isPreloaded`. */
export function formatLinks(
  { imports = [], styles = [] }: Asset,
  { isPreloaded, ...options }: FormatOptions & { readonly isPreloaded: boolean },
): string[] {
  const { quote = '"' } = options
  const format = (rel: string) => (file: AssetFile) =>
    `<link rel=${quote}${rel}${quote}${formatFile("href", file, options)}>`
  return [...styles.map(format("stylesheet")), ...(isPreloaded ? imports.map(format("modulepreload")) : [])]
}

/** Markup with the URLs of files, by the literal text that it was made from. */
const textCache = new Map<string, string>()
let cachedFiles: Readonly<Record<string, Asset>> | undefined

/** Returns the literal text of a template, or of `html`, with the URLs of the project's files. */
export function $fwAssets(text: string): string {
  const files = getAssets()?.files
  if (!files) return text
  if (files !== cachedFiles) textCache.clear()
  cachedFiles = files
  let result = textCache.get(text)
  if (result === undefined) {
    result = replaceFiles(text, (path) => (Object.hasOwn(files, path) ? files[path] : undefined))
    textCache.set(text, result)
  }
  return result
}

/** Returns true if literal markup may load files of the project. */
export function mayLoadAssets(text: string): boolean {
  let isFound = false
  replaceFiles(text, () => {
    isFound = true
    return undefined
  })
  return isFound
}
