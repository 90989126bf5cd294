/**
 * Bugs under `fw dev`, which shows them to the developer. Its server process sets a listener; in other programs there is
 * none, and bundles of `fw build` leave this file out.
 */
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { givenOf } from "./dev-notes.ts"
import { HttpError } from "./errors.ts"
import { isBug } from "./log/is-bug.ts"

/** The request in which a bug occurred. It has no header and no query, which may contain secrets. */
export interface BugRequest {
  readonly method: string
  readonly path: string
  /** Pattern of the route; `""` if none was matched. */
  readonly pattern: string
  /** Returns a request header, to choose the form of the answer. */
  header(name: string): string
}

/** The body to send in place of the program's own response to a bug. */
export interface BugAnswer {
  readonly type: string
  readonly body: string
}

/**
 * Shows a bug.
 *
 * @param request undefined for a bug that no response shows, such as one in a stream.
 * @param culprit the function that returned a wrong result, which is not in the stack.
 * @param thrower a handler with more than one parameter that threw the error.
 */
export type BugListener = (
  error: unknown,
  request?: BugRequest,
  culprit?: object,
  thrower?: object,
) => BugAnswer | null

/**
 * Explains an answer of 400 to 499 that an error made.
 *
 * @param given the data that the error is about, if it is about data.
 * @returns text for the header {@link noteHeader}; empty if there is nothing to explain.
 */
export type RefusalListener = (error: HttpError, request: BugRequest, given: unknown) => string

/** The header with which a server process of `fw dev` sends its parent the explanation of an answer. */
export const noteHeader = "x-fw-note"

/** Shared by every copy of fw in the process, because the command's copy may differ from the project's. */
const key: unique symbol = Symbol.for("fw.bugs")

/** Takes each promise that a client can make reject, when the program gets it. */
export type UnawaitedListener = (promise: Promise<unknown>) => void

const unawaitedKey: unique symbol = Symbol.for("fw.unawaited")

const refusalKey: unique symbol = Symbol.for("fw.refusals")

type Holder = {
  [key]?: BugListener
  [unawaitedKey]?: UnawaitedListener
  [refusalKey]?: RefusalListener
}

/** Sets the listener. */
export function listenToBugs(listener: BugListener): void {
  const scope = globalThis as Holder
  scope[key] = listener
}

/** Sets the listener for errors that are answers. */
export function listenToRefusals(listener: RefusalListener): void {
  const scope = globalThis as Holder
  scope[refusalKey] = listener
}

/** Returns the listener, if this is a server process of `fw dev`. */
export function bugListener(): BugListener | undefined {
  return (globalThis as Holder)[key]
}

/** Sets the listener for promises of bodies, which then reports those that reject and are not awaited. */
export function watchUnawaited(listener: UnawaitedListener): void {
  const scope = globalThis as Holder
  scope[unawaitedKey] = listener
}

/** Returns true if a listener reports the promise in case it rejects and is not awaited. */
export function isWatched(promise: Promise<unknown>): boolean {
  const listener = (globalThis as Holder)[unawaitedKey]
  listener?.(promise)
  return listener !== undefined
}

/** Returns true if there is a listener for such promises. */
export function isWatching(): boolean {
  return (globalThis as Holder)[unawaitedKey] !== undefined
}

const answers = new WeakMap<Context, BugAnswer | null>()
/** The explanation of the last answer of 400 to 499. */
const notes = new WeakMap<Context, string>()
const culprits = new WeakMap<object, object>()
const throwers = new WeakMap<object, object>()

/** Adds to the error about a wrong result the function that returned it, which is not in the stack. */
export function wrongResult<E extends object>(error: E, culprit: object): E {
  culprits.set(error, culprit)
  return error
}

/** Returns the response to errors of a handler with more than one parameter, of which it only gets the first. */
export function noteThrower<C>(
  handler: object,
  answer: (c: C, error: unknown) => Response | Promise<Response>,
) {
  return (c: C, error: unknown) => {
    if (error instanceof Object && !throwers.has(error)) throwers.set(error, handler)
    return answer(c, error)
  }
}

/** Shows the error of a request, if it is a bug, and explains one that is an answer. */
export function showBug(c: Context): void {
  const listener = bugListener()
  const { method, originalPath: path, pattern, error } = c
  const request = { method, path, pattern, header: (name: string) => c.header(name) }
  if (error instanceof HttpError && error.status < 500)
    notes.set(c, (globalThis as Holder)[refusalKey]?.(error, request, givenOf(error)) ?? "")
  if (!listener || !isBug(c, error)) return
  const [culprit, thrower] = error instanceof Object ? [culprits.get(error), throwers.get(error)] : []
  c.reported = true
  answers.set(c, listener(error, request, culprit, thrower))
}

/** Returns true if the error of a request was shown, so that no logger needs to. */
export function isShown(c: Context): boolean {
  return answers.has(c)
}

/**
 * Returns the response to send in place of one of 400 or more: the one that explains the bug in place of a 500 of the program,
 * or with a note.
 */
export function devResponse(c: Context, response: Response): Response {
  const note = response.status > 499 ? "" : notes.get(c)
  if (note) return access.exchange(c).change(response, [{ name: noteHeader, value: note, append: false }])
  const answer = !c.reported || response.status < 500 ? null : answers.get(c)
  if (!answer || response.bodyUsed) return response
  const headers = new Headers(response.headers)
  // These describe the other body. Its policy would also block the style of the page.
  for (const name of [...headers.keys()]) {
    if (/^(?:content-|etag$|last-modified$)/.test(name)) headers.delete(name)
  }
  headers.set("content-type", answer.type)
  headers.set("cache-control", "no-store")
  response.body?.cancel().catch(() => {})
  return new Response(answer.body, { status: response.status, headers })
}
