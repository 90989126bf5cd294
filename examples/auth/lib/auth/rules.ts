/**
 * Additional rules for signing in and up. The parts of the application set their rules when they are loaded, at
 * start.
 */
import type { Context } from "fw"
import type { User } from "./users.ts"

export const rules: {
  /** Returns the answer that asks a browser for the code of a second factor; null for a user without one. */
  askForCode(c: Context, user: User): Promise<Response | null>
  /** Returns true for the right code, and for a user without a second factor. */
  isCode(user: User, code: string): Promise<boolean>
  /** Returns the address to which the invitation of this browser was sent; undefined without one. */
  findInvited(c: Context): Promise<string | undefined>
  /** True if only invited people can sign up. */
  needsInvitation: boolean
} = {
  askForCode: async () => null,
  isCode: async () => true,
  findInvited: async () => undefined,
  needsInvitation: false,
}
