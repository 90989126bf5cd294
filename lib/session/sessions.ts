/** Sessions in a store: finds the session of a request, and saves changes with compare-and-set. */
import { hashText } from "../digest.ts"
import { toBase64URL } from "../request/signing-keys.ts"
import { encodeValue } from "../store/checks.ts"
import type { KV, Lifetime } from "../store/types.ts"
import { type CookieChange, createRandomID } from "./cookie.ts"
import {
  createEndEntry,
  createMovedEntry,
  createSignInEntry,
  mergeChanges,
  oldIDSeconds,
  type SessionChanges,
  type StoredSession,
} from "./data.ts"
import { sessionFault } from "./fault.ts"
import { checkSubject, getSessionState, Session } from "./session.ts"

/**
 * The share of the idle time after which a request starts the idle time again. Without it, every request would write to
 * the store.
 */
const renewalShare = 0.05

/**
 * Seconds after `destroyAll()` in which a request with an ended session sets no cookie, because the visitor may be
 * signing in again.
 */
const lateRequestSeconds = 5
/**
 * Number of refusals after which a store counts as faulty, if it refuses a change although the stored value is the
 * expected one.
 */
const maxRefusals = 10

/** A request and its session. */
export interface Visit {
  readonly session: Session
  /** The key in the store for the id in the request; undefined if the request has no id. */
  readonly key: string | undefined
  readonly stored: StoredSession | undefined
  /** Checks that the changes can be stored. @throws FwError `store` if one cannot. */
  check(): void
  /** Refuses further changes. */
  close(): void
}

/** A key in the store, and the session under it; undefined if it has gone. */
interface StoredEntry {
  readonly key: string
  readonly stored: StoredSession | undefined
}

async function hashToBase64URL(text: string): Promise<string> {
  return toBase64URL(await hashText(text))
}

/** The sessions of an application. */
export class Sessions {
  readonly #kv: KV
  readonly #idleSeconds: number
  readonly #lifetimeSeconds: number

  constructor(kv: KV, idle: number, lifetime: number) {
    this.#kv = kv
    this.#idleSeconds = idle
    this.#lifetimeSeconds = lifetime
  }

