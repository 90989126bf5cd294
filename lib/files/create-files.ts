/**
 * Makes the public interface `Files` of an engine: checks arguments, and turns failures of the engine into errors that
 * say what failed.
 */
import { chooseDisposition, fileHandlerKey, isDownload, isMediaType } from "../answer/file-headers.ts"
import { checkKeys } from "../checks.ts"
import { FwError, HttpError } from "../errors.ts"
import { isHeaderText } from "../request/headers.ts"
import { findMediaType } from "../static/media-types.ts"
import { type ByteRange, readRange } from "../static/range.ts"
import { type Bytes, createStaticHandler, type FileSource } from "../static/serve-static.ts"
import type { Description, EngineFile, FilesEngine, Source } from "./engine.ts"
import { filesFault } from "./fault.ts"
import { addressesKey, type LocalFilesOptions, SignedAddresses } from "./local-addresses.ts"
import { checkName, checkPrefix, isStorableName } from "./names.ts"
import type { FileBody, FileContent, Files, PutOptions } from "./types.ts"

/** The longest time for which a signature of S3 is valid: a week, in seconds. */
const maxExpirySeconds = 604_800
/** The largest page of a list in S3 and in R2. */
const maxEntries = 1000

const explainRange = (min: number, max: number) => `Write a whole number from ${min} to ${max}.`

/** Checks that an option is a whole number in a range. @throws FwError `files` */
function checkNumber(call: string, option: string, value: unknown, min: number, max: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max)
    throw filesFault("files.option", [call, option, value, explainRange(min, max)])
}

/** Checks the type of a file. @throws FwError `files` */
function checkType(call: string, type: unknown): asserts type is string {
  if (!isMediaType(type) || !isHeaderText(type))
    throw filesFault("files.option", [call, "type", type, "Write a media type, such as image/png."])
}

/**
 * Returns the type and the `Cache-Control` to store with a file. @throws FwError `files` for a value that is not valid.
 */
export function checkDescription(call: string, name: string, options: PutOptions): Description {
  const { type = findMediaType(name), cacheControl } = options
  checkType(call, type)
  if (cacheControl !== undefined && !(typeof cacheControl === "string" && isHeaderText(cacheControl)))
    throw filesFault("files.option", [call, "cacheControl", cacheControl, "Write the text of the header."])
  return { type, cacheControl }
}

/**
 * Returns the files of an engine.
 *
 * @param options for signed addresses of the program, if the engine has no addresses of its own.
 * @throws FwError `files` for options that are not valid.
 */
