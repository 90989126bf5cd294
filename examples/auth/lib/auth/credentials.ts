/** Credentials for signing in and up: an email address and a password, as JSON or as a form. */
import { type Context, HttpError, type StandardSchema } from "fw"
import { passwordLength } from "./passwords.ts"

/** The body of a login. */
export interface LoginRequest {
  email: string
  password: string
  /** True to get a refresh token too. */
  refresh?: boolean
}

/** A `LoginRequest` for `c.bind()`. Its messages do not repeat the input. */
export const loginRequest: StandardSchema<LoginRequest> = {
  "~standard": {
    version: 1,
    vendor: "auth",
    validate(value) {
      const {
        email,
        password,
        refresh = false,
      } = { ...(value as Partial<Record<keyof LoginRequest, unknown>>) }
      if (typeof email === "string" && typeof password === "string" && typeof refresh === "boolean") {
        return { value: { email, password, refresh } }
      }
      return { issues: [{ message: "is an object with the texts email and password" }] }
    },
  },
}

/** Returns the JSON body; null if it is not valid. */
export async function readLogin(c: Context): Promise<LoginRequest | null> {
  try {
    return await c.bind(loginRequest)
  } catch (error) {
    if (error instanceof HttpError && [400, 415].includes(error.status)) return null
    throw error
  }
}

/** Returns the fields of a form. */
export async function readLoginForm(c: Context): Promise<LoginRequest> {
  return { email: await c.formValue("email"), password: await c.formValue("password") }
}

/** Returns what is wrong with credentials for signing up; `""` if they are valid. */
export function problemOf({ email, password }: LoginRequest): string {
  // Only an email to the address would show that it exists.
  if (email.length > 254 || !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email.trim())) return "invalid email"
  if (isPasswordLength(password)) return ""
  const { least, most } = passwordLength
  return password.length < most
    ? `password is shorter than ${least} characters`
    : `password is longer than ${most} characters`
}

/** Returns true for a password with an allowed number of characters. */
export function isPasswordLength(password: string): boolean {
  const length = [...password].length
  return length >= passwordLength.least && length <= passwordLength.most
}
