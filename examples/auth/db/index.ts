/** The database of the application: a file, or a libSQL server. Its tables are made by db/migrations/. */
import { appendFileSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { createClient } from "@libsql/client"
import { database } from "fw/db"

const url = process.env.DATABASE_URL || "file:data/app.db"
const [, file] = /^file:(?:\/\/)?([^?]+)/.exec(url) ?? []
if (file) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Other users of this machine cannot read a new file.
  appendFileSync(file, "", { mode: 0o600 })
}

export const db = database(createClient({ url, authToken: process.env.DATABASE_TOKEN ?? "", timeout: 5000 }))
// With a write-ahead log, readers and a writer do not block each other.
if (file) await db.query("PRAGMA journal_mode = WAL")
