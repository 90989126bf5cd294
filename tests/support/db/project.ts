/** Files of a project with an SQLite database. */

/** A project with two migrations, one of them code, and a seed. Its route needs the table when it is loaded. */
export const databaseProject = {
  "db/index.ts": `import { createClient } from "@libsql/client"
import { database } from "fw/db"

export const db = database(createClient({ url: process.env.DATABASE_URL ?? "file:shop.db" }))
`,
  "db/migrations/1_notes.sql": "CREATE TABLE notes (text TEXT);\n-- down\nDROP TABLE notes;\n",
  "db/migrations/2_first.ts": `import type { Queries } from "fw/db"

export async function up(tx: Queries) {
  console.log("from a migration")
  await tx.query("INSERT INTO notes VALUES (?)", ["first"])
}
`,
  "db/seed.ts": `import type { Database } from "fw/db"

export async function seed(db: Database) {
  await db.query("INSERT INTO notes VALUES ('seed')")
}
`,
  "app/api/route.ts": `import type { Context } from "fw"
import { db } from "../../db/index.ts"

const first = await db.query("SELECT text FROM notes")

export async function Get(c: Context) {
  return c.json(200, first)
}
`,
}

/** The packages of the project. */
export const databasePackages = ["fw", "esbuild", "@libsql/client"]
