/**
 * The environment of the tests: each has its own database, which is deleted afterwards, on the server of
 * TEST_DATABASE_URL if it is set. Import this before modules that read the environment.
 */
import { createTestDatabase } from "fw/db"
import migrations from "../../.fw/migrations.ts"

const database = await createTestDatabase(process.env.TEST_DATABASE_URL || "file:data/app.db", migrations)
// Every test file adds a listener.
process.setMaxListeners(process.getMaxListeners() + 1)
process.once("exit", () => void database.remove())

export const jwtSecret = "a secret for tests, of 32 bytes or more"
export const administrator = { email: "root@example.com", password: "the very first account" }
export const fixedKey = "0123456789abcdef0123456789abcdef"

Object.assign(process.env, {
  DATABASE_URL: database.address,
  FW_SECRETS: "a secret for the cookies of tests",
  AUTH_JWT_SECRET: jwtSecret,
  AUTH_ADMIN_EMAIL: administrator.email,
  AUTH_ADMIN_PASSWORD: administrator.password,
  AUTH_API_KEYS: `billing=${fixedKey}`,
  AUTH_LOGIN_LIMIT: "100000",
  AUTH_ORIGIN: "http://localhost",
  AUTH_TOKEN_SECONDS: "",
})
