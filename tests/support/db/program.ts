/** A program with a database, for tests that start and kill many such programs: `node program.mjs db migrate`. */
import { createRequire } from "node:module"
import { Pool } from "pg"
import { database } from "../../../adapters/db.ts"
import { beginDatabase } from "../../../adapters/start.ts"
import { createLongMigrations } from "./long-migrations.ts"

type SqliteClass = new (file: string) => object

const { DATABASE = "", ALONE } = process.env

function open(): object {
  if (DATABASE.startsWith("postgres:")) return new Pool({ connectionString: DATABASE, max: 2 })
  return new (createRequire(import.meta.url)("better-sqlite3") as SqliteClass)(DATABASE)
}

process.stdout.write("begins\n")
const started = await beginDatabase({
  load: async () => ({ db: database(open()) }),
  migrations: createLongMigrations(ALONE !== undefined),
})
await started?.apply()
