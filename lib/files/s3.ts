/** `s3Files()`: files in a bucket of S3, or of another service with the same interface. */
import { checkKeys } from "../checks.ts"
import type { Bytes } from "../static/serve-static.ts"
import { checkDescription, createFiles, runCall, storeBody } from "./create-files.ts"
import type { Description, FilesEngine } from "./engine.ts"
import { filesFault } from "./fault.ts"
import { checkName } from "./names.ts"
import { type PartUpload, partBytes, storeInParts, storeRemainingParts } from "./parts.ts"
import { encodeName, encodeSpaces, S3Client, S3Error, type S3FilesOptions } from "./s3-client.ts"
import type { FileBody, FileEntry, Files, PutOptions, StoredFile, UploadFormOptions } from "./types.ts"

/**
 * The options of `files.upload()`.
 *
 * @example
 * const options: UploadOptions = { type: "video/mp4" }
 */
export interface UploadOptions extends PutOptions {
  /** The `id` of an interrupted upload, to continue it. Default: a new upload begins. */
  readonly id?: string
}

/**
 * An upload in parts of 8 MiB, which several requests or processes can continue one after the other. S3 charges for
 * parts of uploads that nobody completes: let a rule of the bucket remove them (`AbortIncompleteMultipartUpload`).
 *
 * @example
 * const files = s3Files({ bucket: "videos" })
 * app.put("/talks/{id}", async (c) => {
 *   const upload: S3Upload = await files.upload("talk.mp4", { id: c.param("id") })
 *   return c.json(200, { size: await upload.write(c.request.body ?? "") })
 * })
 */
export interface S3Upload {
  /** Store it if the upload may be continued later. */
  readonly id: string
  /** The number of bytes that are stored. {@link write} continues there. */
  readonly size: number
  /**
   * Stores the rest of the file and completes it, so that the file appears. If that fails, complete parts stay stored.
   * @returns the size of the file.
   */
  write(rest: FileBody): Promise<number>
  /** Removes the stored parts. */
  abort(): Promise<void>
}

/**
 * Files of a bucket, with uploads that can be continued.
 *
 * @example
 * const files: S3Files = s3Files({ bucket: "videos", region: "eu-central-1" })
 */
export interface S3Files extends Files {
  /**
   * Begins or continues an upload. @throws FwError `files` if the upload with that `id` has ended or does not exist.
   */
  upload(name: string, options?: UploadOptions): Promise<S3Upload>
}

/**
 * Returns the files of a bucket. The call itself sends nothing.
 *
 * @throws FwError `files` for options that are not valid.
 * @example
 * const files = s3Files({ bucket: "photos", region: "eu-central-1" })
 */
export function s3Files(options: S3FilesOptions): S3Files {
  const client = new S3Client(options)
  const engine = new S3Engine(client)
  return Object.assign(createFiles(engine), {
    async upload(name: string, uploadOptions: UploadOptions = {}): Promise<S3Upload> {
      checkName("files.upload()", name)
      const { id, ...fileOptions } = uploadOptions
      checkKeys(fileOptions, ["type", "cacheControl"], "files", "files.upload()")
      const description = checkDescription("files.upload()", name, fileOptions)
      const multipart = await runCall(engine.name, "files.upload()", () =>
        id === undefined ? engine.begin(name, description) : engine.resume(name, String(id)),
      )
      return {
        id: multipart.id,
        get size() {
          return multipart.size
        },
        write: (rest) =>
          storeBody(engine.name, "upload.write()", rest, async (source) => {
            await storeRemainingParts(source, multipart, multipart.count)
            return multipart.size
          }),
        abort: () => runCall(engine.name, "upload.abort()", () => multipart.abort()),
      }
    },
  })
}

/** An upload in parts. Every part has {@link partBytes} bytes, only the last one may be smaller. */
class MultipartUpload implements PartUpload {
  readonly id: string
  readonly #client: S3Client
  readonly #name: string
  /** Stored parts, with holes for those that failed or are being sent. */
  readonly #parts: { readonly etag: string; readonly size: number }[] = []

