/**
 * The environment of the tests: a temporary database, deleted afterwards. Import this before modules that
 * read the environment.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const directory = mkdtempSync(join(tmpdir(), "fw-auth-"))
// Every test file adds a listener.
process.setMaxListeners(process.getMaxListeners() + 1)
process.once("exit", () => rmSync(directory, { recursive: true, force: true }))

/** Path of the database. */
export const databaseFile = join(directory, "auth.db")

export const jwtSecret = "a secret for tests, of 32 bytes or more"
export const administrator = { email: "root@example.com", password: "the very first account" }
export const fixedKey = "0123456789abcdef0123456789abcdef"

Object.assign(process.env, {
  AUTH_DATABASE_URL: `file:${databaseFile}`,
  AUTH_JWT_SECRET: jwtSecret,
  AUTH_ADMIN_EMAIL: administrator.email,
  AUTH_ADMIN_PASSWORD: administrator.password,
  AUTH_API_KEYS: `billing=${fixedKey}`,
  AUTH_LOGIN_LIMIT: "100000",
  // Mails are kept in files.
  NODE_ENV: "development",
  AUTH_ORIGIN: "http://localhost",
  AUTH_TOKEN_SECONDS: "",
})
