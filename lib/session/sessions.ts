/** Sessions in a store: opens those of visitors, and saves changes by compare-and-set. */
import { encode } from "../store/checks.ts"
import type { KV } from "../store/types.ts"
import { base64url, type CookieChange, randomID } from "./cookie.ts"
import { leftover, merge, moved, type Stored, stay } from "./data.ts"
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
  /** Checks the changes. @throws FwError `store` for a value that cannot be stored. */
  check(): void
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
    const known = stored ? { key, id } : { key: undefined, id: undefined }
    return {
      ...{ session, stored, ...known },
      check: () => {
        for (const value of stateOf(session).changes.values.values())
          if (value !== undefined) encode("c.session", value)
      },
      close: () => stateOf(session).close(),
    }
  }

  /** Saves what a request has changed. Returns a change of the cookie, if there is one. */
  async save({ session, key, id, stored }: Visit): Promise<CookieChange | undefined> {
    const { changes, turn } = stateOf(session)
    const isChanged = changes.values.size > 0 || changes.flashes.size > 0
    if (turn?.kind === "destroy" && key !== undefined && stored) await this.#end(key, stored)
    const isNew = key === undefined || stored === undefined || turn?.kind === "destroy"
    if (isNew && !isChanged && turn?.kind !== "sign-in")
      return turn?.kind === "destroy" ? { id: undefined, maxAge: 0 } : undefined
    if (isNew) return this.#begin(session)
    if (turn || (isChanged && stored.leftUntil !== undefined)) return this.#replace(session, key, stored)
    const now = Date.now()
    // A clock may be set back, and those of two machines differ.
    const isDue = Math.abs(now - stored.renewed) >= this.#idle * 1000 * renewal
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
    if (!stored || stored.movedTo !== undefined || this.#rest(stored) === 0) return undefined
    if (stored.subject === undefined) return stored
    const version = await this.#kv.get<string>(await this.#subjectKey(stored.subject))
    return version === stored.version ? stored : undefined
  }

  /** Returns the whole seconds that are left to a session that has just been renewed. */
  #rest({ began, leftUntil = Number.POSITIVE_INFINITY }: Stored): number {
    const end = Math.min(began + this.#lifetime * 1000, leftUntil)
    return Math.max(0, Math.ceil(Math.min(this.#idle, (end - Date.now()) / 1000)))
  }

  /** Returns the time for which the store has a session. One that ends during a request is not an error. */
  #lifetimeOf(stored: Stored): { readonly ttl: number } {
    return { ttl: Math.max(1, this.#rest(stored)) }
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
    await this.#kv.set(key, stored, this.#lifetimeOf(stored))
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
  async #replace(session: Session, from: string, known: Stored): Promise<CookieChange | undefined> {
    const { changes, turn } = stateOf(session)
    const isSignIn = turn?.kind === "sign-in"
    let [key, current] = [from, known]
    for (;;) {
      const next = merge(await this.#head(session, current), changes)
      const written = await this.#write(next)
      const left = isSignIn ? leftover(current, changes) : moved(current, written.key)
      if (await this.#kv.compareAndSet(key, current, left, left && this.#stayOf(left)))
        return { id: written.id, maxAge: this.#rest(next) }
      await this.#kv.delete(written.key)
      const found = await this.#find(key)
      // Another request has moved the session. Its answer has the new id, and a second one could be overtaken by it.
      if (found.key !== key && !isSignIn) {
        await this.#update(found.key, found.stored, (moved) => merge(moved, changes))
        return undefined
      }
      // Another request has signed out or in: only a new sign-in begins again.
      const isLeft = found.stored?.leftUntil !== current.leftUntil
      if (!isSignIn && (!found.stored || isLeft)) return undefined
      if (!found.stored) return this.#begin(session)
      key = found.key
      current = found.stored
    }
  }

  #stayOf(left: Stored): { readonly ttl: number } {
    return { ttl: Math.min(stay, this.#lifetimeOf(left).ttl) }
  }

  /** Returns a stored session, and its key, under which another request may have moved it. */
  async #find(from: string): Promise<{ readonly key: string; readonly stored: Stored | undefined }> {
    for (let key = from; ; ) {
      const stored = await this.#kv.get<Stored>(key)
      if (stored?.movedTo === undefined) return { key, stored }
      key = stored.movedTo
    }
  }

  /** Changes a stored session. Returns undefined if another request has ended it, or has moved it and set its cookie. */
  async #update(
    from: string,
    known: Stored | undefined,
    change: (current: Stored) => Stored,
  ): Promise<Stored | undefined> {
    let [key, current] = [from, known]
    // The browser may have the new id after a sign-in already, so a request with the old one changes nothing.
    while (current && current.leftUntil === undefined) {
      const next = change(current)
      if (await this.#kv.compareAndSet(key, current, next, this.#lifetimeOf(next)))
        return key === from ? next : undefined
      const found = await this.#find(key)
      key = found.key
      current = found.stored
    }
    return undefined
  }

  /** Deletes a stored session, also if another request moves it meanwhile. */
  async #end(from: string, known: Stored): Promise<void> {
    let [key, current]: [string, Stored | undefined] = [from, known]
    while (current && !(await this.#kv.compareAndSet(key, current, undefined))) {
      const found = await this.#find(key)
      key = found.key
      current = found.stored
    }
  }
}
