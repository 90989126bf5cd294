/**
 * An S3 server for tests: s3rver from npm, which checks signatures, behind code that adds missing features and
 * failures.
 */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { installTools } from "../tools.ts"

/** A failure of a request. */
export interface Fault {
  /** The connection is lost after this many bytes of the request's body. */
  readonly cutRequest?: number
  /** The connection is lost after this many bytes of the answer's body. The server has carried out the request. */
  readonly cutAnswer?: number
  /** The status of an answer that replaces the server's answer. */
  readonly status?: number
  /** True if the request is never answered. */
  readonly hang?: boolean
}

export interface S3Server {
  readonly url: string
  readonly bucket: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** The method and the path with its query of each request. */
  readonly requests: string[]
  /** Returns the failure of a request, or undefined to let the request pass. */
  fault: ((request: IncomingMessage) => Fault | undefined) | undefined
  end(): Promise<void>
}

interface S3rver {
  run(): Promise<AddressInfo>
  close(): Promise<void>
  readonly store: {
    listObjects(bucket: string, options: { prefix: string }): Promise<{ readonly objects: readonly S3Object[] }>
  }
}

interface S3Object {
  readonly key: string
  readonly size: number
  readonly lastModifiedDate: Date
  readonly metadata: { readonly etag: string }
}

const credentials = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" }
const bucket = "photos"

/** Starts a server with an empty bucket. */
export async function startS3(): Promise<S3Server> {
  const packages = await installTools(["@20minutes/s3rver@5.0.0"])
  const S3rver = createRequire(join(packages, "x.js"))("@20minutes/s3rver") as new (options: object) => S3rver
  const directory = mkdtempSync(join(tmpdir(), "fw-s3-"))
  const configureBuckets = [{ name: bucket, configs: [] }]
  const inner = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    vhostBuckets: false,
    directory,
    configureBuckets,
  })
  const { port } = await inner.run()
  const parts = new Map<string, Map<number, { readonly etag: string; readonly size: number }>>()
  const state: Pick<S3Server, "fault" | "requests"> = { fault: undefined, requests: [] }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    state.requests.push(`${request.method} ${request.url}`)
    const fault = state.fault?.(request)
    if (fault?.hang) return
    const body = await readBody(request, fault?.cutRequest)
    if (body === null) return void request.socket.destroy()
    if (fault?.status)
      return void response.writeHead(fault.status).end("<Error><Code>SlowDown</Code><Message>secret</Message></Error>")
    const url = new URL(request.url ?? "", "http://host")
    const id = url.searchParams.get("uploadId") ?? ""
    if (request.method !== "PUT" && id && !parts.has(id))
      return void response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>")
    if (request.method === "DELETE" && id) return void response.writeHead(parts.delete(id) ? 204 : 404).end()
    if (request.method === "GET" && id) return void listParts(response, parts.get(id) ?? new Map(), url)
    const problem = request.method === "POST" && url.search === "" ? await checkForm(request, body) : undefined
    if (problem) return void response.writeHead(403).end(`<Error><Code>${problem}</Code></Error>`)
    const { method, headers, url: path } = request
    const { range, ...others } = headers
    const passed = send({ port, host: "127.0.0.1", method, headers: others, path })
    passed.end(body)
    const [found] = (await once(passed, "response")) as [IncomingMessage]
    // A whole file may be larger than the memory.
    if (method === "GET" && url.search === "" && !range && !fault) {
      response.writeHead(found.statusCode ?? 500, found.headers)
      return await pipeline(found, response)
    }
    if (url.searchParams.has("list-type") && found.statusCode !== 403) {
      found.resume()
      const prefix = url.searchParams.get("prefix") ?? ""
      return void response.end(writeList((await inner.store.listObjects(bucket, { prefix })).objects, url.searchParams))
    }
    const number = Number(url.searchParams.get("partNumber"))
    if (id && method === "PUT" && found.statusCode === 200) {
      const known = parts.get(id) ?? new Map()
      parts.set(id, known.set(number, { etag: String(found.headers.etag), size: body.length }))
    } else if (id && found.statusCode === 200) parts.delete(id)
    const content = correct(range, (await readBody(found)) ?? Buffer.of(), found)
    const [, begun] = (url.searchParams.has("uploads") && /<UploadId>(\w+)</.exec(content.toString())) || []
    if (begun) parts.set(begun, new Map())
    if (method !== "HEAD") found.headers["content-length"] = String(content.length)
    if (fault?.cutAnswer !== 0) response.writeHead(found.statusCode ?? 500, found.headers)
    if (fault?.cutAnswer === undefined) return void response.end(content)
    if (fault.cutAnswer > 0) response.write(content.subarray(0, fault.cutAnswer))
    // This sends everything that was written before.
    request.socket.destroySoon()
  }
  const front: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  front.listen(0, "127.0.0.1")
  await once(front, "listening")
  return Object.assign(state, {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    ...{ bucket, credentials },
    async end() {
      front.closeAllConnections()
      front.close()
      await inner.close()
      rmSync(directory, { recursive: true, force: true })
    },
  })
}

