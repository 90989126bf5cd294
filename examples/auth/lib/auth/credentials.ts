/** Credentials for signing in and up: an email address and a password, as JSON or as a form. */
import { type Context, HttpError, type StandardSchema } from "fw"
import { passwordLength } from "./passwords.ts"

/** The body of a login. */
export interface LoginRequest {
  email: string
  password: string
  /** True to get a refresh token too. */
  refresh?: boolean
  /** The code of a second factor, if the user has one. */
  code?: string
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
        code = "",
      } = { ...(value as Partial<Record<keyof LoginRequest, unknown>>) }
      if (
        [email, password, code].every((value) => typeof value === "string") &&
        typeof refresh === "boolean"
      ) {
        return { value: { email, password, refresh, code } as LoginRequest }
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

const emailPattern = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

/** Returns true for an email address that a mail can have. Only a mail to it would show that it exists. */
export function isEmail(email: string): boolean {
  return email.length <= 254 && emailPattern.test(email.trim())
}

/** Returns true for a password with an allowed number of characters. */
export function isPasswordLength(password: string): boolean {
  const length = [...password].length
  return length >= passwordLength.min && length <= passwordLength.max
}
