/** Signing in with the form, and the cookies of a response. */
import * as assert from "uvu/assert"
import { check, makeUser } from "./app.ts"

/** Returns a cookie of a response: its value and its attributes, as sent. */
export function cookieOf(response: Response, name: string): { value: string; attributes: string[] } | null {
  const line = response.headers.getSetCookie().findLast((set) => set.startsWith(`${name}=`))
  if (line === undefined) return null
  const [pair = "", ...attributes] = line.split("; ")
  return { value: pair.slice(name.length + 1), attributes }
}

/** Signs a user in and returns the Cookie header. */
export async function signIn(login?: { email: string; password: string }) {
  const form = login ?? (await makeUser())
  const response = await check({ path: "/api/auth/login", form, status: 200, data: { message: "signed in" } })
  const id = cookieOf(response, "session_id")?.value ?? ""
  assert.match(id, /^[0-9a-f]{64}$/)
  return { ...form, id, headers: { cookie: `session_id=${id}` } }
}
