/** Opens the database of a program before a command uses it, so that each client gives the same error if it fails. */
import { FwError } from "../../lib/errors.ts"
import { type Database, getEngine } from "./database.ts"
import type { Engine } from "./engine.ts"
import { databaseFault } from "./fault.ts"

/**
 * Loads the module of a database, and runs a small query, which shows whether the database can be reached.
 *
 * @param load loads `db/index.ts`, which may use the database itself.
 * @throws FwError `database` if it cannot be reached, and as `getEngine` does; other errors of the module as they are.
 */
export async function openDatabase(load: () => Promise<object>): Promise<Database> {
  let db: Database | undefined
  let engine: Engine | undefined
  try {
    db = ((await load()) as { readonly db: Database }).db
    engine = getEngine(db)
    // SQLite reads its file only when a query needs something that is in it.
    await engine.connection.query(engine.name === "SQLite" ? "PRAGMA schema_version" : "SELECT 1", [])
    return db
  } catch (error) {
    // A database that another process keeps busy can be reached. Migrations wait for it.
    if (db && engine?.isConflict(error)) return db
    // Before there is an engine, the error is a mistake in the module, unless it is about a URL.
    if (error instanceof FwError || !(engine || /URL/.test(Object(error).code))) throw error
    throw databaseFault("database.unreachable", [readReason(error)])
  }
}

/** Returns the message of the innermost error. The error of a failed `fetch` has the reason only in its cause. */
function readReason(error: unknown): string {
  const { message, cause, errors } = Object(error) as { message?: string; cause?: unknown; errors?: unknown[] }
  const innerError = cause ?? errors?.[0]
  if (innerError !== undefined) return readReason(innerError)
  const reason = message || String(error)
  // An address may contain a password.
  return reason.includes("://") && reason.includes("@") ? "the error of its client contains the address" : reason
}
