/** The last requests of a run of `fw dev`, as they were: what shows them masks their secrets, and a replay sends them again. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { Problem } from "../../project/problems.ts"
import type { TracedPart } from "./trace.ts"

/** Names and values of headers, in their order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The first bytes of a body. */
export interface KeptBody {
  readonly data: Buffer
  /** Number of bytes of the whole body. */
  readonly total: number
}

/** A request, and what is known about it so far. */
export interface KeptRequest {
  readonly id: number
  /** When it came, in milliseconds since 1970. */
  readonly time: number
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  readonly headers: HeaderPairs
  body: KeptBody
  /** The request that this one replays; 0 for none. */
  readonly replayOf: number
  /** Milliseconds that it waited for a program that was being built. */
  waited: number
  /** The status of the answer; 0 before there is one. */
  status: number
  answerHeaders: HeaderPairs
  answerBody: KeptBody
  /** Milliseconds until the answer was sent; undefined before. */
  ms: number | undefined
  /** What the program has reported. */
  parts: TracedPart[]
  /** The pattern of the route; `""` if none matched, undefined before it is known. */
  pattern: string | undefined
  readonly errors: Problem[]
  /** Parts of the answer that differ from its type; undefined if the answer was not compared. */
  findings: readonly Problem[] | undefined
}

/** Most requests to keep. */
export const maxRequests = 500
/** Most bytes to keep of the body of a request, which a replay sends again, and of an answer, which is only shown. */
const maxBodyBytes = 65_536
const maxAnswerBytes = 16_384
/** Most parts of a request to keep. */
const maxParts = 500

/** The header with which the parent names a request to the server process. */
export const requestHeader = "x-fw-request"
/** The header of a replay: the number of the request that it sends again. */
export const replayHeader = "x-fw-replay"

const noBody: KeptBody = { data: Buffer.alloc(0), total: 0 }

/** Keeps the last requests. */
export class KeptRequests {
  readonly #requests = new Map<number, KeptRequest>()
  #count = 0
  /** Changes with every change of the requests. */
  version = 0
  #waiting: (() => void)[] = []
  #isClosed = false

  /** The requests, the newest first. */
  get list(): readonly KeptRequest[] {
    return [...this.#requests.values()].reverse()
  }

  /** Returns a request; undefined if it is no longer kept. */
  find(id: number): KeptRequest | undefined {
    return this.#requests.get(id)
  }

  /** Adds a request that has come. @param outgoing the answer, or the connection of an upgrade. */
  add(incoming: IncomingMessage, outgoing?: ServerResponse | Duplex): KeptRequest {
    const began = performance.now()
    const request: KeptRequest = {
      id: ++this.#count,
      time: Date.now(),
      method: incoming.method ?? "",
      url: incoming.url ?? "",
      headers: toPairs(incoming.rawHeaders),
      body: noBody,
      replayOf: Number(incoming.headers[replayHeader]) || 0,
      waited: 0,
      status: 0,
      answerHeaders: [],
      answerBody: noBody,
      ms: undefined,
      parts: [],
      pattern: undefined,
      errors: [],
      findings: undefined,
    }
    this.#requests.set(request.id, request)
    if (this.#requests.size > maxRequests) this.#requests.delete(this.#count - maxRequests)
    outgoing?.once("close", () => {
      request.ms = performance.now() - began
      // The parent has answered itself, or the client has gone.
      if (request.status === 0 && "headersSent" in outgoing && outgoing.headersSent)
        request.status = outgoing.statusCode
      this.#noteChange()
    })
    this.#noteChange()
    return request
  }

  /** Waits for another version than this one. @returns false if there was none in time, or {@link close} was called. */
  async waitForChange(version: number, ms: number): Promise<boolean> {
    if (version !== this.version || this.#isClosed) return version !== this.version
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        resolve(version !== this.version)
      }
      const timer = setTimeout(end, ms)
      this.#waiting.push(end)
    })
  }

  /** Ends what waits for changes. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#waiting.splice(0)) end()
  }

  #noteChange(): void {
    this.version += 1
    for (const end of this.#waiting.splice(0)) end()
  }

  /** Takes what the program reports about a request. */
  update(id: number, change: (request: KeptRequest) => void): void {
    const request = this.#requests.get(id)
    if (!request) return
    change(request)
    if (request.parts.length > maxParts) request.parts.length = maxParts
    this.#noteChange()
  }
}

/** Keeps the body of a request while it is passed on. */
export function keepRequestBody(request: KeptRequest, incoming: IncomingMessage): void {
  incoming.on("data", (part: Buffer) => {
    request.body = addPart(request.body, part, maxBodyBytes)
  })
}

/** Keeps the answer to a request while it is passed on. */
export function keepAnswer(request: KeptRequest, answer: IncomingMessage): void {
  request.status = answer.statusCode ?? 0
  request.answerHeaders = toPairs(answer.rawHeaders)
  answer.on("data", (part: Buffer) => {
    request.answerBody = addPart(request.answerBody, part, maxAnswerBytes)
  })
}

function addPart({ data, total }: KeptBody, part: Buffer, most: number): KeptBody {
  const room = most - data.length
  const kept = room > 0 ? Buffer.concat([data, part.subarray(0, room)]) : data
  return { data: kept, total: total + part.length }
}

/** Returns headers as pairs, without those that only the parent and the server process send each other. */
function toPairs(flat: readonly string[]): HeaderPairs {
  const pairs: (readonly [string, string])[] = []
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i] as string, flat[i + 1] as string])
  return pairs.filter(([name]) => !/^x-fw-/i.test(name))
}
