/** Sessions in a store: opens those of visitors, and saves changes by compare-and-set. */
import { encodeValue } from "../store/checks.ts"
import type { KV, Lifetime } from "../store/types.ts"
import { type CookieChange, createRandomID, toBase64URL } from "./cookie.ts"
import {
  createEnded,
  createLeftover,
  createMoved,
  mergeChanges,
  type SessionChanges,
  type StoredSession,
  staySeconds,
} from "./data.ts"
import { sessionFault } from "./fault.ts"
import { checkSubject, getSessionState, Session } from "./session.ts"

/** The part of the idle time after which a request moves the end of a session, so that not every request writes. */
const renewalShare = 0.05

/** Seconds after `destroyAll()` in which a request of a session that it ended sets no cookie: the visitor may be signing in again. */
const lateSeconds = 5
/** Number of refusals of the same change after which the store is taken for a faulty one. */
const maxRefusals = 10

/** A request with its session. */
export interface Visit {
  readonly session: Session
  /** Key in the store of the id that the request has; undefined without one. */
  readonly key: string | undefined
  readonly stored: StoredSession | undefined
  /** Checks the changes. @throws FwError `store` for a value that cannot be stored. */
  check(): void
  /** Refuses later changes. */
  close(): void
}

/** A place in the store, and the session there; undefined if there is none any more. */
interface StoredEntry {
  readonly key: string
  readonly stored: StoredSession | undefined
}

