/** Sends requests to the `fw dev` of a project, and checks that it is the right one. */
import { request } from "node:http"
import { toolFault } from "../../messages/tools.ts"
import { type DevFile, readDevFile } from "../../project/dev-file.ts"
import { toPairs } from "../requests/kept-requests.ts"
import type { DevStatus } from "./status.ts"

/** A request. */
export interface LocalRequest {
  readonly method: string
  /** The request target, which begins with `/`. */
  readonly path: string
  /** Pairs of a name and a value. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Uint8Array | undefined
  readonly signal: AbortSignal
}

/** A response. */
export interface LocalAnswer {
  readonly status: number
  /** Pairs of a name and a value, in the order of the response. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** False if the body was cut, because it is too long or did not end in time. */
  readonly isComplete: boolean
}

/** A running `fw dev`, and its status. */
export interface RunningDev {
  readonly address: string
  readonly status: DevStatus
}

/** The largest body to read, in bytes. */
const maxBodyBytes = 2_000_000
/** How long a response may take to begin, and its body to end, in milliseconds. */
const responseTimeoutMs = 60_000
const bodyTimeoutMs = 5_000

/**
 * Finds the `fw dev` of a project and reads its status.
 *
 * @throws FwError `no_dev_server` if none runs.
 */
export async function findDev(root: string, signal: AbortSignal): Promise<RunningDev> {
  const file = await readDevFile(root)
  const status = file && (await fetchStatus(file, signal).catch(() => null))
  signal.throwIfAborted()
  // If `fw dev` was killed, another server may have its port now.
  if (!file || status?.root !== root) throw toolFault("no_dev_server")
  return { address: file.address, status }
}

async function fetchStatus({ address, token }: DevFile, signal: AbortSignal): Promise<DevStatus> {
  const headers = [["authorization", `Bearer ${token}`]] as const
  const answer = await sendLocal(address, { method: "GET", path: "/__fw/status", headers, signal })
  return JSON.parse(answer.body.toString("utf8")) as DevStatus
}

/**
 * Sends a request to a server on this machine. Does not follow redirects.
 *
 * @throws the system's error if there is no response; the signal's reason if it aborts.
 */
export function sendLocal(
  address: string,
  { method, path, headers, body, signal }: LocalRequest,
): Promise<LocalAnswer> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const combinedSignal = AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)])
    const outgoing = request({
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      method,
      path,
      agent: false,
      setHost: !headers.some(([name]) => /^host$/i.test(name)),
      signal: combinedSignal,
    })
    for (const [name, value] of headers) outgoing.appendHeader(name, value)
    // Without this header, the body of a GET would have no end.
    if (body?.length) outgoing.setHeader("content-length", Buffer.byteLength(body))
    outgoing.once("error", (error) => reject(signal.aborted ? signal.reason : error))
    outgoing.once("response", (incoming) => {
      const parts: Buffer[] = []
      let size = 0
      const end = (isComplete: boolean) => {
        clearTimeout(bodyTimer)
        const headers = toPairs(incoming.rawHeaders)
        resolve({ status: incoming.statusCode ?? 0, headers, body: Buffer.concat(parts), isComplete })
        incoming.destroy()
      }
      // An event stream has no end.
      const bodyTimer = setTimeout(() => end(false), bodyTimeoutMs)
      incoming.on("error", () => end(false))
      incoming.once("end", () => end(true))
      incoming.on("data", (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size > maxBodyBytes) end(false)
      })
    })
    outgoing.end(body)
  })
}

/** Returns a body as text; null if it is not valid UTF-8. */
export function decodeText(body: Buffer, isComplete: boolean): string | null {
  try {
    // `stream` allows an incomplete character at the end.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: !isComplete })
    return text.includes("\0") ? null : text
  } catch {
    return null
  }
}
