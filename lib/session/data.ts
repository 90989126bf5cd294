/** The types of the data of a session. */

/**
 * The values of sessions by name. Declare yours once, and a name that is not declared is a type error from then on. Values are
 * plain data: what JSON can represent.
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

/** The names of values: any text in an application that declares no {@link SessionData}. */
export type SessionName = [keyof SessionData] extends [never] ? string : keyof SessionData & string

/** The type of the value with a name. */
export type SessionValue<Name> = Name extends keyof SessionData ? SessionData[Name] : unknown

/** A session as it is stored. Times are milliseconds since 1970. */
export interface StoredSession {
  /** When it began; after a sign-in, the time of the sign-in. */
  readonly began: number
  /** When its end was last moved. */
  readonly renewed: number
  readonly subject?: string
  /** The version of the subject in the store when it signed in. `destroyAll()` changes that. */
  readonly version?: string
  readonly values: Readonly<Record<string, unknown>>
  readonly flashes: Readonly<Record<string, string>>
  /** Set on what stays under the old id of a session: the time at which it ends. */
  readonly leftUntil?: number
  /** Set by `rotate()`, under the old id: the key of the session. Requests that overlap the change find it there. */
  readonly movedTo?: string
  /** Set by a sign-in, under the old id: the key of the session that it began. A sign-out with the old id ends that, too. */
  readonly next?: string
  /** Set under the id of a session that has ended. */
  readonly ended?: true
}

/** Changes that a request makes; undefined deletes. */
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

/** Messages that wait, for a client that never reads them. */
const maxFlashes = 100

/** Returns a stored session with the changes of a request. What the request did not change stays as another one left it. */
export function mergeChanges(stored: StoredSession, { values, flashes }: SessionChanges): StoredSession {
  const all = Object.entries(applyChanges(stored.flashes, flashes)).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    ...stored,
    values: applyChanges(stored.values, values),
    flashes: Object.fromEntries(all.slice(-maxFlashes)),
  }
}

/**
 * Seconds for which something stays under the old id of a session. Requests that were sent with that id before the browser got
 * the answer with the new one have arrived by then.
 */
export const staySeconds = 60

/** The fields of something that is not a session: the lifetime of one that began in 1970 is over. */
const emptySession = { began: 0, renewed: 0, values: {}, flashes: {} } as const

const getEndOfStay = () => Date.now() + staySeconds * 1000

/**
 * Returns what stays under the old id of a session after a sign-in: the anonymous values, for a visitor that does not
 * get the answer with the new id. A session that has a subject ends. Values that the request has changed do not stay
 * either, because a used value, such as a code, must not come back.
 */
export function createLeftover(stored: StoredSession, changes: SessionChanges, next: string): StoredSession {
  const { began, renewed, subject, values, leftUntil = getEndOfStay() } = stored
  if (subject !== undefined) return createEnded(next)
  const untouched = Object.entries(values).filter(([name]) => !changes.values.has(name))
  return { began, renewed, values: Object.fromEntries(untouched), flashes: {}, leftUntil, next }
}

/** Returns what stays under the old id of a session that has another one now. */
export function createMoved(movedTo: string): StoredSession {
  return { ...emptySession, leftUntil: getEndOfStay(), movedTo }
}

/** Returns what stays under the id of a session that has ended. @param next key of the session that a sign-in began. */
export function createEnded(next: string | undefined): StoredSession {
  return { ...emptySession, leftUntil: getEndOfStay(), ended: true, ...(next !== undefined && { next }) }
}
