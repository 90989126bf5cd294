/** Migrations that take so long that a signal arrives during one of them. Each records that it ran. */
import type { Migration, Queries } from "../../../adapters/db.ts"
import { toMigrations } from "./migrations.ts"

/** Number of migrations. */
export const migrationCount = 6
/** Number of rows in the table of each migration. */
export const rowCount = 200

const sql = (n: number) =>
  [
    `CREATE TABLE t${n} (id integer)`,
    ...Array.from({ length: rowCount }, (_, id) => `INSERT INTO t${n} VALUES (${id})`),
    `INSERT INTO ran VALUES (${n})`,
  ].join(";\n")

const code = (n: number) => ({
  async up(tx: Queries) {
    for (const statement of sql(n).split(";\n")) await tx.query(statement)
  },
})

const alone = (n: number) => `-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS i${n};
CREATE INDEX CONCURRENTLY i${n} ON t0 (id);
`

/** Returns the migrations. @param isAlone true if two of them have no transaction. */
export function createLongMigrations(isAlone: boolean): Migration[] {
  const sources: Record<string, string | object> = { m0: `CREATE TABLE ran (n integer);\n${sql(0)}` }
  for (let n = 1; n < migrationCount; n++)
    sources[`m${n}`] = n % 3 === 1 ? code(n) : isAlone && n % 3 === 2 ? alone(n) : sql(n)
  return toMigrations(sources)
}
