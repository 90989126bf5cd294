/** The spans that fw itself exports, and the headers that carry a trace from one program to the next. */
import type { Context } from "../../lib/context.ts"

/** The value of an attribute. */
export type AttributeValue = string | number | boolean

/** The attributes of a span. */
export type Attributes = Record<string, AttributeValue | undefined>

/** The kinds of spans, with their numbers in OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

/** The trace that a request belongs to, as its headers describe it. */
export interface RemoteParent {
  readonly traceID: string
  readonly spanID: string
  readonly isSampled: boolean
  readonly traceState: string
}

/** The request with which a trace came to this program. */
type HeaderSource = Pick<Context, "header">

/**
 * A step of a trace. Most steps are not recorded: other programs and lines of the log only get their ids. So the ids are
 * created when they are first read.
 */
export class Span {
  readonly parent: Span | RemoteParent | undefined
  readonly request: HeaderSource | undefined
  /**
   * A random number from 0 to 1 that decides whether the trace is recorded. The end of the trace's id is this number.
   */
  readonly #randomness: number
  #traceID: string | undefined
  #spanID: string | undefined

  constructor(parent: Span | RemoteParent | undefined, request: HeaderSource | undefined, randomness: number) {
    this.parent = parent
    this.request = request
    this.#randomness = randomness
  }

  get traceID(): string {
    this.#traceID ??= this.parent?.traceID ?? createRandomHex(18) + toRandomnessHex(this.#randomness)
    return this.#traceID
  }

  get spanID(): string {
    this.#spanID ??= createRandomHex(16)
    return this.#spanID
  }

  get traceState(): string {
    return this.parent?.traceState ?? ""
  }
}

/** A step of a trace that is recorded. */
export class RecordedSpan extends Span {
  name: string
  readonly kind: number
  readonly attributes: Attributes
  /** The attributes of the error, if the operation has failed with a bug. */
  exception: Attributes | undefined = undefined
  /** The start in milliseconds since 1970. */
  readonly start = readClock()
  end = 0
  isError = false

  constructor(name: string, kind: number, attributes: Attributes, ...origin: ConstructorParameters<typeof Span>) {
    super(...origin)
    this.name = name
    this.kind = kind
    this.attributes = attributes
  }
}

let clockOffset = Number.NaN

/**
 * Returns the time in milliseconds since 1970, with fractions. `Date.now()` has whole milliseconds, so most spans would
 * have no duration. If the clock of the machine is changed by a second or more, the result follows.
 */
export function readClock(): number {
  const now = performance.now()
  const date = Date.now()
  if (!(Math.abs(date - now - clockOffset) < 1000)) clockOffset = date - now
  return now + clockOffset
}

/** Returns random digits. Ids of traces are no secrets, so pseudo-random ones will do (W3C Trace Context 2, §5.2). */
function createRandomHex(digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join("")
}

/**
 * Number of hexadecimal digits at the end of a trace's id that are its randomness: 56 bits, as in other programs (W3C
 * Trace Context 2, §5.2).
 */
const randomnessDigits = 14

function toRandomnessHex(randomness: number): string {
  return BigInt(Math.floor(randomness * 2 ** 53) * 8)
    .toString(16)
    .padStart(randomnessDigits, "0")
}

/** Returns the number in a trace's id that decides whether it is recorded. */
export function readRandomness(traceID: string): number {
  return Number.parseInt(traceID.slice(-randomnessDigits), 16) / 2 ** 56
}

const traceparentPattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
/** Maximum length of a header that is passed on (W3C Baggage §3.3.2; Trace Context requires at least 512). */
const maxHeaderChars = 8192

/** Reads `traceparent` and `tracestate` (W3C Trace Context). Returns undefined if they are not valid. */
export function readTraceparent(request: HeaderSource): RemoteParent | undefined {
  const text = request.header("traceparent")
  if (text === "") return undefined
  const [, version, traceID = "", spanID = "", flags = "", rest] = traceparentPattern.exec(text) ?? []
  if (version === undefined || version === "ff" || (version === "00" && rest)) return undefined
  if (/^0+$/.test(traceID) || /^0+$/.test(spanID)) return undefined
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceID, spanID, isSampled, traceState: dropIfTooLong(request.header("tracestate")) }
}

function dropIfTooLong(text: string): string {
  return text.length > maxHeaderChars ? "" : text
}

/** Returns the headers with which another program continues a trace. */
export function createTraceHeaders(span: Span, propagators: readonly string[]): [name: string, value: string][] {
  const headers: [string, string][] = []
  if (propagators.includes("tracecontext")) {
    headers.push(["traceparent", `00-${span.traceID}-${span.spanID}-0${span instanceof RecordedSpan ? 1 : 0}`])
    if (span.traceState) headers.push(["tracestate", span.traceState])
  }
  const baggage = propagators.includes("baggage") ? dropIfTooLong(span.request?.header("baggage") ?? "") : ""
  // `baggage` is passed on as it came: nothing here reads its entries.
  if (baggage) headers.push(["baggage", baggage])
  return headers
}
