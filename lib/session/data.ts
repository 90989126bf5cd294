/** The data of a session: its types, and functions that change it. */

/**
 * The values of sessions by name. After an application has declared its values here, a name that is not declared is a
 * type error. Values are plain data that JSON can represent.
 *
 * @example
 * import { memoryStore } from "fw/store"
 * declare module "fw/session" {
 *   interface SessionData {
 *     cart: string[]
 *     theme: string
 *   }
 * }
 * app.use(session({ store: memoryStore() }))
 * app.get("/", (c) => c.json(200, c.session.get("cart") ?? []))
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it
export interface SessionData {}

/** The names of values. Any text in an application that does not extend {@link SessionData}. */
export type SessionName = [keyof SessionData] extends [never] ? string : keyof SessionData & string

/** The type of the value with a name. */
export type SessionValue<Name> = Name extends keyof SessionData ? SessionData[Name] : unknown

/** A session in the store. Times are milliseconds since 1970. */
export interface StoredSession {
  /** When the session began, or when the visitor signed in. */
  readonly began: number
  /** When the idle time was last started again. */
  readonly renewed: number
  readonly subject?: string
  /**
   * The version of the subject at the sign-in. `destroyAll()` changes the version in the store, which ends the session.
   */
  readonly version?: string
  readonly values: Readonly<Record<string, unknown>>
  readonly flashes: Readonly<Record<string, string>>
  /** Set on an entry that stays under an old id for a while: the time at which it ends. */
  readonly leftUntil?: number
  /**
   * Set by `rotate()` on the entry of the old id: the key of the session. Concurrent requests find the session with it.
   */
  readonly movedTo?: string
  /**
   * Set by a sign-in on the entry of the old id: the key of the new session. If a request with the old id signs out,
   * that session ends too.
   */
  readonly next?: string
  /** Set on the entry of a session that has ended. */
  readonly ended?: true
}

/** The changes of one request. An undefined value is deleted. */
export interface SessionChanges {
  readonly values: ReadonlyMap<string, unknown>
  readonly flashes: ReadonlyMap<string, string | undefined>
}

function applyChanges<Value>(
  record: Readonly<Record<string, Value>>,
  changes: ReadonlyMap<string, Value | undefined>,
): Record<string, Value> {
  const entries = new Map(Object.entries(record))
  for (const [name, value] of changes)
    if (value === undefined) entries.delete(name)
    else entries.set(name, value)
  return Object.fromEntries(entries)
}

/** Maximum number of stored messages, for clients that never read them. */
const maxFlashes = 100

/**
 * Applies the changes of a request to a stored session. Values that the request has not changed stay, because another
 * request may have set them.
 */
export function mergeChanges(session: StoredSession, { values, flashes }: SessionChanges): StoredSession {
  const sortedFlashes = Object.entries(applyChanges(session.flashes, flashes)).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return {
    ...session,
    values: applyChanges(session.values, values),
    flashes: Object.fromEntries(sortedFlashes.slice(-maxFlashes)),
  }
}

/**
 * Seconds for which an entry stays under the old id of a session. In this time, requests arrive that the browser has
 * sent with the old id before it got the new one.
 */
export const oldIDSeconds = 60

/** Fields of an entry that is not a session. Since it began in 1970, its lifetime is over. */
const emptySession = { began: 0, renewed: 0, values: {}, flashes: {} } as const

const createEndTime = () => Date.now() + oldIDSeconds * 1000

/**
 * Returns the entry that stays under the old id after a sign-in. It keeps the anonymous values, in case the browser
 * never gets the answer with the new id. It does not keep values that the request has changed: a value that was used
 * up, such as a code, must not come back. If the old session had a subject, it ends instead.
 */
export function createSignInEntry(stored: StoredSession, changes: SessionChanges, next: string): StoredSession {
  const { began, renewed, subject, values, leftUntil = createEndTime() } = stored
  if (subject !== undefined) return createEndEntry(next)
  const unchangedValues = Object.entries(values).filter(([name]) => !changes.values.has(name))
  return { began, renewed, values: Object.fromEntries(unchangedValues), flashes: {}, leftUntil, next }
}

/** Returns the entry that stays under the old id of a session that has moved to another id. */
export function createMovedEntry(movedTo: string): StoredSession {
  return { ...emptySession, leftUntil: createEndTime(), movedTo }
}

/** Returns the entry for a session that has ended. @param next the key of the session that a sign-in has begun. */
export function createEndEntry(next: string | undefined): StoredSession {
  return { ...emptySession, leftUntil: createEndTime(), ended: true, ...(next !== undefined && { next }) }
}
