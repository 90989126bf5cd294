/**
 * Stores the last requests of `fw dev` unchanged, because a replay sends them again. The code that shows them masks
 * their secrets.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { Problem } from "../../project/problems.ts"
import type { TracedPart } from "./trace.ts"

/** Names and values of headers, in their original order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The first bytes of a body. */
export interface KeptBody {
  readonly data: Buffer
  /** Size of the whole body in bytes. */
  readonly total: number
}

const noBody: KeptBody = { data: Buffer.alloc(0), total: 0 }

/** The number of requests to store. */
export const maxRequests = 500
/**
 * The longest part of a body to store, in bytes. More is stored of a request than of an answer, because a replay
 * sends the request again.
 */
const maxBodyBytes = 65_536
const maxAnswerBytes = 16_384

/** The header in which the parent tells the server process the number of a request. */
export const requestHeader = "x-fw-request"
/** The header of a replay, with the number of the original request. */
export const replayHeader = "x-fw-replay"

/** A request with everything that is known about it so far. */
export class KeptRequest {
  readonly id: number
  /** Time of arrival, in milliseconds since 1970. */
  readonly time = Date.now()
  readonly method: string
  /** Path and query, as the client sent them. */
  readonly url: string
  readonly headers: HeaderPairs
  body = noBody
  /** The number of the request that this one replays; 0 if it is not a replay. */
  readonly replayOf: number
  /** The status of the answer; 0 before the answer. */
  status = 0
  answerHeaders: HeaderPairs = []
  answerBody = noBody
  /** Time until the answer was sent, in milliseconds; undefined before that. */
  ms: number | undefined
  /** The operations that the program has reported. */
  parts: TracedPart[] = []
  /** The number of all operations. The program does not report more than some hundred of them. */
  count = 0
  /** The pattern of the route; `""` if no route matched, undefined before it is known. */
  pattern: string | undefined
  readonly errors: Problem[] = []
  /** The differences between the answer and its type; undefined if they were not compared. */
  findings: readonly Problem[] | undefined

  constructor(id: number, { method = "", url = "", rawHeaders, headers }: IncomingMessage) {
    this.id = id
    this.method = method
    this.url = url
    this.headers = toForeignPairs(rawHeaders)
    this.replayOf = Number(headers[replayHeader]) || 0
  }
}

/** Keeps the last requests. */
export class KeptRequests {
  readonly #requests = new Map<number, KeptRequest>()
  #count = 0

  /** The requests, the newest first. */
  get list(): readonly KeptRequest[] {
    return [...this.#requests.values()].reverse()
  }

  /** Returns a request; undefined if it is no longer stored. */
  find(id: number): KeptRequest | undefined {
    return this.#requests.get(id)
  }

  /**
   * Adds a request that has arrived.
   *
   * @param outgoing the answer, or the connection of an upgrade.
   */
  add(incoming: IncomingMessage, outgoing?: ServerResponse | Duplex): KeptRequest {
    const startedAt = performance.now()
    const request = new KeptRequest(++this.#count, incoming)
    this.#requests.set(request.id, request)
    if (this.#requests.size > maxRequests) this.#requests.delete(this.#count - maxRequests)
    outgoing?.once("close", () => {
      request.ms = performance.now() - startedAt
      // The parent has answered itself, or the client has disconnected.
      if (request.status === 0 && "headersSent" in outgoing && outgoing.headersSent)
        request.status = outgoing.statusCode
    })
    return request
  }
}

/** Stores the body of a request while it is passed on. */
export function keepRequestBody(request: KeptRequest, incoming: IncomingMessage): void {
  incoming.on("data", (part: Buffer) => {
    request.body = addPart(request.body, part, maxBodyBytes)
  })
}

/** Stores the answer to a request while it is passed on. */
export function keepAnswer(request: KeptRequest, answer: IncomingMessage): void {
  request.status = answer.statusCode ?? 0
  request.answerHeaders = toForeignPairs(answer.rawHeaders)
  answer.on("data", (part: Buffer) => {
    request.answerBody = addPart(request.answerBody, part, maxAnswerBytes)
  })
}

function addPart({ data, total }: KeptBody, part: Buffer, maxBytes: number): KeptBody {
  const freeBytes = maxBytes - data.length
  const storedBytes = freeBytes > 0 ? Buffer.concat([data, part.subarray(0, freeBytes)]) : data
  return { data: storedBytes, total: total + part.length }
}

/** Returns a flat list of names and values as pairs. */
export function toPairs(flat: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i] as string, flat[i + 1] as string])
  return pairs
}

/** Returns headers as pairs, without those that the parent and the server process use between each other. */
function toForeignPairs(flat: readonly string[]): HeaderPairs {
  return toPairs(flat).filter(([name]) => !/^x-fw-/i.test(name))
}
