/** Applies the migrations to a database, at start. */
import type { Client } from "@libsql/client"
import { FwError } from "fw"
import type { Migration } from "./migrations.ts"

/**
 * Applies the missing steps, each in its own transaction. If several programs start at the same time, each
 * step is applied once.
 *
 * @throws FwError `migrations` for a database with steps of another version of the program, and for a step
 * that fails.
 */
export async function migrate(db: Client, migrations: readonly Migration[]): Promise<void> {
  await db.execute(
    "CREATE TABLE IF NOT EXISTS migrations (position INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  )
  for (let position = await applied(db, migrations); position < migrations.length; position += 1) {
    await apply(db, migrations[position] as Migration, position)
  }
}

/** Returns the number of applied steps. */
async function applied(db: Client, migrations: readonly Migration[]): Promise<number> {
  const { rows } = await db.execute("SELECT name FROM migrations ORDER BY position")
  rows.forEach(({ name }, position) => {
    if (migrations[position]?.name === name) return
    throw new FwError(
      "migrations",
      `the database has had the migration ${JSON.stringify(name)}, which this program does not know there`,
      "Start the version of the program that the database belongs to, or restore the database from before.",
    )
  })
  return rows.length
}

async function apply(db: Client, { name, statements }: Migration, position: number): Promise<void> {
  // The row is inserted first: if two programs apply a step, one finds the row taken, and its transaction is
  // rolled back.
  const claim = {
    sql: "INSERT INTO migrations (position, name, applied_at) VALUES (?, ?, ?)",
    args: [position, name, Date.now()],
  }
  try {
    await db.batch([claim, ...statements], "write")
  } catch (cause) {
    const { rows } = await db.execute({
      sql: "SELECT name FROM migrations WHERE position = ?",
      args: [position],
    })
    if (rows[0]?.name === name) return
    throw new FwError(
      "migrations",
      `the migration ${JSON.stringify(name)} failed: ${(cause as Error).message}`,
      "Nothing of it was applied. Fix it in lib/auth/migrations.ts, then start again.",
      { cause },
    )
  }
}
