/**
 * The database: a local file or a libSQL server. It is opened, and its tables are created, when this module
 * is imported.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { appendFile, mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Client, createClient } from "@libsql/client"
import { FwError } from "fw"
import { setting } from "./env.ts"
import { migrate } from "./migrate.ts"
import { migrations } from "./migrations.ts"

/**
 * The directory of a database for tests. `fw test` sets `NODE_ENV` to `test`: without a database of their own, tests would change
 * the data of the program and of each other.
 */
const temporary =
  setting("NODE_ENV") === "test" && setting("AUTH_DATABASE_URL") === ""
    ? mkdtempSync(join(tmpdir(), "auth-"))
    : null

/** The program does not start without a database. */
export const db = await open(setting("AUTH_DATABASE_URL") || `file:${join(temporary ?? "data", "auth.db")}`)

if (temporary !== null)
  process.once("exit", () => {
    // Windows does not delete an open file.
    db.close()
    rmSync(temporary, { recursive: true, force: true })
  })

async function open(url: string): Promise<Client> {
  const path = /^file:(?:\/\/)?(?!:memory:)([^?]+)/.exec(url)?.[1]
  try {
    if (path !== undefined) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Other users of this machine cannot read a new database. Its directory may exist already, for uploads that they may read.
      await appendFile(path, "", { mode: 0o600 })
    }
    // Milliseconds that a write waits for another process.
    const client = createClient({ url, authToken: setting("AUTH_DATABASE_TOKEN"), timeout: 5000 })
    // With a write-ahead log, readers and a writer do not block each other. The file keeps this setting; a
    // server has its own.
    if (path !== undefined) await client.execute("PRAGMA journal_mode = WAL")
    await migrate(client, migrations)
    return client
  } catch (cause) {
    if (cause instanceof FwError) throw cause
    throw new FwError(
      "database",
      // A URL may contain a password.
      `the database ${path ?? (URL.canParse(url) ? new URL(url).host : "of AUTH_DATABASE_URL")} cannot be opened: ${(cause as Error).message}`,
      "AUTH_DATABASE_URL is file:<path>, or libsql://<host> with AUTH_DATABASE_TOKEN. Look at the place and its permissions.",
      { cause },
    )
  }
}
