/** `r2Files()`: files in a bucket of R2, through the binding of a worker. */
import { createFiles } from "./create-files.ts"
import type { FilesEngine } from "./engine.ts"
import { filesFault } from "./fault.ts"
import type { LocalFilesOptions } from "./local-addresses.ts"
import { storeInParts } from "./parts.ts"
import type { FileEntry, Files, StoredFile } from "./types.ts"

interface R2Metadata {
  readonly contentType?: string
  readonly cacheControl?: string
}

interface R2Object {
  readonly key: string
  readonly size: number
  readonly etag: string
  readonly uploaded: Date
  readonly httpMetadata?: R2Metadata
}

interface R2Upload {
  uploadPart(number: number, bytes: Uint8Array): Promise<{ readonly etag: string }>
  complete(parts: { partNumber: number; etag: string }[]): Promise<unknown>
  abort(): Promise<void>
}

/**
 * The members of an R2 binding that fw uses. The type `R2Bucket` of `@cloudflare/workers-types` fits.
 *
 * @example
 * app.get("/count", async (c) => c.json(200, (await (c.env.BUCKET as R2Binding).list()).objects.length))
 */
export interface R2Binding {
  put(name: string, bytes: Uint8Array, options: { httpMetadata: R2Metadata }): Promise<unknown>
  head(name: string): Promise<R2Object | null>
  get(
    name: string,
    options?: { range?: { offset: number; length: number } },
  ): Promise<(R2Object & { readonly body: ReadableStream }) | null>
  list(options?: { prefix?: string; startAfter?: string; limit?: number }): Promise<{
    readonly objects: readonly R2Object[]
    readonly truncated: boolean
  }>
  delete(name: string): Promise<void>
  createMultipartUpload(name: string, options: { httpMetadata: R2Metadata }): Promise<R2Upload>
}

/**
 * Returns the files in a bucket of R2. A binding comes with the request, so call this in handlers; the call sends
 * nothing.
 *
 * @throws FwError `files` for a value that is not a binding of R2, and for options that are not valid.
 * @example
 * app.get("/reports/{id}", (c) => c.file(r2Files(c.env.BUCKET as R2Binding), `reports/${c.param("id")}.pdf`))
 */
export function r2Files(binding: R2Binding, options: LocalFilesOptions = {}): Files {
  if (typeof (Object(binding) as Partial<R2Binding>).createMultipartUpload !== "function")
    throw filesFault("files.binding", [binding])
  const engine: FilesEngine = {
    name: "R2",
    put(name, source, { type, cacheControl }) {
      const httpMetadata = { contentType: type, ...(cacheControl !== undefined && { cacheControl }) }
      return storeInParts(source, {
        putWhole: (bytes) => binding.put(name, bytes, { httpMetadata }),
        async begin() {
          const upload = await binding.createMultipartUpload(name, { httpMetadata })
          return {
            tags: [],
            putPart: async (number, bytes) => (await upload.uploadPart(number, bytes)).etag,
            complete: (tags) => upload.complete(tags.map((etag, index) => ({ partNumber: index + 1, etag }))),
            abort: () => upload.abort(),
          }
        },
      })
    },
    async head(name) {
      const object = await binding.head(name)
      return object && toStoredFile(object)
    },
    async get(name, range) {
      const r2Range = range && { offset: range.start, length: range.end - range.start + 1 }
      const object = await binding.get(name, r2Range && { range: r2Range })
      return object && { file: toStoredFile(object), body: object.body }
    },
    async list(prefix, startAfter, limit) {
      const { objects, truncated } = await binding.list({ prefix, limit, ...(startAfter !== "" && { startAfter }) })
      return { files: objects.map(toEntry), isWhole: !truncated }
    },
    delete: (name) => binding.delete(name),
  }
  return createFiles(engine, options)
}

const toEntry = ({ key, size, uploaded, etag }: R2Object): FileEntry => ({ name: key, size, modified: uploaded, etag })

function toStoredFile(object: R2Object): StoredFile {
  const { contentType: type = "application/octet-stream", cacheControl } = object.httpMetadata ?? {}
  return { ...toEntry(object), type, cacheControl }
}