  constructor(client: S3Client, name: string, id: string) {
    this.#client = client
    this.#name = name
    this.id = id
  }

  /** The number of stored parts before the first hole. */
  get count(): number {
    let count = 0
    while (this.#parts[count]) count++
    return count
  }

  /** The number of bytes in the stored parts before the first hole. */
  get size(): number {
    return this.#parts.slice(0, this.count).reduce((sum, { size }) => sum + size, 0)
  }

  /** Records a stored part. */
  add(number: number, etag: string, size: number): void {
    this.#parts[number - 1] = { etag, size }
  }

  async putPart(number: number, body: Bytes): Promise<void> {
    const query = { partNumber: String(number), uploadId: this.id }
    const answer = await this.#client.send({ method: "PUT", name: this.#name, query, body })
    this.add(number, answer?.response.headers.get("etag") ?? "", body.length)
  }

  async complete(): Promise<void> {
    const parts = this.#parts.map(
      ({ etag }, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
    const name = this.#name
    try {
      await this.#client.send({ method: "POST", name, query: { uploadId: this.id }, body })
    } catch (error) {
      // The upload does not exist any more if the answer to an earlier attempt was lost. Then the file is there.
      const isGone = error instanceof S3Error && error.code === "NoSuchUpload"
      const file = isGone && (await this.#client.send({ method: "HEAD", name }))
      if (!file || Number(file.response.headers.get("content-length")) !== this.size) throw error
    }
  }

  async abort(): Promise<void> {
    await this.#client.send({ method: "DELETE", name: this.#name, query: { uploadId: this.id } })
  }
}

class S3Engine implements FilesEngine {
  readonly name = "S3"
  readonly #client: S3Client

  constructor(client: S3Client) {
    this.#client = client
  }

  put(name: string, source: Uint8Array | ReadableStream<Uint8Array>, description: Description): Promise<number> {
    const headers = toHeaders(description)
    return storeInParts(source, {
      putWhole: (body) => this.#client.send({ method: "PUT", name, headers, body }),
      begin: () => this.begin(name, description),
    })
  }

  /** Begins an upload in parts. */
  async begin(name: string, description: Description): Promise<MultipartUpload> {
    const request = { method: "POST", name, query: { uploads: "" }, headers: toHeaders(description) } as const
    return new MultipartUpload(this.#client, name, readTag((await this.#client.send(request))?.text ?? "", "UploadId"))
  }

  /** Finds the stored parts of an upload. @throws FwError `files` if the upload has ended. */
  async resume(name: string, id: string): Promise<MultipartUpload> {
    const upload = new MultipartUpload(this.#client, name, id)
    for (let marker = ""; ; ) {
      const query = { uploadId: id, ...(marker && { "part-number-marker": marker }) }
      const { text } = await this.#listParts(name, query)
      for (const part of text.split("<Part>").slice(1)) {
        const isNext = Number(readTag(part, "PartNumber")) === upload.count + 1
        // The upload continues after the last complete part that follows the others without a gap.
        if (!isNext || Number(readTag(part, "Size")) !== partBytes) return upload
        upload.add(upload.count + 1, readTag(part, "ETag"), partBytes)
      }
      marker = readTag(text, "NextPartNumberMarker")
      if (readTag(text, "IsTruncated") !== "true") return upload
    }
  }

  async #listParts(name: string, query: Readonly<Record<string, string>>) {
    try {
      const answer = await this.#client.send({ method: "GET", name, query })
      if (answer) return answer
    } catch (error) {
      if (!(error instanceof S3Error && error.code === "NoSuchUpload")) throw error
    }
    throw filesFault("files.upload", [name])
  }

  async head(name: string): Promise<StoredFile | null> {
    const answer = await this.#client.send({ method: "HEAD", name })
    return answer && toStoredFile(name, answer.response.headers)
  }

  async get(name: string, range: { readonly start: number; readonly end: number } | undefined) {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const answer = await this.#client.send({ method: "GET", name, headers })
    if (!answer) return null
    const { body, headers: answerHeaders, status } = answer.response
    if (range && status !== 206) {
      await body?.cancel()
      throw new S3Error("S3 sent all of a file in place of a range", false)
    }
    return { file: toStoredFile(name, answerHeaders), body: body ?? new Uint8Array() }
  }

  async list(prefix: string, after: string, limit: number) {
    const query = { "list-type": "2", prefix, "max-keys": String(limit), ...(after && { "start-after": after }) }
    const { text = "" } = (await this.#client.send({ method: "GET", query })) ?? {}
    const files = text.split("<Contents>").slice(1).map(toEntry)
    return { files, isWhole: readTag(text, "IsTruncated") !== "true" }
  }

  async delete(name: string): Promise<void> {
    await this.#client.send({ method: "DELETE", name })
  }

  async copy(from: string, to: string): Promise<boolean> {
    const headers = { "x-amz-copy-source": `/${this.#client.bucket}/${encodeName(from)}` }
    return (await this.#client.send({ method: "PUT", name: to, headers })) !== null
  }

  async url(name: string, seconds: number, disposition: string | undefined): Promise<string> {
    const query = {
      "X-Amz-Expires": String(seconds),
      ...(disposition !== undefined && { "response-content-disposition": disposition }),
    }
    const signer = await this.#client.createSigner({ method: "GET", name, query }, true)
    return encodeSpaces((await signer.sign()).url)
  }

  async form(name: string, seconds: number, type: string, { maxSize, redirect }: UploadFormOptions) {
    const signer = await this.#client.createSigner({ method: "POST" })
    const fields: Record<string, string> = {
      key: name,
      "Content-Type": type,
      ...(redirect !== undefined && { success_action_redirect: redirect }),
      "x-amz-algorithm": "AWS4-HMAC-SHA256",
      "x-amz-credential": `${signer.accessKeyId}/${signer.credentialString}`,
      "x-amz-date": signer.datetime,
      ...(signer.sessionToken !== undefined && { "x-amz-security-token": signer.sessionToken }),
    }
    const fixedFields = Object.entries({ bucket: this.#client.bucket, ...fields }).map(([key, value]) => ({
      [key]: value,
    }))
    const expiration = new Date(Date.now() + seconds * 1000).toISOString()
    const policy = encodePolicy({ expiration, conditions: [...fixedFields, ["content-length-range", 0, maxSize]] })
    // A form is signed like a request, but the signed text is the policy.
    signer.stringToSign = async () => policy
    return { url: this.#client.url, fields: { ...fields, policy, "x-amz-signature": await signer.signature() } }
  }
}

/** Returns a policy in Base64. Characters outside ASCII are escaped, because `btoa()` does not accept them. */
function encodePolicy(policy: object): string {
  const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  return btoa(JSON.stringify(policy).replace(/[^\x20-\x7e]/g, toEscape))
}

function toHeaders({ type, cacheControl }: Description): Record<string, string> {
  return { "content-type": type, ...(cacheControl !== undefined && { "cache-control": cacheControl }) }
}

function toStoredFile(name: string, headers: Headers): StoredFile {
  const total = headers.get("content-range")?.split("/")[1]
  return {
    name,
    size: Number(total ?? headers.get("content-length")),
    modified: new Date(headers.get("last-modified") ?? 0),
    etag: unquote(headers.get("etag") ?? ""),
    type: headers.get("content-type") ?? "application/octet-stream",
    cacheControl: headers.get("cache-control") ?? undefined,
  }
}

function toEntry(xml: string): FileEntry {
  return {
    name: readTag(xml, "Key"),
    size: Number(readTag(xml, "Size")),
    modified: new Date(readTag(xml, "LastModified")),
    etag: unquote(readTag(xml, "ETag")),
  }
}

const unquote = (etag: string) => etag.replace(/^"|"$/g, "")

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** Returns the text of the first element with a name; `""` if there is none. */
function readTag(xml: string, tag: string): string {
  const text = xml.split(`<${tag}>`, 2)[1]?.split("<", 1)[0] ?? ""
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hex, name) =>
    name ? (entities[name] ?? all) : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  )
}
