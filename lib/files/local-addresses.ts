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
import { getSigningKeys, isSignatureValid, signText } from "../request/signing-keys.ts"
import { createMethodNotAllowed } from "../router.ts"
import { checkOption } from "./checks.ts"
import type { Addresses } from "./engine.ts"
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

/** Signed addresses of the program, and the function that answers there. */
export interface SignedAddresses extends Addresses {
  /** @throws HttpError 403 if the signature is not valid, or the address has expired. */
  answer(c: Context, files: Files): Promise<Response>
}

/**
 * Returns the text that is signed. It contains the method, so an address is valid for one method only. The first word
 * keeps it apart from signed cookies.
 */
const toSignedText = (method: "GET" | "POST", name: string, query: URLSearchParams) => `file ${method} ${name}?${query}`

type Rules = Readonly<Record<string, string | undefined>>

/** Returns the signed addresses for the files of an engine. @throws FwError `files` for options that are not valid. */
export function createAddresses(engine: string, options: LocalFilesOptions): SignedAddresses {
  const { path, secrets } = options
  checkKeys(options, ["path", "secrets"], "files", `files of ${engine}`)
  const isPath = path === undefined || /^(?:\/[\w.~-]+)+$/.test(path)
  checkOption(isPath, `files of ${engine}`, "path", path, 'Write a plain path, such as "/files".')
  const getKeys = () => getSigningKeys(secrets ?? platform.env.get(secretsVariable))

  const sign = async (method: "GET" | "POST", name: string, seconds: number, rules: Rules) => {
    if (path === undefined) throw filesFault("files.path", [method === "GET" ? "files.url()" : "files.form()", engine])
    const query = new URLSearchParams({ expires: String(Math.floor(Date.now() / 1000) + seconds) })
    for (const [key, value] of Object.entries(rules)) if (value !== undefined) query.set(key, value)
    query.set("signature", await signText(getKeys(), toSignedText(method, name, query)))
    return `${path}/${encodePath(name)}?${query}`
  }

  return {
    url(name, seconds, download) {
      const fileName = download === true ? name.split("/").at(-1) : download
      return sign("GET", name, seconds, { download: fileName === false ? "" : fileName })
    },
    form: async (name, seconds, type, { maxSize, redirect }) => ({
      url: await sign("POST", name, seconds, { maxSize: String(maxSize), type, redirect }),
      fields: {},
    }),
    async answer(c, files) {
      const method = c.method === "HEAD" ? "GET" : c.method
      if (method !== "GET" && method !== "POST") throw createMethodNotAllowed(c.path, method, "GET, HEAD, POST")
      const depth = (path ?? "").split("/").length - 1
      const name = splitSegments(c.path)?.slice(depth).join("/") ?? ""
      const query = new URLSearchParams(c.request.url.split("?")[1])
      const signature = query.get("signature") ?? ""
      query.delete("signature")
      const isCurrent = path !== undefined && Number(query.get("expires")) * 1000 > Date.now()
      if (!isCurrent || !(await isSignatureValid(getKeys(), signature, toSignedText(method, name, query))))
        throw forbidden("this address is not valid, or has expired")
      if (method === "POST") return receiveFile(c, files, name, query)
      const download = query.get("download")
      return c.file(files, name, download === null ? {} : { download: download || false })
    },
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
