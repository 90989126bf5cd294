/** The session of one request: reads what was loaded, and collects changes. */
import { encodeValue } from "../store/checks.ts"
import { describeType } from "../text.ts"
import type { SessionChanges, SessionName, SessionValue, StoredSession } from "./data.ts"
import { sessionFault } from "./fault.ts"

/** A change of the id, when a request ends. */
export type IDChange = { readonly kind: "rotate" } | { readonly kind: "sign-in"; readonly subject: string } | undefined

/** Checks the name of a user. @throws FwError `session` */
export function checkSubject(call: string, subject: unknown): void {
  if (typeof subject !== "string" || subject === "") throw sessionFault("session.subject", [call, subject])
}

/** The part of {@link Session} that the middleware reads. Not exported from the package. */
export let getSessionState: (session: Session) => {
  /** Throws FwError `store` if a value cannot be stored any more, because the program has changed it in place. */
  readonly changes: SessionChanges
  readonly turn: IDChange
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
  readonly #stored: StoredSession | undefined
  readonly #values: Map<string, unknown>
  readonly #changedValues = new Map<string, unknown>()
  /** Values that the program has read, and may have changed in place, with their JSON. */
  readonly #givenTexts = new Map<string, string>()
  readonly #flashes: Map<string, string>
  readonly #changedFlashes = new Map<string, string | undefined>()
  #subject: string | undefined
  #idChange: IDChange
  #isDestroyed = false
  #isClosed = false

  /** @internal Made by the middleware. */
  constructor(stored: StoredSession | undefined) {
    this.#stored = stored
    this.#subject = stored?.subject
    this.#values = new Map(Object.entries(stored?.values ?? {}))
    this.#flashes = new Map(Object.entries(stored?.flashes ?? {}))
  }

  static {
    getSessionState = (session) => ({
      changes: { values: session.#collectChanges(), flashes: session.#changedFlashes },
      turn: session.#idChange,
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
    if (typeof value === "object" && value !== null && !this.#changedValues.has(name) && !this.#givenTexts.has(name)) {
      const text = JSON.stringify(value)
      this.#givenTexts.set(name, text)
      // The program may change its copy. The original is what the store is expected to have.
      this.#values.set(name, JSON.parse(text))
    }
    return this.#values.get(name) as SessionValue<Name> | undefined
  }

  /** Sets a value. @throws FwError for what JSON cannot represent, and after the response has begun. */
  set<Name extends SessionName>(name: Name, value: SessionValue<Name>): void {
    this.#checkOpen("set()")
    encodeValue("c.session.set()", value)
    this.#values.set(name, value)
    this.#changedValues.set(name, value)
  }

  /** Deletes a value. @throws FwError after the response has begun. */
  delete(name: SessionName): void {
    this.#checkOpen("delete()")
    this.#values.delete(name)
    this.#changedValues.set(name, undefined)
  }

  /** Leaves a message for the next page that this visitor sees. @throws FwError after the response has begun. */
  flash(text: string): void {
    this.#checkOpen("flash()")
    if (typeof text !== "string") throw new TypeError(`c.session.flash() takes a string, not ${describeType(text)}`)
    // Requests that leave messages at the same time keep each other's. Keys are in the order of time.
    const key = `${Date.now().toString(36).padStart(9, "0")}${String(this.#flashes.size).padStart(4, "0")}${crypto.randomUUID().slice(0, 8)}`
    this.#flashes.set(key, text)
    this.#changedFlashes.set(key, text)
  }

  /** Returns the messages that wait, the oldest first, and removes them. */
  flashed(): readonly string[] {
    const waitingFlashes = [...this.#flashes].sort(([one], [other]) => (one < other ? -1 : 1))
    if (waitingFlashes.length > 0) this.#checkOpen("flashed()")
    for (const [key] of waitingFlashes) this.#changedFlashes.set(key, undefined)
    this.#flashes.clear()
    return waitingFlashes.map(([, text]) => text)
  }

  /**
   * Signs a subject in. The session gets another id, so that an id which somebody planted is worthless. Values stay.
   *
   * @param subject a text that names the user: `destroyAll()` takes it.
   * @throws FwError for another value, and after the response has begun.
   */
  signIn(subject: string): void {
    this.#checkOpen("signIn()")
    checkSubject("c.session.signIn()", subject)
    this.#subject = subject
    this.#idChange = { kind: "sign-in", subject }
  }

  /** Gives the session another id. Call it when rights change. @throws FwError after the response has begun. */
  rotate(): void {
    this.#checkOpen("rotate()")
    this.#idChange ??= { kind: "rotate" }
  }

  /** Ends the session: signs out, and deletes its values. @throws FwError after the response has begun. */
  destroy(): void {
    this.#checkOpen("destroy()")
    for (const map of [this.#values, this.#changedValues, this.#givenTexts, this.#flashes, this.#changedFlashes])
      map.clear()
    this.#subject = undefined
    this.#idChange = undefined
    this.#isDestroyed = true
  }

  #checkOpen(call: string): void {
    if (this.#isClosed) throw sessionFault("session.closed", [`c.session.${call}`])
  }

  #collectChanges(): Map<string, unknown> {
    const changes = new Map(this.#changedValues)
    for (const [name, before] of this.#givenTexts)
      if (!changes.has(name) && encodeValue("c.session", this.#values.get(name)) !== before)
        changes.set(name, this.#values.get(name))
    return changes
  }
}
