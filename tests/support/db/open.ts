/** Opens SQLite databases for tests with each client. */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@libsql/client"
import { type Database, database } from "../../../adapters/db.ts"

type SqliteClass = new (file: string) => object

const require = createRequire(import.meta.url)
const { DatabaseSync } = (process.getBuiltinModule?.("node:sqlite") ?? {}) as { DatabaseSync?: SqliteClass }

/** Functions that open a file, by the name of the client. `node:sqlite` is included only if this Node has it. */
export const sqliteClients: Readonly<Record<string, (file: string) => Database>> = {
  "better-sqlite3": (file) => database(new (require("better-sqlite3") as SqliteClass)(file)),
  libsql: (file) => database(createClient({ url: `file:${file}` })),
  ...(DatabaseSync && { "node:sqlite": (file: string) => database(new DatabaseSync(file)) }),
}

/** In memory if the system has a directory for that, because every commit would wait for a slow disk. */
const directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "fw-db-"))
process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
let fileCount = 0

/** Returns the path of a file that does not exist yet. */
export function newFile(): string {
  fileCount += 1
  return join(directory, `${fileCount}.db`)
}
