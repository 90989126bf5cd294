/** The database of the application, which is a file. The migrations in db/migrations/ create its tables. */
import { appendFileSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { database } from "fw/db"

const url = process.env.DATABASE_URL || "file:data/app.db"
const file = url.replace(/^file:/, "")
mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
// Creates the file so that other users of this machine cannot read it.
appendFileSync(file, "", { mode: 0o600 })

const client = new Database(file)
// The timeout comes first: it is how many milliseconds a process waits while another one writes.
client.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON")

export const db = database(client)
