/** The users of the application. */
import { FwError } from "fw"
import type { Queries } from "fw/db"
import { db } from "../../db/index.ts"
import { readSetting } from "./env.ts"
import { isRole, type Role } from "./identity.ts"
import { hashPassword, isPassword, isWeak, passwordLength } from "./passwords.ts"

export interface User {
  readonly id: string
  /** In lower case. */
  readonly email: string
  /** True if it is known that the address belongs to the user. */
  readonly isVerified: boolean
  readonly name: string
  readonly picture: string
  readonly role: Role
}

export type UserRow = Readonly<Record<string, unknown>> & { readonly password_hash: string | null }

const emailPattern = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

/** Returns true for an email address that a mail can have. Only a mail to it would show that it exists. */
export function isEmail(email: string): boolean {
  return email.length <= 254 && emailPattern.test(email.trim())
}

/** Returns an email address as it is stored: in lower case, so that nobody has two accounts. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Parses a row. @throws Error for a role that is not in the list. */
export function toUser({ id, email, email_verified, name, picture, role }: UserRow): User {
  if (!isRole(role)) throw new Error(`the user ${id} has the role ${role}`)
  const isVerified = Number(email_verified) === 1
  return {
    id: String(id),
    email: String(email),
    isVerified,
    name: String(name),
    picture: String(picture),
    role,
  }
}

export async function findUser(id: string): Promise<User | null> {
  const [row] = await db.sql<UserRow>`SELECT * FROM users WHERE id = ${id}`
  return row ? toUser(row) : null
}

/** Returns all users, sorted by email address. */
export async function listUsers(): Promise<User[]> {
  return (await db.sql<UserRow>`SELECT * FROM users ORDER BY email`).map(toUser)
}

/** A new user. */
export interface NewUser {
  readonly email: string
  readonly password: string
  readonly role?: Role
  readonly isVerified?: boolean
}

/** Adds a user with a password. Null if the address is taken. */
export async function addUser(user: NewUser): Promise<User | null> {
  const { email, password, role = "user", isVerified = false } = user
  const hash = await hashPassword(password)
  const [row] = await db.sql<UserRow>`
    INSERT INTO users (id, email, email_verified, password_hash, name, picture, role, created_at)
    VALUES (${crypto.randomUUID()}, ${normalizeEmail(email)}, ${Number(isVerified)}, ${hash}, '', '', ${role}, ${Date.now()})
    ON CONFLICT (email) DO NOTHING RETURNING *`
  return row ? toUser(row) : null
}

/** Returns the user with this address and password, or null. Both results take the same time. */
export async function checkPassword(email: string, password: string): Promise<User | null> {
  const [row] = await db.sql<UserRow>`SELECT * FROM users WHERE email = ${normalizeEmail(email)}`
  const stored = row?.password_hash ?? null
  if (!(await isPassword(password, stored)) || !row || stored === null) return null
  // The password is known only at login, so the hash is replaced now.
  if (isWeak(stored))
    await db.sql`UPDATE users SET password_hash = ${await hashPassword(password)}
      WHERE id = ${row.id} AND password_hash = ${stored}`
  return toUser(row)
}

/** Changes the role of a user. Sessions use it at once, and tokens when they are next issued. */
export async function setRole(id: string, role: Role): Promise<boolean> {
  return (await db.sql`UPDATE users SET role = ${role} WHERE id = ${id} RETURNING id`).length > 0
}

/** Ends the sessions and refresh tokens of a user. */
export async function endAccess(tx: Queries, id: string): Promise<void> {
  await tx.sql`DELETE FROM sign_ins WHERE user_id = ${id}`
  await tx.sql`DELETE FROM refresh_tokens WHERE user_id = ${id}`
}

/**
 * Gives an account to the person who has proved to own its address. If the address was not verified before, a
 * stranger may have created the account, so everything that gives access to it is deleted.
 */
export async function giveToOwner(tx: Queries, id: string): Promise<void> {
  const rows = await tx.sql`UPDATE users SET email_verified = 1, password_hash = NULL
    WHERE id = ${id} AND email_verified = 0 RETURNING id`
  if (rows.length === 0) return
  await endAccess(tx, id)
  await tx.sql`DELETE FROM api_keys WHERE user_id = ${id}`
  await tx.sql`DELETE FROM passkeys WHERE user_id = ${id}`
  await tx.sql`DELETE FROM second_factors WHERE user_id = ${id}`
}

/** Creates the first administrator, from the environment; accounts from the sign-up page have the role `user`. */
async function addAdministrator(email: string, password: string): Promise<void> {
  if (email === "" && password === "") return
  if (email === "" || password.length < passwordLength.min) {
    throw new FwError(
      "administrator",
      "AUTH_ADMIN_EMAIL and AUTH_ADMIN_PASSWORD make an account only together",
      `Set both, the password with at least ${passwordLength.min} characters, or neither.`,
    )
  }
  const rows = await db.sql`SELECT id FROM users WHERE email = ${normalizeEmail(email)}`
  // The operator set this address, so it counts as verified.
  if (rows.length === 0) await addUser({ email, password, role: "super", isVerified: true })
}

await addAdministrator(readSetting("AUTH_ADMIN_EMAIL"), readSetting("AUTH_ADMIN_PASSWORD"))