/**
 * Returns a body, or null if its connection is lost before its end. Like S3, the server stores nothing of an
 * incomplete body.
 */
async function readBody(request: IncomingMessage, cut = Number.POSITIVE_INFINITY): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  if (cut === 0) return null
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= cut) return null
  }
  return Buffer.concat(chunks)
}

/**
 * Writes a page of a list. s3rver does not sort names, and for the next page it needs a cipher that Node no longer
 * has.
 */
function writeList(objects: readonly S3Object[], query: URLSearchParams): string {
  const limit = Number(query.get("max-keys"))
  const after = objects.filter(({ key }) => key > (query.get("start-after") ?? ""))
  const toXML = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;")
  const page = after.toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))).slice(0, limit)
  const items = page.map(
    ({ key, size, lastModifiedDate, metadata }) =>
      `<Contents><Key>${toXML(key)}</Key><LastModified>${lastModifiedDate.toISOString()}</LastModified><ETag>${toXML(metadata.etag)}</ETag><Size>${size}</Size></Contents>`,
  )
  return `<ListBucketResult><IsTruncated>${after.length > limit}</IsTruncated>${items.join("")}</ListBucketResult>`
}

/** Corrects the answer for a range that ends with the first byte, which s3rver does not support. */
function correct(range: string | undefined, body: Buffer, found: IncomingMessage): Buffer {
  const [, start = "", end = ""] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? []
  if (found.statusCode !== 200 || start === "") return body
  const part = body.subarray(Number(start), end === "" ? undefined : Number(end) + 1)
  found.statusCode = 206
  found.headers["content-range"] = `bytes ${start}-${Number(start) + part.length - 1}/${body.length}`
  return part
}

/** Answers ListParts, with two parts per page. */
function listParts(
  response: ServerResponse,
  known: ReadonlyMap<number, { readonly etag: string; readonly size: number }>,
  url: URL,
): void {
  const marker = Number(url.searchParams.get("part-number-marker"))
  const after = [...known].filter(([number]) => number > marker).sort(([a], [b]) => a - b)
  const page = after.slice(0, 2)
  const items = page.map(
    ([number, { etag, size }]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag><Size>${size}</Size></Part>`,
  )
  const next = `<NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker>`
  response.end(
    `<ListPartsResult>${next}<IsTruncated>${after.length > 2}</IsTruncated>${items.join("")}</ListPartsResult>`,
  )
}

/** Checks a form as S3 does ("Creating a POST Policy"). Returns the code of an error. */
async function checkForm(request: IncomingMessage, body: Buffer): Promise<string | undefined> {
  const headers = { "content-type": String(request.headers["content-type"]) }
  const form = await new Response(new Uint8Array(body), { headers }).formData()
  const given = new Map([...form].map(([name, value]) => [name.toLowerCase(), value]))
  const text = (name: string) => (typeof given.get(name) === "string" ? (given.get(name) as string) : "")
  const [, date = "", region = "", service = "", end = ""] = text("x-amz-credential").split("/")
  const key = [date, region, service, end].reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  )
  const signature = createHmac("sha256", key).update(text("policy")).digest("hex")
  if (text("x-amz-signature") !== signature) return "SignatureDoesNotMatch"
  const { expiration, conditions } = JSON.parse(Buffer.from(text("policy"), "base64").toString()) as {
    expiration: string
    conditions: (Record<string, string> | [string, number, number])[]
  }
  if (Date.parse(expiration) < Date.now()) return "AccessDenied"
  const file = given.get("file")
  const size = typeof file === "object" ? file.size : -1
  const rules = new Map<string, string>()
  for (const condition of conditions) {
    if (!Array.isArray(condition))
      for (const [name, value] of Object.entries(condition)) rules.set(name.toLowerCase(), value)
    else if (size < condition[1] || size > condition[2]) return "EntityTooLarge"
  }
  rules.delete("bucket")
  const isLike = [...rules].every(([name, value]) => text(name) === value)
  const free = ["policy", "x-amz-signature", "file"]
  const isCovered = [...given.keys()].every((name) => free.includes(name) || rules.has(name))
  return isLike && isCovered ? undefined : "AccessDenied"
}
