/** The session of one request, which collects the changes that the program makes. */
import { encodeValue } from "../store/checks.ts"
import { describeType } from "../text.ts"
import type { SessionChanges, SessionName, SessionValue, StoredSession } from "./data.ts"
import { sessionFault } from "./fault.ts"

/** What happens to the id of a session at the end of the request. */
export type IDChange = { readonly kind: "rotate" } | { readonly kind: "sign-in"; readonly subject: string } | undefined

/** Checks the name of a subject. @throws FwError `session` */
export function checkSubject(call: string, subject: unknown): void {
  if (typeof subject !== "string" || subject === "") throw sessionFault("session.subject", [call, subject])
}

/** The state of a {@link Session} that only the middleware reads. Not exported from the package. */
export let getSessionState: (session: Session) => {
  /**
   * The changes. Throws FwError `store` if the program has changed a value in place so that it cannot be stored any
   * more.
   */
  readonly changes: SessionChanges
  readonly idChange: IDChange
  /** True after `destroy()`, even if the request has begun another session since. */
  readonly isDestroyed: boolean
  /** Refuses further changes, because they would not be saved. */
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
  /** The values that the program has read, as JSON. It may have changed them in place. */
  readonly #readTexts = new Map<string, string>()
  readonly #flashes: Map<string, string>
  readonly #changedFlashes = new Map<string, string | undefined>()
  #subject: string | undefined
  #idChange: IDChange
  #isDestroyed = false
  #isClosed = false

  /** @internal Only the middleware creates it. */
  constructor(stored: StoredSession | undefined) {
    this.#stored = stored
    this.#subject = stored?.subject
    this.#values = new Map(Object.entries(stored?.values ?? {}))
    this.#flashes = new Map(Object.entries(stored?.flashes ?? {}))
  }

  static {
    getSessionState = (session) => ({
      changes: { values: session.#collectChanges(), flashes: session.#changedFlashes },
      idChange: session.#idChange,
      isDestroyed: session.#isDestroyed,
      close: () => {
        session.#isClosed = true
      },
    })
  }

  /** The subject that has signed in, such as the id of a user; undefined if none has. */
  get subject(): string | undefined {
    return this.#subject
  }

  /** True if the request has no session, or one that has ended. */
  get isNew(): boolean {
    return this.#stored === undefined
  }

  /** Returns a value; undefined if there is none. If you change the value in place, that is saved too. */
  get<Name extends SessionName>(name: Name): SessionValue<Name> | undefined {
    const value = this.#values.get(name)
    if (typeof value === "object" && value !== null && !this.#changedValues.has(name) && !this.#readTexts.has(name)) {
      const text = JSON.stringify(value)
      this.#readTexts.set(name, text)
      // The program gets a copy that it may change. The original is what the store is expected to contain.
      this.#values.set(name, JSON.parse(text))
    }
    return this.#values.get(name) as SessionValue<Name> | undefined
  }

  /** Sets a value. @throws FwError for a value that JSON cannot represent, and after the response has begun. */
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

  /** Stores a message for the next page that this visitor sees. @throws FwError after the response has begun. */
  flash(text: string): void {
    this.#checkOpen("flash()")
    if (typeof text !== "string") throw new TypeError(`c.session.flash() takes a string, not ${describeType(text)}`)
    // A unique key lets concurrent requests add messages without losing any. It begins with the time, so that keys sort
    // by time.
    const key = `${Date.now().toString(36).padStart(9, "0")}${String(this.#flashes.size).padStart(4, "0")}${crypto.randomUUID().slice(0, 8)}`
    this.#flashes.set(key, text)
    this.#changedFlashes.set(key, text)
  }

  /** Returns the stored messages, the oldest first, and removes them. */
  flashed(): readonly string[] {
    const waitingFlashes = [...this.#flashes].sort(([one], [other]) => (one < other ? -1 : 1))
    if (waitingFlashes.length > 0) this.#checkOpen("flashed()")
    for (const [key] of waitingFlashes) this.#changedFlashes.set(key, undefined)
    this.#flashes.clear()
    return waitingFlashes.map(([, text]) => text)
  }

  /**
   * Signs a subject in. The session gets another id, so that an attacker who knew the old id gains nothing. The values
   * stay.
   *
   * @param subject a text that identifies the user, such as an id. `destroyAll()` takes the same text.
   * @throws FwError for an empty text and for another value, and after the response has begun.
   */
  signIn(subject: string): void {
    this.#checkOpen("signIn()")
    checkSubject("c.session.signIn()", subject)
    this.#subject = subject
    this.#idChange = { kind: "sign-in", subject }
  }

  /**
   * Gives the session another id. Call it when the rights of the user change. @throws FwError after the response has
   * begun.
   */
  rotate(): void {
    this.#checkOpen("rotate()")
    this.#idChange ??= { kind: "rotate" }
  }

  /** Ends the session: signs the user out and deletes all values. @throws FwError after the response has begun. */
  destroy(): void {
    this.#checkOpen("destroy()")
    for (const map of [this.#values, this.#changedValues, this.#readTexts, this.#flashes, this.#changedFlashes])
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
    for (const [name, text] of this.#readTexts)
      if (!changes.has(name) && encodeValue("c.session", this.#values.get(name)) !== text)
        changes.set(name, this.#values.get(name))
    return changes
  }
}
