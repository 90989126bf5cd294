/** The headers that tell a browser the type of a file, and whether to show or to save it. */

/** The key under which a `Files` object has the function that answers requests for its files. */
export const fileHandlerKey: unique symbol = Symbol.for("fw.fileHandler") as never

/** Media types that may contain scripts. A browser runs the scripts if it shows such a file as a page. */
const scriptableType = /html|xml|xsl/i

/** Returns true for text that begins like a media type: with a type, a slash and a subtype. */
export function isMediaType(type: unknown): type is string {
  return typeof type === "string" && /^[^\s/]+\/[^\s/]/.test(type)
}

/** Returns true for a valid value of the option `download`. */
export function isDownload(download: unknown): boolean {
  return ["undefined", "boolean", "string"].includes(typeof download) && download !== ""
}

/**
 * Returns the `Content-Disposition` of a file; undefined if the browser may show it. By default, files that may contain
 * scripts are saved, because anyone may have written them.
 */
export function chooseDisposition(
  name: string,
  type: string,
  download: boolean | string = scriptableType.test(type),
): string | undefined {
  if (download === false) return undefined
  return toDisposition(download === true ? (name.split("/").at(-1) as string) : download)
}

/**
 * Returns a `Content-Disposition` with the name under which a browser saves the file (RFC 6266 §4.3). Names that are
 * not ASCII are also sent in UTF-8 (RFC 8187 §3.2).
 */
function toDisposition(name: string): string {
  // Some browsers cut off a path, and control characters are not valid in file names.
  const cleanName = name
    .replace(/[/\\]/g, "_")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
    .replace(/[\x00-\x1f\x7f-\x9f]/g, "")
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
  const asciiName = cleanName.replace(/[^\x20-\x7e]|["%]/g, "_")
  if (asciiName === cleanName) return `attachment; filename="${cleanName}"`
  const encodedName = encodeURIComponent(cleanName).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`
}