export function createFiles(engine: FilesEngine, options: LocalFilesOptions = {}): Files {
  const addresses = new SignedAddresses(engine.name, options)

  const run = <Result>(call: string, body: () => Promise<Result>) => runCall(engine.name, call, body)

  /**
   * Opens a file. @param etag the tag that the file must have. @throws FwError `files` if it was replaced in between.
   */
  const open = async (call: string, name: string, range?: ByteRange, etag?: string): Promise<EngineFile | null> => {
    const engineFile = await run(call, () => engine.get(name, range))
    if (!engineFile || etag === undefined || engineFile.file.etag === etag) return engineFile
    if (engineFile.body instanceof ReadableStream) await engineFile.body.cancel()
    throw filesFault("files.changed", [name])
  }

  const source: FileSource = {
    async open(segments) {
      const name = segments.join("/")
      const file = isStorableName(name) ? await run("c.file()", () => engine.head(name)) : null
      if (!file) return null
      const { size, type, cacheControl, etag } = file
      return {
        ...{ size, type, cacheControl, tag: etag, modified: file.modified.getTime() },
        async read(start, end) {
          const engineFile = await open("c.file()", name, { start, end }, etag)
          if (!engineFile) throw filesFault("files.changed", [name])
          return engineFile.body as Bytes | ReadableStream<Bytes>
        },
        close: async () => undefined,
      }
    },
    list: () => [],
  }

  const files: Files = {
    async put(name, body, options = {}) {
      checkName("files.put()", name)
      checkKeys(options, ["type", "cacheControl"], "files", "files.put()")
      const ownType = body instanceof Blob && body.type ? { type: body.type } : {}
      const description = checkDescription("files.put()", name, { ...ownType, ...options })
      return storeBody(engine.name, "files.put()", body, (source) => engine.put(name, source, description))
    },
    async get(name, options = {}) {
      checkName("files.get()", name)
      checkKeys(options, ["range"], "files", "files.get()")
      if (!options.range) return toContent(await open("files.get()", name))
      const { start, end } = options.range
      checkNumber("files.get()", "range.start", start, 0, Number.MAX_SAFE_INTEGER)
      if (end !== undefined) checkNumber("files.get()", "range.end", end, start, Number.MAX_SAFE_INTEGER)
      const file = await run("files.get()", () => engine.head(name))
      if (!file) return null
      const range = readRange(`bytes=${start}-${end ?? ""}`, file.size) as ByteRange | "unsatisfiable"
      if (range === "unsatisfiable") throw new HttpError(416, "the range starts after the end of the file")
      return toContent(await open("files.get()", name, range, file.etag))
    },
    async head(name) {
      checkName("files.head()", name)
      return run("files.head()", () => engine.head(name))
    },
    async list(options = {}) {
      checkKeys(options, ["prefix", "cursor", "limit"], "files", "files.list()")
      const { prefix = "", cursor = "", limit = maxEntries } = options
      checkPrefix(prefix)
      if (typeof cursor !== "string")
        throw filesFault("files.option", ["files.list()", "cursor", cursor, "Pass the cursor of the list before."])
      checkNumber("files.list()", "limit", limit, 1, maxEntries)
      const { files: entries, isWhole } = await run("files.list()", () => engine.list(prefix, cursor, limit))
      return { files: entries, cursor: isWhole ? undefined : entries.at(-1)?.name }
    },
    async delete(name) {
      checkName("files.delete()", name)
      await run("files.delete()", () => engine.delete(name))
    },
    async copy(from, to) {
      checkName("files.copy()", from)
      checkName("files.copy()", to)
      const { copy } = engine
      if (copy) return run("files.copy()", () => copy.call(engine, from, to))
      const engineFile = await open("files.copy()", from)
      if (!engineFile) return false
      const { type, cacheControl } = engineFile.file
      const put = (source: Source) => engine.put(to, source, { type, cacheControl })
      await storeBody(engine.name, "files.copy()", engineFile.body, put)
      return true
    },
    async url(name, options = {}) {
      checkName("files.url()", name)
      checkKeys(options, ["expires", "download"], "files", "files.url()")
      const { expires = 3600, download } = options
      checkNumber("files.url()", "expires", expires, 1, maxExpirySeconds)
      if (!isDownload(download))
        throw filesFault("files.option", ["files.url()", "download", download, "Write true, false or a name."])
      const { url } = engine
      if (!url) return addresses.createReadAddress(name, expires, download)
      const disposition = chooseDisposition(name, findMediaType(name), download)
      return run("files.url()", () => url.call(engine, name, expires, disposition))
    },
    async form(name, options) {
      checkName("files.form()", name)
      checkKeys(options, ["maxSize", "type", "expires", "redirect"], "files", "files.form()", { redirect: "string" })
      const { expires = 3600, type = findMediaType(name), maxSize, redirect } = options
      checkNumber("files.form()", "expires", expires, 1, maxExpirySeconds)
      checkNumber("files.form()", "maxSize", maxSize, 0, Number.MAX_SAFE_INTEGER)
      checkType("files.form()", type)
      const { form } = engine
      if (form) return run("files.form()", () => form.call(engine, name, expires, type, options))
      return {
        url: await addresses.createUploadAddress(name, expires, { maxSize: String(maxSize), type, redirect }),
        fields: {},
      }
    },
  }
  return Object.assign(files, { [fileHandlerKey]: createStaticHandler(source), [addressesKey]: addresses })
}

/** Runs a call of an engine. @throws FwError `files_unavailable` with the engine's error as its cause. */
export async function runCall<Result>(engine: string, call: string, body: () => Promise<Result>): Promise<Result> {
  try {
    return await body()
  } catch (cause) {
    if (cause instanceof FwError || cause instanceof HttpError) throw cause
    throw filesFault("files_unavailable", [call, engine], { cause })
  }
}

/** Passes a body to an engine. @throws the error of the body's stream, if that failed; otherwise as {@link runCall}. */
export async function storeBody(
  engine: string,
  call: string,
  body: FileBody,
  put: (source: Source) => Promise<number>,
): Promise<number> {
  const source = toSource(body)
  let failure: { readonly error: unknown } | undefined
  const watchedSource = source instanceof Uint8Array ? source : watchStream(source, (error) => (failure = { error }))
  try {
    return await runCall(engine, call, () => put(watchedSource))
  } catch (error) {
    // A body that cannot be read is a mistake of the client or the program, and not a failure of the engine.
    throw failure ? failure.error : error
  }
}

/** Converts a body that a program passed to bytes or a stream. @throws FwError `files` */
function toSource(body: unknown): Source {
  if (typeof body === "string") return new TextEncoder().encode(body)
  if (body instanceof Blob) return body.stream()
  if (body instanceof Uint8Array || body instanceof ReadableStream) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw filesFault("files.body", [body])
}

/**
 * Returns a stream of the same bytes, and passes its error to a function. @throws TypeError for a stream that is being
 * read.
 */
function watchStream(body: ReadableStream<Uint8Array>, onError: (error: unknown) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          if (!(value instanceof Uint8Array)) throw filesFault("files.stream", [value])
          controller.enqueue(value)
        } catch (error) {
          onError(error)
          throw error
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function toContent(engineFile: EngineFile | null): FileContent | null {
  if (!engineFile) return null
  const response = new Response(engineFile.body)
  return {
    ...engineFile.file,
    body: response.body ?? new ReadableStream({ start: (controller) => controller.close() }),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
  }
}
