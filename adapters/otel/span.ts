/** The spans that fw itself exports, and the headers that carry a trace from one program to the next. */

/** The value of an attribute. */
export type AttributeValue = string | number | boolean

/** The kinds of spans, with their numbers in OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const

/** An event in a span. */
export interface SpanEvent {
  readonly name: string
  readonly time: number
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** The trace that a request belongs to, as its headers describe it. */
export interface RemoteParent {
  readonly traceID: string
  readonly spanID: string
  readonly isSampled: boolean
  readonly traceState: string
}

// Spans that are not recorded share these objects. Most spans are not recorded.
const nothing: Record<string, AttributeValue> = Object.freeze({})
const noEvents: SpanEvent[] = Object.freeze([]) as unknown as SpanEvent[]

/**
 * A step of a trace. Its ids are created when they are first read, because a program that records few traces does not
 * need most of them.
 */
export class Span {
  readonly isSampled: boolean
  readonly traceState: string
  /** Reads a header of the request with which the trace came to this program. */
  readonly header: ((name: string) => string) | undefined
  readonly parent: Span | RemoteParent | undefined
  readonly kind: number
  name: string
  /** The start in milliseconds since 1970. */
  readonly start: number
  end = 0
  /** 0 means unset, 2 means error. */
  status: 0 | 2 = 0
  statusMessage = ""
  readonly attributes: Record<string, AttributeValue>
  readonly events: SpanEvent[]
  /**
   * A random number from 0 to 1 that decides whether the trace is recorded. The end of the trace's id is this number.
   */
  readonly #share: number
  #traceID: string | undefined
  #spanID: string | undefined

  constructor(
    name: string,
    kind: number,
    parent: Span | RemoteParent | undefined,
    isSampled: boolean,
    share = 0,
    header?: (name: string) => string,
  ) {
    this.name = name
    this.kind = kind
    this.parent = parent
    this.isSampled = isSampled
    this.#share = share
    this.traceState = parent?.traceState ?? ""
    this.header = header
    this.attributes = isSampled ? {} : nothing
    this.events = isSampled ? [] : noEvents
    this.start = isSampled ? readClock() : 0
  }

  get traceID(): string {
    this.#traceID ??= this.parent?.traceID ?? randomHex(18) + toShareHex(this.#share)
    return this.#traceID
  }

  get spanID(): string {
    this.#spanID ??= randomHex(16)
    return this.#spanID
  }
}

let clockOffset = Number.NaN

/**
 * Returns the time in milliseconds since 1970, with fractions. `Date.now()` has whole milliseconds, so most spans would
 * have no duration. It is adjusted when somebody sets the clock.
 */
export function readClock(): number {
  const now = performance.now()
  const date = Date.now()
  if (!(Math.abs(date - now - clockOffset) < 1000)) clockOffset = date - now
  return now + clockOffset
}

function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(digits / 2))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/**
 * Number of digits at the end of a trace's id that decide whether it is recorded. They are 56 bits, as in other
 * programs (W3C Trace Context 2, §5.2).
 */
const shareDigits = 14

function toShareHex(share: number): string {
  return BigInt(Math.floor(share * 2 ** 53) * 8)
    .toString(16)
    .padStart(shareDigits, "0")
}

/** Returns the number in a trace's id that decides whether it is recorded. */
export function readShare(traceID: string): number {
  return Number.parseInt(traceID.slice(-shareDigits), 16) / 2 ** 56
}

const traceparentPattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
/** Maximum length of a header that is passed on (W3C Baggage §3.3.2; Trace Context requires at least 512). */
const maxHeaderChars = 8192

/** Reads `traceparent` and `tracestate` (W3C Trace Context). Returns undefined if they are not valid. */
export function readTraceparent(header: (name: string) => string): RemoteParent | undefined {
  const text = header("traceparent")
  if (text === "") return undefined
  const [, version, traceID = "", spanID = "", flags = "", more] = traceparentPattern.exec(text) ?? []
  if (version === undefined || version === "ff" || (version === "00" && more)) return undefined
  if (/^0+$/.test(traceID) || /^0+$/.test(spanID)) return undefined
  return { traceID, spanID, isSampled: (Number.parseInt(flags, 16) & 1) === 1, traceState: cut(header("tracestate")) }
}

function cut(text: string): string {
  return text.length > maxHeaderChars ? "" : text
}

/** Returns the headers with which another program continues a trace. */
export function createTraceHeaders(span: Span, propagators: readonly string[]): [name: string, value: string][] {
  const headers: [string, string][] = []
  if (propagators.includes("tracecontext")) {
    headers.push(["traceparent", `00-${span.traceID}-${span.spanID}-0${span.isSampled ? 1 : 0}`])
    if (span.traceState) headers.push(["tracestate", span.traceState])
  }
  const baggage = propagators.includes("baggage") ? cut(span.header?.("baggage") ?? "") : ""
  // `baggage` is passed on without reading it.
  if (baggage) headers.push(["baggage", baggage])
  return headers
}
