/** Sessions in a store: opens those of visitors, and saves changes by compare-and-set. */
import { encode } from "../store/checks.ts"
import type { KV, Lifetime } from "../store/types.ts"
import { base64url, type CookieChange, randomID } from "./cookie.ts"
import { type Changes, ended, leftover, merge, moved, type Stored, stay } from "./data.ts"
import { sessionFault } from "./fault.ts"
import { checkSubject, Session, stateOf } from "./session.ts"

/** The part of the idle time after which a request moves the end of a session, so that not every request writes. */
const renewal = 0.05

/** Seconds after `destroyAll()` in which a request of a session that it ended sets no cookie: the visitor may be signing in again. */
const pause = 5
/** Refusals of the same change after which a store is taken for a wrong one. */
const mostRefusals = 10

/** A request with its session. */
export interface Visit {
  readonly session: Session
  /** Key in the store of the id that the request has; undefined without one. */
  readonly key: string | undefined
  readonly stored: Stored | undefined
  /** Checks the changes. @throws FwError `store` for a value that cannot be stored. */
  check(): void
  /** Refuses later changes. */
  close(): void
}

/** A place in the store, and the session there; undefined if there is none any more. */
interface Found {
  readonly key: string
  readonly stored: Stored | undefined
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
    const found = key === undefined ? undefined : await this.#get(key)
    const stored = found && (await this.#stateOf(found)) === "open" ? found : undefined
    const session = new Session(stored)
    return {
      ...{ session, key, stored },
      check: () => {
        for (const value of stateOf(session).changes.values.values())
          if (value !== undefined) encode("c.session", value)
      },
      close: () => stateOf(session).close(),
    }
  }

