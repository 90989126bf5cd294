/** The session of one request: reads what was loaded, and collects changes. */
import { encode } from "../store/checks.ts"
import { describe } from "../text.ts"
import type { Changes, SessionName, SessionValue, Stored } from "./data.ts"
import { sessionFault } from "./fault.ts"

/** A change of the id, when a request ends. */
export type Turn =
  | { readonly kind: "rotate" }
  | { readonly kind: "sign-in"; readonly subject: string }
  | undefined

/** Checks the name of a user. @throws FwError `session` */
export function checkSubject(call: string, subject: unknown): void {
  if (typeof subject !== "string" || subject === "") throw sessionFault("session.subject", [call, subject])
}

/** The part of {@link Session} that the middleware reads. Not exported from the package. */
export let stateOf: (session: Session) => {
  /** Throws FwError `store` if a value cannot be stored any more, because the program has changed it in place. */
  readonly changes: Changes
  readonly turn: Turn
  /** True after `destroy()`, also if another session begins in the same request. */
  readonly isDestroyed: boolean
  /** Refuses later changes, which would be lost. */
  close(): void
}

/**
 * The session of a request, `c.session`. Changes are saved when the handler has returned.
 *
 * @example
 * import { memoryStore } from "fw/store"
 * app.use(session({ store: memoryStore() }))
 * app.post("/cart", (c) => {
 *   const mine: Session = c.session
 *   mine.set("cart", ["tea"])
 *   return c.json(200, mine.get("cart"))
 * })
 */
export class Session {
  readonly #stored: Stored | undefined
  readonly #values: Map<string, unknown>
  readonly #changed = new Map<string, unknown>()
  /** Values that the program has got, and may have changed in place, with their JSON. */
  readonly #given = new Map<string, string>()
  readonly #flashes: Map<string, string>
  readonly #changedFlashes = new Map<string, string | undefined>()
  #subject: string | undefined
  #turn: Turn
  #isDestroyed = false
  #isClosed = false

  /** @internal Made by the middleware. */
  constructor(stored: Stored | undefined) {
    this.#stored = stored
    this.#subject = stored?.subject
    this.#values = new Map(Object.entries(stored?.values ?? {}))
    this.#flashes = new Map(Object.entries(stored?.flashes ?? {}))
  }

  static {
    stateOf = (session) => ({
      changes: { values: session.#changes(), flashes: session.#changedFlashes },
      turn: session.#turn,
      isDestroyed: session.#isDestroyed,
      close: () => {
        session.#isClosed = true
      },
    })
  }

  /** The subject that has signed in, such as the id of a user; undefined before. */
  get subject(): string | undefined {
    return this.#subject
  }

  /** True if the visitor came without a session, or with one that has ended. */
  get isNew(): boolean {
    return this.#stored === undefined
  }

  /** Returns a value; undefined if there is none. A change of it in place is saved too. */
  get<Name extends SessionName>(name: Name): SessionValue<Name> | undefined {
    const value = this.#values.get(name)
    if (typeof value === "object" && value !== null && !this.#changed.has(name) && !this.#given.has(name)) {
      const text = JSON.stringify(value)
      this.#given.set(name, text)
      // The program may change its copy. The original is what the store is expected to have.
      this.#values.set(name, JSON.parse(text))
    }
    return this.#values.get(name) as SessionValue<Name> | undefined
  }

  /** Sets a value. @throws FwError for what JSON cannot represent, and after the response has begun. */
  set<Name extends SessionName>(name: Name, value: SessionValue<Name>): void {
    this.#open("set()")
    encode("c.session.set()", value)
    this.#values.set(name, value)
    this.#changed.set(name, value)
  }

  /** Deletes a value. @throws FwError after the response has begun. */
  delete(name: SessionName): void {
    this.#open("delete()")
    this.#values.delete(name)
    this.#changed.set(name, undefined)
  }

  /** Leaves a message for the next page that this visitor sees. @throws FwError after the response has begun. */
  flash(text: string): void {
    this.#open("flash()")
    if (typeof text !== "string")
      throw new TypeError(`c.session.flash() takes a string, not ${describe(text)}`)
    // Requests that leave messages at the same time keep each other's. Keys are in the order of time.
    const key = `${Date.now().toString(36).padStart(9, "0")}${String(this.#flashes.size).padStart(4, "0")}${crypto.randomUUID().slice(0, 8)}`
    this.#flashes.set(key, text)
    this.#changedFlashes.set(key, text)
  }

  /** Returns the messages that wait, the oldest first, and removes them. */
  flashed(): readonly string[] {
    const waiting = [...this.#flashes].sort(([one], [other]) => (one < other ? -1 : 1))
    if (waiting.length > 0) this.#open("flashed()")
    for (const [key] of waiting) this.#changedFlashes.set(key, undefined)
    this.#flashes.clear()
    return waiting.map(([, text]) => text)
  }

  /**
   * Signs a subject in. The session gets another id, so that an id which somebody planted is worthless. Values stay.
   *
   * @param subject a text that names the user: `destroyAll()` takes it.
   * @throws FwError for another value, and after the response has begun.
   */
  signIn(subject: string): void {
    this.#open("signIn()")
    checkSubject("c.session.signIn()", subject)
    this.#subject = subject
    this.#turn = { kind: "sign-in", subject }
  }

  /** Gives the session another id. Call it when rights change. @throws FwError after the response has begun. */
  rotate(): void {
    this.#open("rotate()")
    this.#turn ??= { kind: "rotate" }
  }

  /** Ends the session: signs out, and deletes its values. @throws FwError after the response has begun. */
  destroy(): void {
    this.#open("destroy()")
    for (const map of [this.#values, this.#changed, this.#given, this.#flashes, this.#changedFlashes])
      map.clear()
    this.#subject = undefined
    this.#turn = undefined
    this.#isDestroyed = true
  }

  #open(call: string): void {
    if (this.#isClosed) throw sessionFault("session.closed", [`c.session.${call}`])
  }

  #changes(): Map<string, unknown> {
    const changes = new Map(this.#changed)
    for (const [name, before] of this.#given)
      if (!changes.has(name) && encode("c.session", this.#values.get(name)) !== before)
        changes.set(name, this.#values.get(name))
    return changes
  }
}
