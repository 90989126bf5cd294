/** The types of the values that `c.set()` stores, and keys that have a type of their own. */
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { misuse } from "./errors/fault.ts"
import type { JWTClaims } from "./jwt/claims.ts"
import { describeType } from "./text.ts"

/**
 * The values of `c.set()` and `c.get()` by name. After an application has declared its values here, a name that is not
 * declared is a type error.
 *
 * @example
 * declare module "fw" {
 *   interface Variables {
 *     team: { name: string }
 *     roles: string[]
 *     count: number
 *     is_admin: boolean
 *   }
 * }
 * app.get("/", (c) => {
 *   c.set("team", { name: "blue" })
 *   return c.string(200, c.get("team")?.name ?? "")
 * })
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it
export interface Variables {}

/** The values that the middleware of fw sets. */
interface OwnVariables {
  /** Set by `secureHeaders()`. */
  csp_nonce: string
  /** Set by `requestID()`. */
  request_id: string
  /** Set by `basicAuth()` and `jwt()`. */
  user_id: string
  /** Set by `jwt()`. */
  jwt: JWTClaims
}

/** The names of values. Any text in an application that does not extend {@link Variables}. */
export type VariableName = [keyof Variables] extends [never] ? string : (keyof Variables | keyof OwnVariables) & string

/** The type of the value with a name. */
export type VariableOf<Name> = Name extends keyof Variables ? Variables[Name] : unknown

/** Checks a value that a program passed as the context. @throws TypeError for anything else. */
export function checkContext(c: unknown, call: string): void {
  if (!access.isContext(c)) throw new TypeError(`${call} takes the context c, not ${describeType(c)}`)
}

/**
 * A key for a value of the context, with the type of that value. Made by {@link contextKey}.
 *
 * @example
 * const team: ContextKey<string> = contextKey("team")
 * app.get("/", (c) => c.string(200, team.find(c) ?? "no team"))
 * const answer = await app.request("/")
 * await answer.text() // → "no team"
 */
export interface ContextKey<T> {
  readonly name: string
  /** Returns the value, for a key that a middleware always sets. @throws TypeError if nothing has set it. */
  get(c: Context): T
  /** Returns the value; undefined if nothing has set it. */
  find(c: Context): T | undefined
  set(c: Context, value: T): void
}

/**
 * Makes a key with a type for a value of the context. `c.get(name)` returns the same value.
 *
 * @throws TypeError for a name that is not text. The methods of the key throw a TypeError for a value that is not a
 * context.
 * @example
 * const team = contextKey<{ name: string }>("team")
 * app.get("/", (c) => {
 *   team.set(c, { name: "blue" })
 *   return c.string(200, team.get(c).name)
 * })
 * const answer = await app.request("/")
 * await answer.text() // → "blue"
 */
export function contextKey<T>(name: string): ContextKey<T> {
  if (typeof name !== "string") throw new TypeError(`contextKey() takes a text, not ${describeType(name)}`)
  const key = `contextKey(${JSON.stringify(name)})`
  const readValue = (c: Context, call: string) => {
    checkContext(c, `${key}.${call}()`)
    return c.get<T>(name as Exclude<VariableName, keyof Variables>)
  }
  return {
    name,
    get(c) {
      const value = readValue(c, "get")
      if (value === undefined) throw misuse("key.unset", key)
      return value
    },
    find: (c) => readValue(c, "find"),
    set(c, value) {
      checkContext(c, `${key}.set()`)
      c.set(name as VariableName, value as VariableOf<VariableName>)
    },
  }
}
