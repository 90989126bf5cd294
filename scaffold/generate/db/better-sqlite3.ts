/** The database of the application, a file. Its tables are made by db/migrations/. */
import { appendFileSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import { database } from "fw/db"

const url = process.env.DATABASE_URL || "file:data/app.db"
const file = url.replace(/^file:/, "")
mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
// Other users of this machine cannot read a new file.
appendFileSync(file, "", { mode: 0o600 })

const client = new Database(file)
// First the time that a process waits for another one, in milliseconds.
client.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON")

export const db = database(client)
