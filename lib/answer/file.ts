/** Answers `c.file()` with a file of a directory or of `fw/files`. Handles conditional requests and ranges. */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault, misuse } from "../errors/fault.ts"
import { type HttpErrorOptions, notFound } from "../errors.ts"
import type { Files } from "../files/types.ts"
import { allowUnawaited } from "../request/allow-unawaited.ts"
import { checkHeaderValue } from "../request/headers.ts"
import type { StaticHandler } from "../static/serve-static.ts"
import { checkFields } from "../text.ts"
import { chooseDisposition, fileHandlerKey, isDownload, isMediaType } from "./file-headers.ts"

/**
 * How `c.file()` sends a file.
 *
 * @example
 * const options: FileOptions = { download: "Invoice 7.pdf" }
 * app.get("/invoices/{id}", (c) => c.file("data/invoices", `${c.param("id")}.pdf`, options))
 */
export interface FileOptions<Type extends string = string> {
  /**
   * The `Content-Type`. Default: by the ending of the name; `application/octet-stream` for an ending that is not known.
   */
  readonly type?: Type
  /**
   * True to make browsers save the file under its own name, a text to make them save it under that name, and false to
   * let them show it. Default: true for HTML, SVG and other XML, because they can contain scripts and anyone may have
   * written them; false for all other files.
   */
  readonly download?: boolean | string
}

/**
 * Answers with a file. The program chooses the directory, but the name may come from the client. So a client can make
 * the promise reject, and a program that forgets to await it must not crash.
 */
export function answerFile(
  c: Context,
  directory: string | Files,
  name: string,
  options: FileOptions = {},
): Promise<Response> {
  return allowUnawaited(respondWithFile(c, directory, name, options))
}

async function respondWithFile(
  c: Context,
  directory: string | Files,
  name: string,
  options: FileOptions,
): Promise<Response> {
  checkArguments(directory, name, options)
  const handler = typeof directory === "string" ? platform.files?.(directory, false) : getHandler(directory)
  if (!handler) throw fault("platform.files", [String(directory)])
  const exchange = access.getExchange(c)
  const isRead = c.method === "GET" || c.method === "HEAD"
  const answer = await handler(name.split("/"), {
    method: isRead ? c.method : "GET",
    path: "",
    search: "",
    isFile: true,
    // A compressed file next to this one may belong to another person. Only GET and HEAD have conditions and ranges
    // (RFC 9110 §13, §14).
    header: (field) => (isRead && field !== "accept-encoding" ? exchange.header(field) : ""),
    getOwnHeader: (field) => access.getPendingHeader(c, field),
  })
  if (!answer) throw notFound("no such file", explainMissingFile(directory))
  const { vary: _, ...headers } = answer.headers
  // Only the default becomes private. A file of fw/files may have been stored with a `Cache-Control` of its own.
  if (headers["cache-control"] === "no-cache") headers["cache-control"] = "private, no-cache"
  if (headers["content-type"] !== undefined) setFileHeaders(headers, name, options)
  return access.respond(c, answer.status, headers, answer.body)
}

/**
 * Explains why a file is not found, if the program is the reason. The client does not see the explanation; the log
 * shows it at level `debug`.
 */
function explainMissingFile(directory: string | Files): HttpErrorOptions | undefined {
  if (typeof directory !== "string" || platform.files?.(directory)) return undefined
  const message = `there is no directory ${JSON.stringify(directory)}. c.file() looks for it in the working directory`
  return { cause: new Error(message) }
}

/** Returns the function that answers requests for the files of a `Files` object; undefined for anything else. */
function getHandler(files: unknown): StaticHandler | undefined {
  return (Object(files) as { [fileHandlerKey]?: StaticHandler })[fileHandlerKey]
}

/** @throws TypeError */
function checkArguments(directory: unknown, name: unknown, options: FileOptions): void {
  const isDirectory = typeof directory === "string" && directory !== "" && !directory.includes("\0")
  if (!isDirectory && !getHandler(directory)) throw misuse("file", "directory", directory)
  if (typeof name !== "string") throw misuse("file", "name", name)
  // A misspelled `download` would let a browser show a file that it should save.
  checkFields(options, ["type", "download"], "c.file() takes as its options")
  const { type, download } = options
  if (type !== undefined && !isMediaType(type)) throw misuse("file.type", type)
  if (!isDownload(download)) throw misuse("file.download", download)
}

function setFileHeaders(headers: Record<string, string>, name: string, { type, download }: FileOptions): void {
  if (type !== undefined) headers["content-type"] = checkHeaderValue("content-type", type)
  const disposition = chooseDisposition(name, headers["content-type"] as string, download)
  if (disposition !== undefined) headers["content-disposition"] = disposition
}
