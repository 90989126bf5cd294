/** Sessions in a store: opens those of visitors, and saves changes by compare-and-set. */
import type { KV } from "../store/types.ts"
import { base64url, type CookieChange, randomID } from "./cookie.ts"
import { leftover, merge, type Stored } from "./data.ts"
import { checkSubject, Session, stateOf } from "./session.ts"

/** The part of the idle time after which a request moves the end of a session, so that not every request writes. */
const renewal = 0.05

/** A request with its session. */
export interface Visit {
  readonly session: Session
  /** Key in the store; undefined without a stored session. */
  readonly key: string | undefined
  readonly id: string | undefined
  readonly stored: Stored | undefined
  /** Refuses later changes. */
  close(): void
}

async function digest(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
}

/** The sessions of an application. */
export class Sessions {
  readonly #kv: KV
  /** Both in seconds. */
  readonly #idle: number
  readonly #lifetime: number

  constructor(kv: KV, idle: number, lifetime: number) {
    this.#kv = kv
    this.#idle = idle
    this.#lifetime = lifetime
  }

  /** Opens the session with an id. An id without a session in the store is not used again: somebody may have planted it. */
  async open(id: string | undefined): Promise<Visit> {
    const key = id === undefined ? undefined : await this.#keyOf(id)
    const stored = key === undefined ? undefined : await this.#load(key)
    const session = new Session(stored)
    const close = () => stateOf(session).close()
    return stored
      ? { session, key, id, stored, close }
      : { session, key: undefined, id: undefined, stored, close }
  }

  /** Saves what a request has changed. Returns a change of the cookie, if there is one. */
  async save({ session, key, id, stored }: Visit): Promise<CookieChange | undefined> {
    const { changes, turn } = stateOf(session)
    const isChanged = changes.values.size > 0 || changes.flashes.size > 0
    if (turn?.kind === "destroy" && key !== undefined) await this.#kv.delete(key)
    const isNew = key === undefined || stored === undefined || turn?.kind === "destroy"
    if (isNew && !isChanged && turn?.kind !== "sign-in")
      return turn?.kind === "destroy" ? { id: undefined, maxAge: 0 } : undefined
    if (isNew) return this.#begin(session)
    if (turn || (isChanged && stored.leftUntil !== undefined)) return this.#replace(session, key, stored)
    const now = Date.now()
    const isDue = now - stored.renewed >= this.#idle * 1000 * renewal
    if (!isChanged && !isDue) return undefined
    // The cookie gets its new end together with this time, so another change leaves it.
    const saved = await this.#update(key, stored, (current) => ({
      ...merge(current, changes),
      renewed: isDue ? now : current.renewed,
    }))
    return saved && isDue ? { id, maxAge: this.#rest(saved) } : undefined
  }

  /** Ends every session of a subject. */
  async destroyAll(subject: string): Promise<void> {
    checkSubject("destroyAll()", subject)
    await this.#kv.set(await this.#subjectKey(subject), randomID(), { ttl: this.#lifetime })
  }

  async #keyOf(id: string): Promise<string> {
    // Anyone who reads the store cannot use what is there.
    return `session ${await digest(id)}`
  }

  async #subjectKey(subject: string): Promise<string> {
    return `session-subject ${await digest(subject)}`
  }

  async #load(key: string): Promise<Stored | undefined> {
    const stored = await this.#kv.get<Stored>(key)
    if (!stored || this.#rest(stored) <= 0) return undefined
    if (stored.subject === undefined) return stored
    const version = await this.#kv.get<string>(await this.#subjectKey(stored.subject))
    return version === stored.version ? stored : undefined
  }

  /** Returns the whole seconds that are left to a session that has just been renewed. */
  #rest({ began, leftUntil = Number.POSITIVE_INFINITY }: Stored): number {
    const end = Math.min(began + this.#lifetime * 1000, leftUntil)
    return Math.ceil(Math.min(this.#idle, (end - Date.now()) / 1000))
  }

  /** Returns the fields of a session that begins now, or continues under another id. */
  async #head(session: Session, stored: Stored | undefined): Promise<Stored> {
    const now = Date.now()
    const { turn } = stateOf(session)
    const from: Stored = { began: now, values: {}, flashes: {}, ...stored, renewed: now }
    const { leftUntil: _end, ...base } = from
    if (turn?.kind !== "sign-in") return base
    const version = await this.#version(turn.subject)
    const { version: _, ...rest } = base
    return { ...rest, began: now, subject: turn.subject, ...(version !== undefined && { version }) }
  }

  /** Returns the version of a subject, which then stays in the store for as long as the session. */
  async #version(subject: string): Promise<string | undefined> {
    const key = await this.#subjectKey(subject)
    for (;;) {
      const version = await this.#kv.get<string>(key)
      if (version === undefined) return undefined
      if (await this.#kv.compareAndSet(key, version, version, { ttl: this.#lifetime })) return version
    }
  }

  async #write(stored: Stored): Promise<{ readonly id: string; readonly key: string }> {
    const id = randomID()
    const key = await this.#keyOf(id)
    await this.#kv.set(key, stored, { ttl: this.#rest(stored) })
    return { id, key }
  }

  async #begin(session: Session): Promise<CookieChange> {
    const stored = merge(await this.#head(session, undefined), stateOf(session).changes)
    const { id } = await this.#write(stored)
    return { id, maxAge: this.#rest(stored) }
  }

  /**
   * Moves a session to another id. The new one is there before the old one goes, so that a crash loses nothing. After a
   * sign-in, the anonymous values stay under the old id for a while: the answer with the new one may be lost.
   */
  async #replace(session: Session, key: string, known: Stored): Promise<CookieChange | undefined> {
    const { changes, turn } = stateOf(session)
    for (let current = known; ; ) {
      const next = merge(await this.#head(session, current), changes)
      const written = await this.#write(next)
      const left = turn?.kind === "sign-in" ? leftover(current, changes) : undefined
      if (await this.#kv.compareAndSet(key, current, left, left && { ttl: Math.max(1, this.#rest(left)) }))
        return { id: written.id, maxAge: this.#rest(next) }
      await this.#kv.delete(written.key)
      const found = await this.#kv.get<Stored>(key)
      // Another request has signed out, or has moved the session: only a new sign-in begins again.
      const hasMoved = found?.leftUntil !== current.leftUntil
      if (turn?.kind !== "sign-in" && (!found || hasMoved)) return undefined
      if (!found) return this.#begin(session)
      current = found
    }
  }

  /** Changes a stored session. Returns undefined if another request has ended it: it does not come back. */
  async #update(
    key: string,
    known: Stored,
    change: (current: Stored) => Stored,
  ): Promise<Stored | undefined> {
    for (let current: Stored | undefined = known; current; current = await this.#kv.get<Stored>(key)) {
      // The browser may have the new id already, so a request with the old one sets no cookie.
      if (current.leftUntil !== undefined) return undefined
      const next = change(current)
      if (await this.#kv.compareAndSet(key, current, next, { ttl: this.#rest(next) })) return next
    }
    return undefined
  }
}
