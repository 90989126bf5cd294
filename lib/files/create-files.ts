/**
 * Makes the public interface `Files` of an engine: checks arguments, and turns failures of the engine into errors that
 * say what failed.
 */
import { fileHandlerKey, isDownload } from "../answer/file-headers.ts"
import { checkKeys } from "../checks.ts"
import { FwError, HttpError } from "../errors.ts"
import type { ByteRange } from "../static/range.ts"
import { type Bytes, createStaticHandler, type FileSource } from "../static/serve-static.ts"
import { checkDescription, checkName, checkNumber, checkOption, checkPrefix, isStorableName } from "./checks.ts"
import type { EngineFile, FilesEngine, Source } from "./engine.ts"
import { filesFault } from "./fault.ts"
import { addressesKey, createAddresses, type LocalFilesOptions } from "./local-addresses.ts"
import type { FileBody, FileContent, Files } from "./types.ts"

/** The longest time for which a signature of S3 is valid: a week, in seconds. */
const maxExpirySeconds = 604_800
/** The largest page of a list in S3 and in R2. */
const maxEntries = 1000

/**
 * Returns the files of an engine.
 *
 * @param options for signed addresses of the program, if the engine has no addresses of its own.
 * @throws FwError `files` for options that are not valid.
 */
export function createFiles(engine: FilesEngine, options: LocalFilesOptions = {}): Files {
  const signedAddresses = createAddresses(engine.name, options)
  const { addresses = signedAddresses } = engine

  const run = <Result>(call: string, body: () => Promise<Result>) => runCall(engine.name, call, body)

  const checkCall = (call: string, name: unknown, options: object, optionNames: readonly string[]) => {
    checkName(call, name)
    checkKeys(options, optionNames, "files", call)
  }

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
      const { etag, modified } = file
      return {
        ...file,
        tag: etag,
        modified: modified.getTime(),
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
      checkCall("files.put()", name, options, ["type", "cacheControl"])
      const ownType = body instanceof Blob && body.type ? { type: body.type } : {}
      const description = checkDescription("files.put()", name, { ...ownType, ...options })
      return storeBody(engine.name, "files.put()", body, (source) => engine.put(name, source, description))
    },
    async get(name, options = {}) {
      checkCall("files.get()", name, options, ["range"])
      if (!options.range) return toContent(await open("files.get()", name))
      const { start, end = Number.MAX_SAFE_INTEGER } = options.range
      checkNumber("files.get()", "range.start", start, 0, Number.MAX_SAFE_INTEGER)
      checkNumber("files.get()", "range.end", end, start, Number.MAX_SAFE_INTEGER)
      const file = await run("files.get()", () => engine.head(name))
      if (!file) return null
      if (start >= file.size) throw new HttpError(416, "the range starts after the end of the file")
      return toContent(await open("files.get()", name, { start, end: Math.min(end, file.size - 1) }, file.etag))
    },
    async head(name) {
      checkName("files.head()", name)
      return run("files.head()", () => engine.head(name))
    },
    async list(options = {}) {
      checkKeys(options, ["prefix", "cursor", "limit"], "files", "files.list()", { cursor: "string" })
      const { prefix = "", cursor = "", limit = maxEntries } = options
      checkPrefix(prefix)
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
      const { file, body } = engineFile
      const { type, cacheControl } = file
      const put = (source: Source) => engine.put(to, source, { type, cacheControl })
      await storeBody(engine.name, "files.copy()", body, put)
      return true
    },
    async url(name, options = {}) {
      checkCall("files.url()", name, options, ["expires", "download"])
      const { expires = 3600, download } = options
      checkNumber("files.url()", "expires", expires, 1, maxExpirySeconds)
      checkOption(isDownload(download), "files.url()", "download", download, "Write true, false or a name.")
      return run("files.url()", () => addresses.url(name, expires, download))
    },
    async form(name, options) {
      checkCall("files.form()", name, options, ["maxSize", "type", "expires", "redirect"])
      const { expires = 3600, maxSize } = options
      checkNumber("files.form()", "expires", expires, 1, maxExpirySeconds)
      checkNumber("files.form()", "maxSize", maxSize, 0, Number.MAX_SAFE_INTEGER)
      const { type } = checkDescription("files.form()", name, { type: options.type })
      return run("files.form()", () => addresses.form(name, expires, type, options))
    },
  }
  return Object.assign(files, { [fileHandlerKey]: createStaticHandler(source), [addressesKey]: signedAddresses })
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
  const chunks = toChunks(body)
  let failure: { readonly error: unknown } | undefined
  const readChunks = async function* () {
    try {
      for await (const chunk of chunks) {
        if (!(chunk instanceof Uint8Array)) throw filesFault("files.stream", [chunk])
        yield chunk
      }
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  try {
    return await runCall(engine, call, () => put(readChunks()))
  } catch (error) {
    // A body that cannot be read is a mistake of the client or the program, and not a failure of the engine.
    throw failure ? failure.error : error
  }
}

/** Returns the bytes of a body that a program passed. @throws FwError `files` */
function toChunks(body: unknown): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof body === "string") return [new TextEncoder().encode(body)]
  if (body instanceof Blob) return body.stream()
  if (body instanceof ReadableStream) return body
  if (body instanceof Uint8Array) return [body]
  if (body instanceof ArrayBuffer) return [new Uint8Array(body)]
  throw filesFault("files.body", [body])
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
