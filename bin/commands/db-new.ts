/** `fw db new`: writes an empty migration. */
import { databaseFault } from "../../adapters/db/fault.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { migrationsDir } from "../project/database-files.ts"
import type * as specs from "../specs/db.ts"
import { createFile } from "../system/whole-file.ts"

/** The file that was written, relative to the project. */
export interface NewMigrationData {
  readonly file: string
}

/** Writes the file. Its name begins with the time, so that the order of names is that in which they were written. */
export async function run(
  { name }: OptionsOf<typeof specs.create>,
  { cwd }: Pick<Io, "cwd">,
): Promise<NewMigrationData> {
  if (!/^[\w-]+$/.test(name)) throw databaseFault("migration.name", [name])
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14)
  const file = `${migrationsDir}/${time}_${name}.sql`
  await createFile({ root: cwd, path: file }, "\n-- down\n")
  return { file }
}

/** Returns the file, and the next step. */
export function print({ file }: NewMigrationData): string {
  return `wrote ${file}: write the change above -- down, and the way back below it. Then: fw db migrate\n`
}