  /**
   * Opens the session with an id. If there is no session in the store, its id is not used for a new one, because an
   * attacker may have chosen it.
   */
  async open(id: string | undefined): Promise<Visit> {
    const key = id === undefined ? undefined : await this.#createKey(id)
    const entry = key === undefined ? undefined : await this.#get(key)
    const stored = entry && (await this.#findState(entry)) === "open" ? entry : undefined
    const session = new Session(stored)
    return {
      ...{ session, key, stored },
      check: () => {
        for (const value of getSessionState(session).changes.values.values())
          if (value !== undefined) encodeValue("c.session", value)
      },
      close: () => getSessionState(session).close(),
    }
  }

  /**
   * Saves what a request has changed. Returns a change of the cookie only if the request begins, moves or ends a
   * session. Any other request must not set the cookie: its answer could arrive after that of a sign-in and undo it.
   */
  async save({ session, key, stored }: Visit): Promise<CookieChange | undefined> {
    const { changes, idChange, isDestroyed } = getSessionState(session)
    if (isDestroyed && key !== undefined) await this.#endSession(key)
    if (stored && !isDestroyed && idChange) return this.#replaceID(session, key as string, stored)
    if (idChange?.kind === "sign-in") {
      if (key !== undefined) await this.#endOther(key, idChange.subject)
      return this.#beginSession(session, key, undefined)
    }
    const isChanged = changes.values.size > 0 || changes.flashes.size > 0
    if (stored && !isDestroyed) return this.#saveChanges(key as string, stored, changes, isChanged)
    if (isChanged && (isDestroyed || !(await this.#isLate(key))))
      return this.#beginSession(session, undefined, undefined)
    return isDestroyed ? { id: undefined, maxAge: 0 } : undefined
  }

  /** Ends every session of a subject. */
  async destroyAll(subject: string): Promise<void> {
    checkSubject("destroyAll()", subject)
    const version = `${createRandomID()} ${Date.now()}`
    await this.#kv.set(await this.#createSubjectKey(subject), version, { ttl: this.#lifetimeSeconds })
  }

  async #createKey(id: string): Promise<string> {
    // The key contains only a digest, so nobody who reads the store can use the session.
    return `session ${await hashToBase64URL(id)}`
  }

  async #createSubjectKey(subject: string): Promise<string> {
    return `session-subject ${await hashToBase64URL(subject)}`
  }

  async #get<Value = StoredSession>(key: string): Promise<Value | undefined> {
    // A store of the program's own may return null for a missing value.
    return (await this.#kv.get<Value>(key)) ?? undefined
  }

  /**
   * Replaces a value in the store if it is the expected one. Returns false if it is not.
   *
   * @throws FwError `session` if the store refuses although the value is the expected one.
   */
  async #swap(key: string, expected: unknown, value: unknown, options: Lifetime): Promise<boolean> {
    for (let refusals = 0; refusals < maxRefusals; refusals++) {
      if (await this.#kv.compareAndSet(key, expected, value, options)) return true
      if (JSON.stringify(await this.#get(key)) !== JSON.stringify(expected)) return false
    }
    throw sessionFault("session.refusals", [maxRefusals])
  }

  /** Returns whether a session is open, or has ended or moved just now (`late`), or is over. */
  async #findState(stored: StoredSession): Promise<"open" | "late" | "over"> {
    const { leftUntil, subject } = stored
    if (leftUntil !== undefined && leftUntil <= Date.now()) return "over"
    if (this.#getSecondsLeft(stored) === 0) return leftUntil === undefined ? "over" : "late"
    if (subject === undefined) return "open"
    const version = await this.#get<string>(await this.#createSubjectKey(subject))
    if (version === stored.version) return "open"
    const [, time = 0] = version?.split(" ") ?? []
    return Math.abs(Date.now() - Number(time)) < lateRequestSeconds * 1000 ? "late" : "over"
  }

  /**
   * Returns true if the session of an id has just ended or moved. The browser may already have another cookie. The
   * store is asked again, because that may have happened during this request.
   */
  async #isLate(key: string | undefined): Promise<boolean> {
    const entry = key === undefined ? undefined : await this.#get(key)
    return entry !== undefined && (await this.#findState(entry)) === "late"
  }

  /** Returns the whole seconds until a session ends if no further request comes. */
  #getSecondsLeft({ began, leftUntil = Number.POSITIVE_INFINITY }: StoredSession): number {
    const end = Math.min(began + this.#lifetimeSeconds * 1000, leftUntil)
    return Math.max(0, Math.ceil(Math.min(this.#idleSeconds, (end - Date.now()) / 1000)))
  }

  /**
   * Returns how long the store keeps a session. It is at least a second, because a session may end during a request.
   */
  #getLifetime(stored: StoredSession): Lifetime {
    return { ttl: Math.max(1, this.#getSecondsLeft(stored)) }
  }

  /** Returns the cookie of a session. It is not set again later, so it is valid until the lifetime ends. */
  #createCookie(id: string, { began }: StoredSession): CookieChange {
    return { id, maxAge: Math.max(1, Math.ceil(this.#lifetimeSeconds + (began - Date.now()) / 1000)) }
  }

  /** Returns the fields of a session that begins, or that continues under another id. */
  async #createHead(session: Session, stored: StoredSession | undefined): Promise<StoredSession> {
    const now = Date.now()
    const { idChange } = getSessionState(session)
    const allFields: StoredSession = { began: now, values: {}, flashes: {}, ...stored, renewed: now }
    const { leftUntil: _end, next: _next, ...base } = allFields
    if (idChange?.kind !== "sign-in") return base
    const version = await this.#keepVersion(idChange.subject)
    const { version: _, ...rest } = base
    return { ...rest, began: now, subject: idChange.subject, ...(version !== undefined && { version }) }
  }

  /** Returns the version of a subject, and keeps it in the store for as long as the session may last. */
  async #keepVersion(subject: string): Promise<string | undefined> {
    const key = await this.#createSubjectKey(subject)
    for (;;) {
      const version = await this.#get<string>(key)
      if (version === undefined) return undefined
      if (await this.#swap(key, version, version, { ttl: this.#lifetimeSeconds })) return version
    }
  }

  async #write(stored: StoredSession): Promise<{ readonly id: string; readonly key: string }> {
    const id = createRandomID()
    const key = await this.#createKey(id)
    await this.#kv.set(key, stored, this.#getLifetime(stored))
    return { id, key }
  }

  /**
   * Begins a new session.
   *
   * @param from the key of an old id. Its entry ends.
   * @param base a session whose values are copied.
   */
  async #beginSession(
    session: Session,
    from: string | undefined,
    base: StoredSession | undefined,
  ): Promise<CookieChange> {
    const stored = mergeChanges(await this.#createHead(session, base), getSessionState(session).changes)
    const { id, key } = await this.#write(stored)
    // Concurrent requests still have the old id. With this entry they do not set another cookie.
    if (from !== undefined) await this.#kv.set(from, createEndEntry(key), { ttl: oldIDSeconds })
    return this.#createCookie(id, stored)
  }

  /**
   * Moves a session to another id. The new entry is written first, so that a crash loses nothing. After a sign-in, the
   * anonymous values stay under the old id for a while, because the answer with the new id may be lost.
   */
  async #replaceID(session: Session, from: string, knownSession: StoredSession): Promise<CookieChange | undefined> {
    const { changes, idChange } = getSessionState(session)
    const subject = idChange?.kind === "sign-in" ? idChange.subject : undefined
    // The visitor has signed in with another request. The old id must not get the rights of that session.
    if (subject === undefined && knownSession.leftUntil !== undefined) return undefined
    let [key, currentSession] = [from, knownSession]
    for (;;) {
      const nextSession = mergeChanges(await this.#createHead(session, currentSession), changes)
      const newEntry = await this.#write(nextSession)
      const oldEntry =
        subject === undefined
          ? createMovedEntry(newEntry.key)
          : createSignInEntry(currentSession, changes, newEntry.key)
      if (await this.#swap(key, currentSession, oldEntry, this.#getEntryLifetime(oldEntry)))
        return this.#createCookie(newEntry.id, nextSession)
      await this.#kv.delete(newEntry.key)
      const latest = await this.#findCurrent(key)
      if (subject === undefined) {
        // Another request has moved the session, and its answer has the new id. This answer sets no cookie, because it
        // could arrive later and replace that one.
        if (latest.key !== key) await this.#update(latest, knownSession, (moved) => mergeChanges(moved, changes))
        // Another request has signed the visitor out or in.
        if (latest.key !== key || !latest.stored || latest.stored.leftUntil !== undefined) return undefined
      } else {
        // Another request has signed in the same user. Both sessions get the same values, so it does not matter which
        // answer arrives last.
        const successor = await this.#findSuccessor(key)
        if (successor?.subject === subject) return this.#beginSession(session, undefined, successor)
      }
      if (!latest.stored) return this.#beginSession(session, key, undefined)
      key = latest.key
      currentSession = latest.stored
    }
  }

  #getEntryLifetime({ leftUntil = 0 }: StoredSession): Lifetime {
    return { ttl: Math.min(oldIDSeconds, Math.max(1, (leftUntil - Date.now()) / 1000)) }
  }

  /** Returns the entry of a key, or the entry to which another request has moved it. */
  async #findCurrent(from: string): Promise<StoredEntry> {
    for (let key = from; ; ) {
      const stored = await this.#get(key)
      if (stored?.movedTo === undefined) return { key, stored: stored?.ended ? undefined : stored }
      key = stored.movedTo
    }
  }

  /** Returns the session that another request has made of this one, by moving it or by a sign-in. */
  async #findSuccessor(from: string): Promise<StoredSession | undefined> {
    let stored = await this.#get(from)
    if (stored?.leftUntil === undefined) return undefined
    while (stored?.leftUntil !== undefined) {
      const key: string | undefined = stored.movedTo ?? stored.next
      stored = key === undefined ? undefined : await this.#get(key)
    }
    return stored && this.#getSecondsLeft(stored) > 0 ? stored : undefined
  }

  /** Saves the changes of a request that keeps its session. Sometimes also starts the idle time again. */
  async #saveChanges(
    key: string,
    stored: StoredSession,
    changes: SessionChanges,
    isChanged: boolean,
  ): Promise<undefined> {
    const now = Date.now()
    // The difference may be negative, because the clocks of two machines differ, and somebody may set a clock back.
    const isDue = Math.abs(now - stored.renewed) >= this.#idleSeconds * 1000 * renewalShare
    if (!isChanged && (!isDue || stored.leftUntil !== undefined)) return
    await this.#update({ key, stored }, stored, (current) => ({
      ...mergeChanges(current, changes),
      renewed: isDue ? now : current.renewed,
    }))
  }

  /** Changes a stored session, unless another request has ended it, or has signed in after this request had read it. */
  async #update(
    from: StoredEntry,
    knownSession: StoredSession,
    change: (current: StoredSession) => StoredSession,
  ): Promise<void> {
    let { key, stored } = from
    // After a sign-in, the browser may already have the new id. So a request that has read the old session changes
    // nothing.
    while (stored && stored.next === knownSession.next) {
      const next = change(stored)
      if (await this.#swap(key, stored, next, this.#getLifetime(next))) return
      const latest = await this.#findCurrent(key)
      key = latest.key
      stored = latest.stored
    }
  }

  /**
   * Ends the session to which another request has moved this one, if it belongs to another user. Otherwise its cookie
   * could arrive after that of a sign-in.
   */
  async #endOther(from: string, subject: string): Promise<void> {
    const { key, stored } = await this.#findCurrent(from)
    if (key !== from && stored?.subject !== undefined && stored.subject !== subject) await this.#endSession(key)
  }

  /** Ends a stored session, and all sessions that other requests have made of it. */
  async #endSession(from: string): Promise<void> {
    for (let key: string | undefined = from; key !== undefined; ) {
      const stored: StoredSession | undefined = await this.#get(key)
      if (!stored) return
      const next: string | undefined = stored.movedTo ?? stored.next
      const isOver = stored.ended || stored.movedTo !== undefined
      if (isOver || (await this.#swap(key, stored, createEndEntry(next), { ttl: oldIDSeconds }))) key = next
    }
  }
}
