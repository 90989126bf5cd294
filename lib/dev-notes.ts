/**
 * Facts about requests that `fw dev` explains to the developer. Its server process sets a listener; in other programs there is
 * none, and bundles of `fw build` leave this file out.
 */
import type { HttpError } from "./errors.ts"
import type { Pattern } from "./pattern.ts"

/** A parameter that the pattern of a request's route does not have. */
export interface UnknownParam {
  readonly name: string
  readonly pattern: string
  /** The parameters of the pattern. */
  readonly names: readonly string[]
  readonly method: string
}

/** The functions that `fw dev` sets. */
export interface NoteListener {
  /** Returns the error to throw for a parameter that no request has; undefined where the call may be meant. */
  unknownParam(asked: UnknownParam): Error | undefined
  /** Takes a URL that the program prints in an attribute, or redirects to. */
  url(url: string): void
}

/** Shared by every copy of fw in the process, because the command's copy may differ from the project's. */
const key: unique symbol = Symbol.for("fw.notes")

type Holder = { listener?: NoteListener }

/** Returns the object with the listener. It is found once, because a page prints thousands of URLs. */
function findHolder(): Holder {
  const scope = globalThis as { [key]?: Holder }
  scope[key] ??= {}
  return scope[key]
}

const holder = /* @__PURE__ */ findHolder()

/** Sets the listener. */
export function listenToNotes(listener: NoteListener): void {
  holder.listener = listener
}

/** Throws the error for a parameter that no request has. @param pattern of the route; undefined before it is found. */
export function checkParam(pattern: Pattern | undefined, name: string, method: string): void {
  if (!pattern || pattern.names.includes(name)) return
  const { text, names } = pattern
  const error = holder.listener?.unknownParam({ name, pattern: text, names, method })
  if (error) throw error
}

/** Reports a URL that the program prints in an attribute, or redirects to. @returns the URL. */
export function noteURL(url: string): string {
  holder.listener?.url(url)
  return url
}

const given = new WeakMap<HttpError, unknown>()

/** Adds to the error about data that is not valid the data itself, with which `fw dev` explains it. */
export function withGiven(error: HttpError, data: unknown): HttpError {
  given.set(error, data)
  return error
}

/** Returns the data that an error is about. */
export function givenOf(error: HttpError): unknown {
  return given.get(error)
}
