/** The values that the context stores for one request: their types, and names with a type. */
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { misuse } from "./errors/fault.ts"
import type { JWTClaims } from "./jwt/claims.ts"
import { describeType } from "./text.ts"

/**
 * The values of an application by name. Declare yours once, and a name that is not declared is a type error from then on.
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
  /** By `secureHeaders()`. */
  csp_nonce: string
  /** By `requestID()`. */
  request_id: string
  /** By `basicAuth()` and `jwt()`. */
  user_id: string
  /** By `jwt()`. */
  jwt: JWTClaims
}

/** The names of values: any text in an application that declares no {@link Variables}. */
export type VariableName = [keyof Variables] extends [never] ? string : (keyof Variables | keyof OwnVariables) & string

/** The type of the value with a name. */
export type VariableOf<Name> = Name extends keyof Variables ? Variables[Name] : unknown

/** Checks the context that a program passed on. @throws TypeError for anything else. */
export function checkContext(c: unknown, call: string): void {
  if (!access.isContext(c)) throw new TypeError(`${call} takes the context c, not ${describeType(c)}`)
}

/**
 * A value of the context with a type of its own, as {@link contextKey} makes it.
 *
 * @example
 * const team: ContextKey<string> = contextKey("team")
 * app.get("/", (c) => c.string(200, team.find(c) ?? "no team"))
 * const answer = await app.request("/")
 * await answer.text() // → "no team"
 */
export interface ContextKey<T> {
  readonly name: string
  /** The value, where a guard or another middleware always sets it. @throws TypeError where nothing has set it. */
  get(c: Context): T
  /** The value; undefined where nothing has set it. */
  find(c: Context): T | undefined
  set(c: Context, value: T): void
}

/**
 * Makes a typed name for a value of the context. It is the same value as that of `c.get(name)`.
 *
 * @throws TypeError for a name that is not text. The methods of the key throw one where the context is missing.
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
