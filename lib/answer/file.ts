/** The answer of `c.file()`: a file of a directory on disk, with conditions and ranges. */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault, misuse } from "../errors/fault.ts"
import { type HttpErrorOptions, notFound } from "../errors.ts"
import { allowUnawaited } from "../request/allow-unawaited.ts"
import { checkHeaderValue } from "../request/headers.ts"
import { checkFields } from "../text.ts"

/**
 * The way in which a file is sent.
 *
 * @example
 * const options: FileOptions = { download: "Invoice 7.pdf" }
 * app.get("/invoices/{id}", (c) => c.file("data/invoices", `${c.param("id")}.pdf`, options))
 */
export interface FileOptions<Type extends string = string> {
  /**
   * The `Content-Type`. Default: what the ending of the name says, and `application/octet-stream` for one that is not known.
   */
  readonly type?: Type
  /**
   * True to let browsers save the file under its own name, or the name under which they save it. False to show it. Default: false,
   * and true for HTML, SVG and other XML, which could run scripts of anyone who wrote the file.
   */
  readonly download?: boolean | string
}

/**
 * Answers with a file. The program chooses the directory, but the name may come from the client, so the client can make
 * the promise reject.
 */
export function answerFile(c: Context, directory: string, name: string, options: FileOptions = {}): Promise<Response> {
  return allowUnawaited(respondWithFile(c, directory, name, options))
}

async function respondWithFile(c: Context, directory: string, name: string, options: FileOptions): Promise<Response> {
  checkArguments(directory, name, options)
  const handler = platform.files?.(directory, false)
  if (!handler) throw fault("platform.files", [directory])
  const exchange = access.getExchange(c)
  const isRead = c.method === "GET" || c.method === "HEAD"
  const found = await handler(name.split("/"), {
    method: isRead ? c.method : "GET",
    path: "",
    search: "",
    isFile: true,
    // A compressed file next to this one may be another person's. Only reads have conditions and ranges (RFC 9110 §13, §14).
    header: (field) => (isRead && field !== "accept-encoding" ? exchange.header(field) : ""),
    given: (field) => access.getPendingHeader(c, field),
  })
  if (!found) throw notFound("no such file", explainMissingFile(directory))
  const { vary: _, ...headers } = found.headers
  headers["cache-control"] = "private, no-cache"
  if (headers["content-type"] !== undefined) setFileHeaders(headers, name, options)
  return access.respond(c, found.status, headers, found.body)
}

/**
 * Explains why a file is not found, if the reason is in the program. The client does not get this cause; the log shows
 * it at level debug.
 */
function explainMissingFile(directory: string): HttpErrorOptions | undefined {
  if (platform.files?.(directory)) return undefined
  const message = `there is no directory ${JSON.stringify(directory)}. c.file() looks for it in the working directory`
  return { cause: new Error(message) }
}

/** @throws TypeError */
function checkArguments(directory: unknown, name: unknown, options: FileOptions): void {
  if (typeof directory !== "string" || directory === "" || directory.includes("\0"))
    throw misuse("file", "directory", directory)
  if (typeof name !== "string") throw misuse("file", "name", name)
  // With a misspelled option, a browser would show what it should save.
  checkFields(options, ["type", "download"], "c.file() takes as its options")
  const { type, download } = options
  if (type !== undefined && !(typeof type === "string" && /^[^\s/]+\/[^\s/]/.test(type)))
    throw misuse("file.type", type)
  if (!["undefined", "boolean", "string"].includes(typeof download) || download === "")
    throw misuse("file.download", download)
}

/** Types of which a browser runs scripts when it shows them as a page. */
const scriptableType = /html|xml|xsl/i

function setFileHeaders(headers: Record<string, string>, name: string, { type, download }: FileOptions): void {
  if (type !== undefined) headers["content-type"] = checkHeaderValue("content-type", type)
  const downloadName = download ?? scriptableType.test(headers["content-type"] as string)
  if (downloadName === false) return
  headers["content-disposition"] = toDisposition(
    downloadName === true ? (name.split("/").at(-1) as string) : downloadName,
  )
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