async function hashText(text: string): Promise<string> {
  return toBase64URL(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
}

/** The sessions of an application. */
export class Sessions {
  readonly #kv: KV
  /** Both in seconds. */
  readonly #idleSeconds: number
  readonly #lifetimeSeconds: number

  constructor(kv: KV, idle: number, lifetime: number) {
    this.#kv = kv
    this.#idleSeconds = idle
    this.#lifetimeSeconds = lifetime
  }

  /** Opens the session with an id. An id without a session in the store is not used again: somebody may have planted it. */
  async open(id: string | undefined): Promise<Visit> {
    const key = id === undefined ? undefined : await this.#createKey(id)
    const found = key === undefined ? undefined : await this.#get(key)
    const stored = found && (await this.#findState(found)) === "open" ? found : undefined
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
   * Saves what a request has changed. Returns a change of the cookie, if there is one: only a request that begins, moves or ends
   * a session sets it, once. Another one could be overtaken by a sign-in, and its cookie would undo that.
   */
  async save({ session, key, stored }: Visit): Promise<CookieChange | undefined> {
    const { changes, turn, isDestroyed } = getSessionState(session)
    if (isDestroyed && key !== undefined) await this.#endSession(key)
    if (stored && !isDestroyed && turn) return this.#replaceID(session, key as string, stored)
    if (turn?.kind === "sign-in") {
      if (key !== undefined) await this.#endOther(key, turn.subject)
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
    // Anyone who reads the store cannot use what is there.
    return `session ${await hashText(id)}`
  }

  async #createSubjectKey(subject: string): Promise<string> {
    return `session-subject ${await hashText(subject)}`
  }

  async #get<Value = StoredSession>(key: string): Promise<Value | undefined> {
    // A program's own store may return null if there is nothing.
    return (await this.#kv.get<Value>(key)) ?? undefined
  }

  /**
   * Replaces what is stored, if it is as expected.
   *
   * @throws FwError `session` for a store that refuses although the stored value is as expected.
   */
  async #swap(key: string, expected: unknown, value: unknown, options: Lifetime): Promise<boolean> {
    for (let refusals = 0; refusals < maxRefusals; refusals++) {
      if (await this.#kv.compareAndSet(key, expected, value, options)) return true
      if (JSON.stringify(await this.#get(key)) !== JSON.stringify(expected)) return false
    }
    throw sessionFault("session.refusals", [maxRefusals])
  }

  /** Returns whether a session is open, has just ended or moved, or is over. */
  async #findState(stored: StoredSession): Promise<"open" | "late" | "over"> {
    const { leftUntil, subject } = stored
    if (leftUntil !== undefined && leftUntil <= Date.now()) return "over"
    if (this.#getSecondsLeft(stored) === 0) return leftUntil === undefined ? "over" : "late"
    if (subject === undefined) return "open"
    const version = await this.#get<string>(await this.#createSubjectKey(subject))
    if (version === stored.version) return "open"
    const [, time = 0] = version?.split(" ") ?? []
    return Math.abs(Date.now() - Number(time)) < lateSeconds * 1000 ? "late" : "over"
  }

  /**
   * Returns true if the session of an id has just ended or has another id. The browser may have got the new cookie already. It is
   * asked at the end of a request, which may overlap that change.
   */
  async #isLate(key: string | undefined): Promise<boolean> {
    const found = key === undefined ? undefined : await this.#get(key)
    return found !== undefined && (await this.#findState(found)) === "late"
  }

  /** Returns the whole seconds until a session ends, if no request comes. */
  #getSecondsLeft({ began, leftUntil = Number.POSITIVE_INFINITY }: StoredSession): number {
    const end = Math.min(began + this.#lifetimeSeconds * 1000, leftUntil)
    return Math.max(0, Math.ceil(Math.min(this.#idleSeconds, (end - Date.now()) / 1000)))
  }

  /** Returns the time for which the store keeps a session. One that ends during a request is not an error. */
  #getLifetime(stored: StoredSession): Lifetime {
    return { ttl: Math.max(1, this.#getSecondsLeft(stored)) }
  }

  /** Returns the cookie of a session. It is valid until the lifetime ends, since it is not set again. */
  #createCookie(id: string, { began }: StoredSession): CookieChange {
    return { id, maxAge: Math.max(1, Math.ceil(this.#lifetimeSeconds + (began - Date.now()) / 1000)) }
  }

  /** Returns the fields of a session that begins now, or continues under another id. */
  async #createHead(session: Session, stored: StoredSession | undefined): Promise<StoredSession> {
    const now = Date.now()
    const { turn } = getSessionState(session)
    const from: StoredSession = { began: now, values: {}, flashes: {}, ...stored, renewed: now }
    const { leftUntil: _end, next: _next, ...base } = from
    if (turn?.kind !== "sign-in") return base
    const version = await this.#keepVersion(turn.subject)
    const { version: _, ...rest } = base
    return { ...rest, began: now, subject: turn.subject, ...(version !== undefined && { version }) }
  }

  /** Returns the version of a subject, which then stays in the store for as long as the session. */
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
   * Begins a session.
   *
   * @param from key of an id that is worthless from now on.
   * @param base a session to copy.
   */
  async #beginSession(
    session: Session,
    from: string | undefined,
    base: StoredSession | undefined,
  ): Promise<CookieChange> {
    const stored = mergeChanges(await this.#createHead(session, base), getSessionState(session).changes)
    const { id, key } = await this.#write(stored)
    // A request that still comes with the old id must not replace the cookie.
    if (from !== undefined) await this.#kv.set(from, createEnded(key), { ttl: staySeconds })
    return this.#createCookie(id, stored)
  }

  /**
   * Moves a session to another id. The new one is there before the old one goes, so that a crash loses nothing. After a
   * sign-in, the anonymous values stay under the old id for a while: the answer with the new one may be lost.
   */
  async #replaceID(session: Session, from: string, known: StoredSession): Promise<CookieChange | undefined> {
    const { changes, turn } = getSessionState(session)
    const subject = turn?.kind === "sign-in" ? turn.subject : undefined
    // The visitor has signed in, and this request has not got the answer. Rights must not come to the old id.
    if (subject === undefined && known.leftUntil !== undefined) return undefined
    let [key, current] = [from, known]
    for (;;) {
      const next = mergeChanges(await this.#createHead(session, current), changes)
      const newEntry = await this.#write(next)
      const oldEntry =
        subject === undefined ? createMoved(newEntry.key) : createLeftover(current, changes, newEntry.key)
      if (await this.#swap(key, current, oldEntry, this.#getStay(oldEntry)))
        return this.#createCookie(newEntry.id, next)
      await this.#kv.delete(newEntry.key)
      const found = await this.#findCurrent(key)
      if (subject === undefined) {
        // Another request has moved the session. Its answer has the new id, and a second one could be overtaken by it.
        if (found.key !== key) await this.#update(found, known, (moved) => mergeChanges(moved, changes))
        // Another request has signed out or in.
        if (found.key !== key || !found.stored || found.stored.leftUntil !== undefined) return undefined
      } else {
        // Another request has signed the same user in: both answers have the same values, whichever comes last.
        const other = await this.#findSuccessor(key)
        if (other?.subject === subject) return this.#beginSession(session, undefined, other)
      }
      if (!found.stored) return this.#beginSession(session, key, undefined)
      key = found.key
      current = found.stored
    }
  }

  #getStay({ leftUntil = 0 }: StoredSession): Lifetime {
    return { ttl: Math.min(staySeconds, Math.max(1, (leftUntil - Date.now()) / 1000)) }
  }

  /** Returns what is stored under a key, or where another request has moved it. */
  async #findCurrent(from: string): Promise<StoredEntry> {
    for (let key = from; ; ) {
      const stored = await this.#get(key)
      if (stored?.movedTo === undefined) return { key, stored: stored?.ended ? undefined : stored }
      key = stored.movedTo
    }
  }

  /** Returns the session to which another request has moved this one, or which it has begun by signing in. */
  async #findSuccessor(from: string): Promise<StoredSession | undefined> {
    let stored = await this.#get(from)
    if (stored?.leftUntil === undefined) return undefined
    while (stored?.leftUntil !== undefined) {
      const key: string | undefined = stored.movedTo ?? stored.next
      stored = key === undefined ? undefined : await this.#get(key)
    }
    return stored && this.#getSecondsLeft(stored) > 0 ? stored : undefined
  }

  /** Saves the changes of a request that stays in its session, and moves the end of the session now and then. */
  async #saveChanges(
    key: string,
    stored: StoredSession,
    changes: SessionChanges,
    isChanged: boolean,
  ): Promise<undefined> {
    const now = Date.now()
    // A clock may be set back, and those of two machines differ.
    const isDue = Math.abs(now - stored.renewed) >= this.#idleSeconds * 1000 * renewalShare
    if (!isChanged && (!isDue || stored.leftUntil !== undefined)) return
    await this.#update({ key, stored }, stored, (current) => ({
      ...mergeChanges(current, changes),
      renewed: isDue ? now : current.renewed,
    }))
  }

  /** Changes a stored session, unless another request has ended it or signed in since this request has read it. */
  async #update(
    from: StoredEntry,
    known: StoredSession,
    change: (current: StoredSession) => StoredSession,
  ): Promise<void> {
    let { key, stored } = from
    // The browser may have the new id after a sign-in already, so a request that has read the old session changes nothing.
    while (stored && stored.next === known.next) {
      const next = change(stored)
      if (await this.#swap(key, stored, next, this.#getLifetime(next))) return
      const found = await this.#findCurrent(key)
      key = found.key
      stored = found.stored
    }
  }

  /** Ends the session of another user with a new id, of which the browser may get the cookie after that of a sign-in. */
  async #endOther(from: string, subject: string): Promise<void> {
    const { key, stored } = await this.#findCurrent(from)
    if (key !== from && stored?.subject !== undefined && stored.subject !== subject) await this.#endSession(key)
  }

  /** Ends a stored session, and those that other requests have made of it. */
  async #endSession(from: string): Promise<void> {
    for (let key: string | undefined = from; key !== undefined; ) {
      const stored: StoredSession | undefined = await this.#get(key)
      if (!stored) return
      const next: string | undefined = stored.movedTo ?? stored.next
      const isOver = stored.ended || stored.movedTo !== undefined
      if (isOver || (await this.#swap(key, stored, createEnded(next), { ttl: staySeconds }))) key = next
    }
  }
}
