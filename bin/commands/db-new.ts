/** `fw db new`: writes a migration that is empty or creates the tables of a store. */
import { readFile } from "node:fs/promises"
import { databaseFault } from "../../adapters/db/fault.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { migrationsDir, readDatabase } from "../project/database-files.ts"
import type * as specs from "../specs/db.ts"
import { packageDirectory } from "../system/package.ts"
import { createFile } from "../system/whole-file.ts"

/** The file that was written, relative to the project. */
export interface NewMigrationData {
  readonly file: string
  /** True if it creates the tables of a store, so that nothing must be added. */
  readonly isComplete: boolean
}

/** The migration to copy for a store. The reference application uses it too. */
const storeFile = `${packageDirectory}examples/auth/db/migrations/20261129000000_store.sql`

/**
 * Writes the migration. Its name begins with the time, so that migrations sorted by name are in the order of their
 * writing.
 *
 * @throws FwError `no_database` if `db/index.ts` is missing, because no command could apply the migration.
 */
export async function run(
  { name, store }: OptionsOf<typeof specs.create>,
  { cwd }: Pick<Io, "cwd">,
): Promise<NewMigrationData> {
  if (!/^[\w-]+$/.test(name)) throw databaseFault("migration.name", [name])
  if (!(await readDatabase(cwd))) throw databaseFault("no_database")
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14)
  const file = `${migrationsDir}/${time}_${name}.sql`
  const text = store ? await readFile(storeFile, "utf8") : "\n-- down\n"
  await createFile({ root: cwd, path: file }, text)
  return { file, isComplete: store }
}

/** Returns a line with the file and the next step. */
export function print({ file, isComplete }: NewMigrationData): string {
  if (isComplete) return `wrote ${file}. Next: fw db migrate\n`
  return `wrote ${file}: write the change above -- down, and the way back below it. Then: fw db migrate\n`
}
