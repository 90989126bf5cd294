/** Makes migrations for tests. */
import type { Migration } from "../../../adapters/db.ts"

/** Returns migrations from the names and the texts of their files. */
export function toMigrations(sources: Readonly<Record<string, string | object>>): Migration[] {
  return Object.entries(sources)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, source]) =>
      typeof source === "string"
        ? { name, file: `db/migrations/${name}.sql`, source }
        : { name, file: `db/migrations/${name}.ts`, source: name, module: source },
    )
}
