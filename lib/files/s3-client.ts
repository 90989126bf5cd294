/** Sends signed requests to S3. Repeats a request if the server was busy, and keeps keys out of error messages. */
import { platform } from "#platform"
import { checkKeys } from "../checks.ts"
import { FwError } from "../errors.ts"
import { checkOption } from "./checks.ts"
import { filesFault } from "./fault.ts"

/**
 * The keys for S3. The fields have the names that AWS uses.
 *
 * @example
 * const credentials: S3Credentials = { accessKeyId: process.env.KEY_ID ?? "", secretAccessKey: process.env.KEY ?? "" }
 */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The token of temporary credentials, such as those of a role. */
  readonly sessionToken?: string | undefined
}

/**
 * The options of `s3Files()`.
 *
 * @example
 * const options: S3FilesOptions = { bucket: "photos", region: "eu-central-1" }
 */
export interface S3FilesOptions {
  readonly bucket: string
  /** Default: the variable `AWS_REGION`, otherwise `us-east-1`. For R2 it is `auto`. */
  readonly region?: string
  /**
   * The URL of another service than AWS, such as `https://<account>.r2.cloudflarestorage.com`. The bucket becomes the
   * first segment of the path, unless the host already begins with its name. Default: the URL of AWS in the region.
   */
  readonly endpoint?: string
  /**
   * The keys. A function that returns them is called for each request, for keys that expire. Default: the variables
   * `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
   */
  readonly credentials?: S3Credentials | (() => S3Credentials | Promise<S3Credentials>)
  /** Maximum number of seconds until an answer begins, for one file or one part of 8 MiB. Default: 60. */
  readonly timeout?: number
}

/** A request to S3. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  /** The name of a file; missing for a request about the bucket. */
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** How often a request is sent if the connection is lost or the server is busy. */
const maxAttempts = 3
/** Milliseconds to wait before the second attempt. Before the third, the time is doubled. */
const retryPauseMs = 100

export class S3Client {
  readonly bucket: string
  readonly region: string
  /** The URL of the bucket, without a slash at the end. */
  readonly url: string
  readonly #credentials: S3FilesOptions["credentials"]
  readonly #timeoutMs: number

  /** @throws FwError `files` for options that are not valid. */
  constructor(options: S3FilesOptions) {
    const optionNames = ["bucket", "region", "endpoint", "credentials", "timeout"]
    checkKeys(options, optionNames, "files", "s3Files()", { region: "string", endpoint: "string" })
    const { bucket, region = platform.env.get("AWS_REGION") || "us-east-1", credentials, timeout = 60 } = options
    const isName = typeof bucket === "string" && /^[\w.-]{1,255}$/.test(bucket)
    checkOption(isName, "s3Files()", "bucket", bucket, "Write the name of the bucket.")
    checkOption(timeout > 0 && timeout <= 3600, "s3Files()", "timeout", timeout, "Write seconds, at most 3600.")
    this.bucket = bucket
    this.region = region
    this.url = readEndpoint(options.endpoint ?? `https://s3.${region}.amazonaws.com`, bucket)
    this.#credentials = credentials
    this.#timeoutMs = timeout * 1000
  }

  /** Returns a signer for a request. @throws FwError `files` without credentials. */
  async createSigner({ method, name, query = {}, headers }: S3Request, signQuery = false) {
    const url = new URL(name === undefined ? this.url : `${this.url}/${encodeName(name)}`)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const { AwsV4Signer } = await import("#vendor/aws4fetch")
    const { sessionToken = "", ...keys } = await this.#readCredentials()
    const options = { method, url: url.href, service: "s3", region: this.region, signQuery, headers: headers ?? {} }
    return new AwsV4Signer({ ...keys, sessionToken, ...options })
  }

  /**
   * Sends a request, and returns the response with its text. For GET of a file the text is empty, so that the body can
   * be read as it arrives. Returns null if the file does not exist.
   *
   * @throws Error if S3 refuses the request, or the connection is lost. The message contains no key.
   */
  async send(request: S3Request): Promise<{ readonly response: Response; readonly text: string } | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(request)
      } catch (error) {
        if (attempt === maxAttempts || error instanceof FwError || (error as S3Error).isPermanent) throw error
        await new Promise((resolve) => setTimeout(resolve, retryPauseMs * attempt))
      }
    }
  }

  async #sendOnce(request: S3Request) {
    const { method, name, body } = request
    const { url, headers } = await (await this.createSigner(request)).sign()
    // A compressed answer would not have the length of the file. Proxies change this header, so it is not part of the
    // signature.
    headers.set("accept-encoding", "identity")
    const controller = new AbortController()
    const fail = () => controller.abort(new Error(`S3 did not answer in ${this.#timeoutMs / 1000} s`))
    const timer = setTimeout(fail, this.#timeoutMs)
    try {
      const { signal } = controller
      const init = { method, headers, signal, redirect: "manual", body: body ?? null } as RequestInit
      const response = await fetch(encodeSpaces(url), init)
      if (response.ok && method === "GET" && name !== undefined && !request.query) return { response, text: "" }
      const text = await response.text()
      if (response.ok && !text.includes("<Error>")) return { response, text }
      if (response.status === 404 && !/<Code>(?!NoSuchKey<)/.test(text)) return null
      throw createError(response.status, text)
    } finally {
      clearTimeout(timer)
    }
  }

  async #readCredentials(): Promise<S3Credentials> {
    const { env } = platform
    const credentials = this.#credentials
    const keys = (typeof credentials === "function" ? await credentials() : credentials) ?? {
      accessKeyId: env.get("AWS_ACCESS_KEY_ID"),
      secretAccessKey: env.get("AWS_SECRET_ACCESS_KEY"),
      sessionToken: env.get("AWS_SESSION_TOKEN"),
    }
    if (!keys.accessKeyId || !keys.secretAccessKey) throw filesFault("files.credentials")
    return keys as S3Credentials
  }
}

/** Encodes every character that a service could decode in another way, such as a plus sign. */
export function encodeName(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/")
}

/** Returns a URL as text with `%20` for spaces. URLSearchParams writes plus signs, which mean spaces only in forms. */
export function encodeSpaces(url: URL): string {
  return url.href.replaceAll("+", "%20")
}

/** Returns the URL of the bucket. @throws FwError `files` for a value that is not a plain HTTP URL. */
function readEndpoint(endpoint: string, bucket: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  // The URL may contain a password, so the message does not show it.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw filesFault("files.endpoint")
  const base = url.href.replace(/(?<!\/)\/+$/, "")
  return url.host.startsWith(`${bucket}.`) ? base : `${base}/${bucket}`
}

/** An error that S3 has answered. */
interface S3Error extends Error {
  /** The error code of S3, such as `NoSuchUpload`. */
  readonly code: string | undefined
  /** False if the same request may succeed later. */
  readonly isPermanent: boolean
}

/** Returns the error for an answer of S3. The message of S3 is left out, because it repeats keys and signatures. */
function createError(status: number, text: string): S3Error {
  const [code, id] = ["Code", "RequestId"].map((tag) => new RegExp(`<${tag}>([\\w.-]{1,100})</${tag}>`).exec(text)?.[1])
  const error = new Error(`S3 answered ${status}${code ? ` ${code}` : ""}${id ? ` (request ${id})` : ""}`)
  // CompleteMultipartUpload may fail after it has sent the status 200.
  return Object.assign(error, { code, isPermanent: status !== 429 && status < 500 && status !== 200 })
}
