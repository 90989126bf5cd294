/**
 * Signed addresses of the program, at which a file can be read or stored for some time. They are for engines without
 * addresses of their own.
 */
import { platform } from "#platform"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { badRequest, forbidden } from "../errors.ts"
import { encodePath, splitSegments } from "../path.ts"
import { secretsVariable } from "../request/secrets.ts"
import { fromBase64URL, getSigningKeys, type SigningKey, toBase64URL } from "../request/signing-keys.ts"
import { createMethodNotAllowed } from "../router.ts"
import { filesFault } from "./fault.ts"
import type { Files } from "./types.ts"

/**
 * Options of the addresses that `files.url()` and `files.form()` return for `diskFiles()`, `memoryFiles()` and
 * `r2Files()`.
 *
 * @example
 * const options: LocalFilesOptions = { path: "/files" }
 */
export interface LocalFilesOptions {
  /** The path at which `serveFiles()` answers, such as `/files`. Default: none; then `url()` and `form()` throw. */
  readonly path?: string
  /**
   * Secrets, separated by commas. The first one signs addresses, all of them are accepted. Default: the variable
   * `FW_SECRETS`. Workers must pass it: `c.env.FW_SECRETS`.
   */
  readonly secrets?: string | undefined
}

type Method = "GET" | "POST"

const encoder = new TextEncoder()

/**
 * Returns the bytes that are signed. They contain the method, so an address is valid for one method only. The first
 * word keeps them apart from signed cookies.
 */
const toSignedBytes = (method: Method, name: string, query: URLSearchParams) =>
  encoder.encode(`file ${method} ${name}?${query}`)

export class SignedAddresses {
  readonly #engine: string
  readonly #path: string | undefined
  readonly #secrets: string | undefined

  /** @throws FwError `files` for options that are not valid. */
  constructor(engine: string, { path, secrets, ...unknownOptions }: LocalFilesOptions) {
    checkKeys(unknownOptions, [], "files", `files of ${engine}`)
    if (path !== undefined && !/^(?:\/[\w.~-]+)+$/.test(path))
      throw filesFault("files.option", [`files of ${engine}`, "path", path, 'Write a plain path, such as "/files".'])
    this.#engine = engine
    this.#path = path
    this.#secrets = secrets
  }

  #getKeys() {
    return getSigningKeys(this.#secrets ?? platform.env.get(secretsVariable))
  }

  /** Returns an address at which a file can be read for some seconds. */
  createReadAddress(name: string, seconds: number, download: boolean | string | undefined): Promise<string> {
    const saveAs = download === true ? name.split("/").at(-1) : download
    return this.#sign("GET", name, seconds, saveAs === false ? { show: "yes" } : { download: saveAs })
  }

  /** Returns an address at which a file can be stored for some seconds. */
  createUploadAddress(
    name: string,
    seconds: number,
    rules: Readonly<Record<string, string | undefined>>,
  ): Promise<string> {
    return this.#sign("POST", name, seconds, rules)
  }

  async #sign(method: Method, name: string, seconds: number, rules: Readonly<Record<string, string | undefined>>) {
    if (this.#path === undefined)
      throw filesFault("files.path", [method === "GET" ? "files.url()" : "files.form()", this.#engine])
    const query = new URLSearchParams({ expires: String(Math.floor(Date.now() / 1000) + seconds) })
    for (const [key, value] of Object.entries(rules)) if (value !== undefined) query.set(key, value)
    const [key] = await this.#getKeys()
    const signature = await crypto.subtle.sign("HMAC", key as SigningKey, toSignedBytes(method, name, query))
    query.set("signature", toBase64URL(new Uint8Array(signature)))
    return `${this.#path}/${encodePath(name)}?${query}`
  }

  /**
   * Answers a request at a signed address. @throws HttpError 403 if the signature is not valid, or the address has
   * expired.
   */
  async answer(c: Context, files: Files): Promise<Response> {
    const isUpload = c.method === "POST"
    if (!isUpload && c.method !== "GET" && c.method !== "HEAD")
      throw createMethodNotAllowed(c.path, c.method, "GET, HEAD, POST")
    const depth = (this.#path ?? "").split("/").length - 1
    const name = splitSegments(c.path)?.slice(depth).join("/") ?? ""
    const query = new URLSearchParams(c.request.url.split("?")[1])
    if (!(await this.#isValid(isUpload ? "POST" : "GET", name, query)))
      throw forbidden("this address is not valid, or has expired")
    if (isUpload) return receiveFile(c, files, name, query)
    const download = query.has("show") ? false : query.get("download")
    return c.file(files, name, download === null ? {} : { download })
  }

  async #isValid(method: Method, name: string, query: URLSearchParams): Promise<boolean> {
    const signature = query.get("signature") ?? ""
    query.delete("signature")
    // A signature has 32 bytes. In Base64, two bits of the last character are unused and must be 0, so that a signature
    // has one spelling.
    if (this.#path === undefined || !/^[\w-]{42}[AEIMQUYcgkosw048]$/.test(signature)) return false
    if (!(Number(query.get("expires")) * 1000 > Date.now())) return false
    const signedBytes = toSignedBytes(method, name, query)
    for (const key of await this.#getKeys())
      if (await crypto.subtle.verify("HMAC", key, fromBase64URL(signature), signedBytes)) return true
    return false
  }
}

/** The key of the signer in files that `fw/files` has made. */
export const addressesKey: unique symbol = Symbol("fw.addresses")

/**
 * Returns a handler for the addresses that `files.url()` and `files.form()` return, which begin with the option `path`.
 * For files in S3 it answers 403, because their addresses are those of the bucket.
 *
 * @throws FwError `files` for a value that is not made by `fw/files`.
 * @example
 * const files = memoryFiles({ path: "/files", secrets: "WgDqMSuNrJ2Ui0b2jD4kPc9lY6eXvR8t" })
 * await files.put("greeting.txt", "hello")
 * app.all("/files/*", serveFiles(files))
 * const answer = await app.request(await files.url("greeting.txt"))
 * await answer.text() // → "hello"
 */
export function serveFiles(files: Files): (c: Context) => Promise<Response> {
  const addresses = (Object(files) as { [addressesKey]?: SignedAddresses })[addressesKey]
  if (!addresses) throw filesFault("files.serve", [files])
  return (c) => addresses.answer(c, files)
}

/** Stores the field `file` of a form. @throws HttpError 400 if there is none, 413 if it is too large. */
async function receiveFile(c: Context, files: Files, name: string, query: URLSearchParams): Promise<Response> {
  const redirect = query.get("redirect")
  for await (const part of c.parts({ maxFile: Number(query.get("maxSize")) })) {
    if (part.name !== "file" || part.filename === undefined) continue
    await files.put(name, part.body, { type: query.get("type") as string })
    return redirect ? c.redirect(303, redirect) : c.noContent()
  }
  throw badRequest('the form has no file in a field "file"')
}