  /**
   * Saves what a request has changed. Returns a change of the cookie, if there is one: only a request that begins, moves or ends
   * a session sets it, once. Another one could be overtaken by a sign-in, and its cookie would undo that.
   */
  async save({ session, key, stored }: Visit): Promise<CookieChange | undefined> {
    const { changes, turn, isDestroyed } = stateOf(session)
    if (isDestroyed && key !== undefined) await this.#end(key)
    if (stored && !isDestroyed && turn) return this.#replace(session, key as string, stored)
    if (turn?.kind === "sign-in") {
      if (key !== undefined) await this.#endOther(key, turn.subject)
      return this.#begin(session, key, undefined)
    }
    const isChanged = changes.values.size > 0 || changes.flashes.size > 0
    if (stored && !isDestroyed) return this.#keep(key as string, stored, changes, isChanged)
    if (isChanged && (isDestroyed || !(await this.#isLate(key))))
      return this.#begin(session, undefined, undefined)
    return isDestroyed ? { id: undefined, maxAge: 0 } : undefined
  }

  /** Ends every session of a subject. */
  async destroyAll(subject: string): Promise<void> {
    checkSubject("destroyAll()", subject)
    const version = `${randomID()} ${Date.now()}`
    await this.#kv.set(await this.#subjectKey(subject), version, { ttl: this.#lifetime })
  }

  async #keyOf(id: string): Promise<string> {
    // Anyone who reads the store cannot use what is there.
    return `session ${await digest(id)}`
  }

  async #subjectKey(subject: string): Promise<string> {
    return `session-subject ${await digest(subject)}`
  }

  async #get<Value = Stored>(key: string): Promise<Value | undefined> {
    // A store of a program's own may have null for nothing.
    return (await this.#kv.get<Value>(key)) ?? undefined
  }

  /**
   * Replaces what is stored, if it is as expected.
   *
   * @throws FwError `session` for a store that refuses although it is.
   */
  async #swap(key: string, expected: unknown, value: unknown, options: Lifetime): Promise<boolean> {
    for (let refusals = 0; refusals < mostRefusals; refusals++) {
      if (await this.#kv.compareAndSet(key, expected, value, options)) return true
      if (JSON.stringify(await this.#get(key)) !== JSON.stringify(expected)) return false
    }
    throw sessionFault("session.refusals", [mostRefusals])
  }

  /** Returns whether a session is open, has just ended or moved, or is over. */
  async #stateOf(stored: Stored): Promise<"open" | "late" | "over"> {
    const { leftUntil, subject } = stored
    if (leftUntil !== undefined && leftUntil <= Date.now()) return "over"
    if (this.#rest(stored) === 0) return leftUntil === undefined ? "over" : "late"
    if (subject === undefined) return "open"
    const version = await this.#get<string>(await this.#subjectKey(subject))
    if (version === stored.version) return "open"
    const [, time = 0] = version?.split(" ") ?? []
    return Math.abs(Date.now() - Number(time)) < pause * 1000 ? "late" : "over"
  }

  /**
   * Returns true if the session of an id has just ended or has another id. The browser may have got the new cookie already. It is
   * asked at the end of a request, which may overlap that change.
   */
  async #isLate(key: string | undefined): Promise<boolean> {
    const found = key === undefined ? undefined : await this.#get(key)
    return found !== undefined && (await this.#stateOf(found)) === "late"
  }

  /** Returns the whole seconds until a session ends, if no request comes. */
  #rest({ began, leftUntil = Number.POSITIVE_INFINITY }: Stored): number {
    const end = Math.min(began + this.#lifetime * 1000, leftUntil)
    return Math.max(0, Math.ceil(Math.min(this.#idle, (end - Date.now()) / 1000)))
  }

  /** Returns the time for which the store has a session. One that ends during a request is not an error. */
  #lifetimeOf(stored: Stored): Lifetime {
    return { ttl: Math.max(1, this.#rest(stored)) }
  }

  /** Returns the cookie of a session. It is valid until the lifetime ends, since it is not set again. */
  #cookieOf(id: string, { began }: Stored): CookieChange {
    return { id, maxAge: Math.max(1, Math.ceil(this.#lifetime + (began - Date.now()) / 1000)) }
  }

  /** Returns the fields of a session that begins now, or continues under another id. */
  async #head(session: Session, stored: Stored | undefined): Promise<Stored> {
    const now = Date.now()
    const { turn } = stateOf(session)
    const from: Stored = { began: now, values: {}, flashes: {}, ...stored, renewed: now }
    const { leftUntil: _end, next: _next, ...base } = from
    if (turn?.kind !== "sign-in") return base
    const version = await this.#version(turn.subject)
    const { version: _, ...rest } = base
    return { ...rest, began: now, subject: turn.subject, ...(version !== undefined && { version }) }
  }

  /** Returns the version of a subject, which then stays in the store for as long as the session. */
  async #version(subject: string): Promise<string | undefined> {
    const key = await this.#subjectKey(subject)
    for (;;) {
      const version = await this.#get<string>(key)
      if (version === undefined) return undefined
      if (await this.#swap(key, version, version, { ttl: this.#lifetime })) return version
    }
  }

  async #write(stored: Stored): Promise<{ readonly id: string; readonly key: string }> {
    const id = randomID()
    const key = await this.#keyOf(id)
    await this.#kv.set(key, stored, this.#lifetimeOf(stored))
    return { id, key }
  }

  /**
   * Begins a session.
   *
   * @param from key of an id that is worthless from now on.
   * @param base a session to copy.
   */
  async #begin(session: Session, from: string | undefined, base: Stored | undefined): Promise<CookieChange> {
    const stored = merge(await this.#head(session, base), stateOf(session).changes)
    const { id, key } = await this.#write(stored)
    // A request that still comes with the old id must not replace the cookie.
    if (from !== undefined) await this.#kv.set(from, ended(key), { ttl: stay })
    return this.#cookieOf(id, stored)
  }

  /**
   * Moves a session to another id. The new one is there before the old one goes, so that a crash loses nothing. After a
   * sign-in, the anonymous values stay under the old id for a while: the answer with the new one may be lost.
   */
  async #replace(session: Session, from: string, known: Stored): Promise<CookieChange | undefined> {
    const { changes, turn } = stateOf(session)
    const subject = turn?.kind === "sign-in" ? turn.subject : undefined
    // The visitor has signed in, and this request has not got the answer. Rights must not come to the old id.
    if (subject === undefined && known.leftUntil !== undefined) return undefined
    let [key, current] = [from, known]
    for (;;) {
      const next = merge(await this.#head(session, current), changes)
      const written = await this.#write(next)
      const left = subject === undefined ? moved(written.key) : leftover(current, changes, written.key)
      if (await this.#swap(key, current, left, this.#stayOf(left))) return this.#cookieOf(written.id, next)
      await this.#kv.delete(written.key)
      const found = await this.#find(key)
      if (subject === undefined) {
        // Another request has moved the session. Its answer has the new id, and a second one could be overtaken by it.
        if (found.key !== key) await this.#update(found, known, (moved) => merge(moved, changes))
        // Another request has signed out or in.
        if (found.key !== key || !found.stored || found.stored.leftUntil !== undefined) return undefined
      } else {
        // Another request has signed the same user in: both answers have the same values, whichever comes last.
        const other = await this.#follow(key)
        if (other?.subject === subject) return this.#begin(session, undefined, other)
      }
      if (!found.stored) return this.#begin(session, key, undefined)
      key = found.key
      current = found.stored
    }
  }

  #stayOf({ leftUntil = 0 }: Stored): Lifetime {
    return { ttl: Math.min(stay, Math.max(1, (leftUntil - Date.now()) / 1000)) }
  }

  /** Returns what is stored under a key, or where another request has moved it. */
  async #find(from: string): Promise<Found> {
    for (let key = from; ; ) {
      const stored = await this.#get(key)
      if (stored?.movedTo === undefined) return { key, stored: stored?.ended ? undefined : stored }
      key = stored.movedTo
    }
  }

  /** Returns the session to which another request has moved this one, or which it has begun by signing in. */
  async #follow(from: string): Promise<Stored | undefined> {
    let stored = await this.#get(from)
    if (stored?.leftUntil === undefined) return undefined
    while (stored?.leftUntil !== undefined) {
      const key: string | undefined = stored.movedTo ?? stored.next
      stored = key === undefined ? undefined : await this.#get(key)
    }
    return stored && this.#rest(stored) > 0 ? stored : undefined
  }

  /** Saves the changes of a request that stays in its session, and moves the end of the session now and then. */
  async #keep(key: string, stored: Stored, changes: Changes, isChanged: boolean): Promise<undefined> {
    const now = Date.now()
    // A clock may be set back, and those of two machines differ.
    const isDue = Math.abs(now - stored.renewed) >= this.#idle * 1000 * renewal
    if (!isChanged && (!isDue || stored.leftUntil !== undefined)) return
    await this.#update({ key, stored }, stored, (current) => ({
      ...merge(current, changes),
      renewed: isDue ? now : current.renewed,
    }))
  }

  /** Changes a stored session, unless another request has ended it or signed in since this one has read it. */
  async #update(from: Found, known: Stored, change: (current: Stored) => Stored): Promise<void> {
    let { key, stored } = from
    // The browser may have the new id after a sign-in already, so a request that has read the old session changes nothing.
    while (stored && stored.next === known.next) {
      const next = change(stored)
      if (await this.#swap(key, stored, next, this.#lifetimeOf(next))) return
      const found = await this.#find(key)
      key = found.key
      stored = found.stored
    }
  }

  /** Ends the session of another user with a new id, of which the browser may get the cookie after that of a sign-in. */
  async #endOther(from: string, subject: string): Promise<void> {
    const { key, stored } = await this.#find(from)
    if (key !== from && stored?.subject !== undefined && stored.subject !== subject) await this.#end(key)
  }

  /** Ends a stored session, and those that other requests have made of it. */
  async #end(from: string): Promise<void> {
    for (let key: string | undefined = from; key !== undefined; ) {
      const stored: Stored | undefined = await this.#get(key)
      if (!stored) return
      const next: string | undefined = stored.movedTo ?? stored.next
      const isOver = stored.ended || stored.movedTo !== undefined
      if (isOver || (await this.#swap(key, stored, ended(next), { ttl: stay }))) key = next
    }
  }
}
