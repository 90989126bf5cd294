/** How a browser gets a file: its type, and whether it shows or saves it. */

/** The property of an object with files that answers requests as those of a directory are answered. */
export const answersFiles: unique symbol = Symbol.for("fw.answersFiles") as never

/** Types of which a browser runs scripts when it shows them as a page. */
const scriptableType = /html|xml|xsl/i

/** Returns true for a media type. */
export function isMediaType(type: unknown): type is string {
  return typeof type === "string" && /^[^\s/]+\/[^\s/]/.test(type)
}

/** Returns true for what the option `download` may be. */
export function isDownload(download: unknown): boolean {
  return ["undefined", "boolean", "string"].includes(typeof download) && download !== ""
}

/** Returns the `Content-Disposition` of a file; undefined if the browser shows it. Anyone may have written one that runs scripts. */
export function chooseDisposition(
  name: string,
  type: string,
  download: boolean | string = scriptableType.test(type),
): string | undefined {
  if (download === false) return undefined
  return toDisposition(download === true ? (name.split("/").at(-1) as string) : download)
}

/** Returns the header that names a file to save (RFC 6266 §4.3), in UTF-8 where ASCII is not enough (RFC 8187 §3.2). */
function toDisposition(name: string): string {
  // A path would be cut off by some browsers, and no file name has control characters.
  const plain = name
    .replace(/[/\\]/g, "_")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
    .replace(/[\x00-\x1f\x7f-\x9f]/g, "")
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
  const ascii = plain.replace(/[^\x20-\x7e]|["%]/g, "_")
  if (ascii === plain) return `attachment; filename="${plain}"`
  const encoded = encodeURIComponent(plain).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
