/** The users of the application. */
import type { Row } from "@libsql/client"
import { FwError } from "fw"
import { db } from "./database.ts"
import { setting } from "./env.ts"
import { isRole, type Role } from "./identity.ts"
import { hashPassword, isPassword, isWeak, passwordLength } from "./passwords.ts"

export interface User {
  readonly id: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  readonly picture: string
  readonly role: Role
}

/** Returns an email address as it is stored: in lower case, so that nobody has two accounts. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Parses a row. @throws Error for a row of another table. */
export function userOf({ id, email, name, picture, role }: Row): User {
  if (!isRole(role)) throw new Error(`the user ${id} has the role ${role}`)
  return { id: String(id), email: String(email), name: String(name), picture: String(picture), role }
}

export async function findUser(id: string): Promise<User | null> {
  const { rows } = await db.execute({ sql: "SELECT * FROM users WHERE id = ?", args: [id] })
  return rows[0] ? userOf(rows[0]) : null
}

/** Returns all users, sorted by email address. */
export async function listUsers(): Promise<User[]> {
  return (await db.execute("SELECT * FROM users ORDER BY email")).rows.map(userOf)
}

/** Adds a user with a password. Null if the address is taken. */
export async function addUser(email: string, password: string, role: Role = "user"): Promise<User | null> {
  const { rows } = await db.execute({
    sql: `INSERT INTO users (id, email, password_hash, role, email_verified, created_at)
      VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT (email) DO NOTHING RETURNING *`,
    args: [crypto.randomUUID(), normalEmail(email), await hashPassword(password), role, Date.now()],
  })
  return rows[0] ? userOf(rows[0]) : null
}

/** Returns the user with this address and password, or null. Both take the same time. */
export async function checkPassword(email: string, password: string): Promise<User | null> {
  const { rows } = await db.execute({
    sql: "SELECT * FROM users WHERE email = ?",
    args: [normalEmail(email)],
  })
  const stored = (rows[0]?.password_hash ?? null) as string | null
  if (!(await isPassword(password, stored))) return null
  const user = userOf(rows[0] as Row)
  if (stored !== null && isWeak(stored)) await strengthen(user, stored, password)
  return user
}

/** Replaces a weak hash. Only at login is the password known. */
async function strengthen({ id }: User, stored: string, password: string): Promise<void> {
  await db.execute({
    sql: "UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?",
    args: [await hashPassword(password), id, stored],
  })
}

/** Changes the role of a user. Sessions have it at once, tokens when they are next issued. */
export async function setRole(id: string, role: Role): Promise<boolean> {
  const { rowsAffected } = await db.execute({
    sql: "UPDATE users SET role = ? WHERE id = ?",
    args: [role, id],
  })
  return rowsAffected > 0
}

/**
 * Creates the first administrator, from the environment; accounts from the sign-up page have the role `user`.
 */
async function addAdministrator(email: string, password: string): Promise<void> {
  if (email === "" && password === "") return
  if (email === "" || password.length < passwordLength.least) {
    throw new FwError(
      "administrator",
      "AUTH_ADMIN_EMAIL and AUTH_ADMIN_PASSWORD make an account only together",
      `Set both, the password with at least ${passwordLength.least} characters, or neither.`,
    )
  }
  const { rows } = await db.execute({
    sql: "SELECT 1 FROM users WHERE email = ?",
    args: [normalEmail(email)],
  })
  if (rows.length > 0) return
  const user = await addUser(email, password, "super")
  // The address counts as verified, because the operator set it.
  if (user) await db.execute({ sql: "UPDATE users SET email_verified = 1 WHERE id = ?", args: [user.id] })
}

await addAdministrator(setting("AUTH_ADMIN_EMAIL"), setting("AUTH_ADMIN_PASSWORD"))
