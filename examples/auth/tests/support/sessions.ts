/** Signs in with the form, and reads the cookies of a response. */
import * as assert from "uvu/assert"
import { check, makeUser } from "./app.ts"

/** Returns a cookie of a response: its value and its attributes, as sent. */
export function readCookie(response: Response, name: string): { value: string; attributes: string[] } | null {
  const line = response.headers.getSetCookie().findLast((set) => set.startsWith(`${name}=`))
  if (line === undefined) return null
  const [pair = "", ...attributes] = line.split("; ")
  return { value: pair.slice(name.length + 1), attributes }
}

/** Returns the Cookie header with the session of a response. */
export function readSession(response: Response): { readonly cookie: string } {
  const value = readCookie(response, "session")?.value ?? ""
  assert.match(value, /^[\w-]{43}\./)
  return { cookie: `session=${value}` }
}

/** Signs a user in and returns the Cookie header. */
export async function signIn(
  login?: { email: string; password: string },
  headers: Record<string, string> = {},
) {
  const form = login ?? (await makeUser())
  const { email, password } = form
  const answer = await check({ path: "/login", form: { email, password }, headers, status: 303 })
  return { email, password, headers: readSession(answer) }
}
