/** `s3Files()`: files in a bucket of S3, or of another service with the same interface. */
import { chooseDisposition } from "../answer/file-headers.ts"
import { checkKeys } from "../checks.ts"
import { decodeReferences } from "../entities.ts"
import { findMediaType } from "../static/media-types.ts"
import { checkDescription, checkName } from "./checks.ts"
import { createFiles, runCall, storeBody } from "./create-files.ts"
import type { Addresses, Description, FilesEngine } from "./engine.ts"
import { filesFault } from "./fault.ts"
import { type PartUpload, partBytes, storeInParts } from "./parts.ts"
import { encodeName, encodeSpaces, S3Client, type S3FilesOptions } from "./s3-client.ts"
import type { FileBody, FileEntry, Files, PutOptions, StoredFile } from "./types.ts"

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
  /** The number of bytes that were stored when it was opened. {@link write} continues there. */
  readonly size: number
  /**
   * Stores the rest of the file and completes it, so that the file appears. Call it once. If that fails, complete parts
   * stay stored, and `files.upload()` with the `id` continues after them. @returns the size of the file.
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
  const run = <Result>(call: string, body: () => Promise<Result>) => runCall("S3", call, body)
  return Object.assign(createFiles(createEngine(client)), {
    async upload(name: string, uploadOptions: UploadOptions = {}): Promise<S3Upload> {
      checkName("files.upload()", name)
      const { id, ...fileOptions } = uploadOptions
      checkKeys(fileOptions, ["type", "cacheControl"], "files", "files.upload()")
      const description = checkDescription("files.upload()", name, fileOptions)
      const upload = await run("files.upload()", () =>
        id === undefined ? beginUpload(client, name, description) : continueUpload(client, name, String(id)),
      )
      // If the rest cannot be stored, the upload can still be continued.
      const begin = async () => ({ ...upload, abort: async () => undefined })
      return {
        id: upload.id,
        size: upload.tags.length * partBytes,
        write: (rest) => storeBody("S3", "upload.write()", rest, (source) => storeInParts(source, { begin })),
        abort: async () => void (await run("upload.abort()", upload.abort)),
      }
    },
  })
}

type OpenUpload = PartUpload & { readonly id: string }

/** Returns an upload that exists in the bucket. */
function openUpload(client: S3Client, name: string, id: string, tags: readonly string[] = []): OpenUpload {
  return {
    id,
    tags,
    async putPart(number, body) {
      const query = { partNumber: String(number), uploadId: id }
      const answer = await client.send({ method: "PUT", name, query, body })
      return answer?.response.headers.get("etag") ?? ""
    },
    async complete(tags, size) {
      const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`
      try {
        await client.send({ method: "POST", name, query: { uploadId: id }, body })
      } catch (error) {
        // The upload does not exist any more if the answer to an earlier attempt was lost. Then the file is there.
        const file = isGone(error) && (await client.send({ method: "HEAD", name }))
        if (!file || Number(file.response.headers.get("content-length")) !== size) throw error
      }
    },
    abort: () => client.send({ method: "DELETE", name, query: { uploadId: id } }),
  }
}

async function beginUpload(client: S3Client, name: string, description: Description): Promise<OpenUpload> {
  const request = { method: "POST", name, query: { uploads: "" }, headers: toHeaders(description) } as const
  return openUpload(client, name, readTag((await client.send(request))?.text ?? "", "UploadId"))
}

/** Finds the stored parts of an upload. @throws FwError `files` if the upload has ended. */
async function continueUpload(client: S3Client, name: string, id: string): Promise<OpenUpload> {
  const tags: string[] = []
  for (let marker = ""; ; ) {
    const query = { uploadId: id, ...(marker && { "part-number-marker": marker }) }
    const answer = await client.send({ method: "GET", name, query }).catch((error) => {
      if (!isGone(error)) throw error
    })
    if (!answer) throw filesFault("files.upload", [name])
    for (const part of answer.text.split("<Part>").slice(1)) {
      const isNext = Number(readTag(part, "PartNumber")) === tags.length + 1
      // The upload continues after the last complete part that follows the others without a gap.
      if (!isNext || Number(readTag(part, "Size")) !== partBytes) return openUpload(client, name, id, tags)
      tags.push(readTag(part, "ETag"))
    }
    marker = readTag(answer.text, "NextPartNumberMarker")
    if (readTag(answer.text, "IsTruncated") !== "true") return openUpload(client, name, id, tags)
  }
}

/** Returns true for the error about an upload that has ended. */
function isGone(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "NoSuchUpload"
}

function createEngine(client: S3Client): FilesEngine {
  return {
    name: "S3",
    put: (name, source, description) =>
      storeInParts(source, {
        putWhole: (body) => client.send({ method: "PUT", name, headers: toHeaders(description), body }),
        begin: () => beginUpload(client, name, description),
      }),
    async head(name) {
      const answer = await client.send({ method: "HEAD", name })
      return answer && toStoredFile(name, answer.response.headers)
    },
    async get(name, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const answer = await client.send({ method: "GET", name, headers })
      if (!answer) return null
      const { body, headers: answerHeaders, status } = answer.response
      if (range && status !== 206) {
        await body?.cancel()
        throw new Error("S3 sent all of a file in place of a range")
      }
      return { file: toStoredFile(name, answerHeaders), body: body ?? new Uint8Array() }
    },
    async list(prefix, after, limit) {
      const query = { "list-type": "2", prefix, "max-keys": String(limit), ...(after && { "start-after": after }) }
      const { text = "" } = (await client.send({ method: "GET", query })) ?? {}
      const files = text.split("<Contents>").slice(1).map(toEntry)
      return { files, isWhole: readTag(text, "IsTruncated") !== "true" }
    },
    delete: async (name) => void (await client.send({ method: "DELETE", name })),
    async copy(from, to) {
      const headers = { "x-amz-copy-source": `/${client.bucket}/${encodeName(from)}` }
      return (await client.send({ method: "PUT", name: to, headers })) !== null
    },
    addresses: createAddresses(client),
  }
}

/** Returns the addresses and forms of a bucket. */
function createAddresses(client: S3Client): Addresses {
  return {
    async url(name, seconds, download) {
      const disposition = chooseDisposition(name, findMediaType(name), download)
      const query = {
        "X-Amz-Expires": String(seconds),
        ...(disposition !== undefined && { "response-content-disposition": disposition }),
      }
      const signer = await client.createSigner({ method: "GET", name, query }, true)
      return encodeSpaces((await signer.sign()).url)
    },
    async form(name, seconds, type, { maxSize, redirect }) {
      const signer = await client.createSigner({ method: "POST" })
      const fields: Record<string, string> = {
        key: name,
        "Content-Type": type,
        ...(redirect !== undefined && { success_action_redirect: redirect }),
        "x-amz-algorithm": "AWS4-HMAC-SHA256",
        "x-amz-credential": `${signer.accessKeyId}/${signer.credentialString}`,
        "x-amz-date": signer.datetime,
        ...(signer.sessionToken && { "x-amz-security-token": signer.sessionToken }),
      }
      const exactFields = Object.entries({ bucket: client.bucket, ...fields }).map(([key, value]) => ({ [key]: value }))
      const expiration = new Date(Date.now() + seconds * 1000).toISOString()
      const policy = encodePolicy({ expiration, conditions: [...exactFields, ["content-length-range", 0, maxSize]] })
      // A form is signed like a request, but the signed text is the policy.
      signer.stringToSign = async () => policy
      return { url: client.url, fields: { ...fields, policy, "x-amz-signature": await signer.signature() } }
    },
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

/** Returns the text of the first element with a name; `""` if there is none. */
function readTag(xml: string, tag: string): string {
  return decodeReferences(xml.split(`<${tag}>`, 2)[1]?.split("<", 1)[0] ?? "")
}
