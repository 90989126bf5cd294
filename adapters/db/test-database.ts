/** Creates a database for a test file, as a copy of a database with all migrations. */
import { createHash, randomUUID } from "node:crypto"
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createEngine } from "./clients.ts"
import type { Engine } from "./engine.ts"
import { migrate, useAndClose } from "./migrate.ts"
import type { Migration } from "./migration.ts"
import { findOwnPackage, loadOwnPackage } from "./own-package.ts"
import { withDatabase } from "./postgres.ts"
import { openSqlite } from "./sqlite.ts"

/**
 * A database that only one test file uses.
 *
 * @example
 * const test: TestDatabase = await createTestDatabase("data/shop.db", [])
 * await test.remove()
 */
export interface TestDatabase {
  /** The address of the database, in the same form as the argument. */
  readonly address: string
  /** Removes the database. Close the program's client first. */
  remove(): Promise<void>
}

/**
 * Creates a database with all migrations applied and without rows. The migrations are applied once, to a template that
 * later test files copy. The template is a SQLite file, or a template database on the same PostgreSQL server.
 *
 * @param address the path of a SQLite file, with or without `file:`, or the URL of a PostgreSQL database whose user may
 * create databases. Neither of them is changed.
 * @param migrations the exports of `.fw/migrations.ts`.
 * @throws FwError `migration` if a migration fails, `database` if the package of the client is not installed.
 * @example
 * const notes = { name: "1_notes", file: "db/migrations/1_notes.sql", source: "CREATE TABLE notes (text TEXT)" }
 * const test = await createTestDatabase("data/shop.db", [notes])
 * await test.remove()
 */
export async function createTestDatabase(address: string, migrations: readonly Migration[]): Promise<TestDatabase> {
  const text = JSON.stringify(migrations.map(({ name, source }) => [name, source]))
  const version = createHash("sha256").update(`${address}\n${text}`).digest("hex").slice(0, 16)
  return /^postgres(?:ql)?:/.test(address)
    ? copyPostgres(address, `fw_template_${version}`, migrations)
    : copyFile(address.startsWith("file:") ? "file:" : "", `fw-template-${version}.db`, migrations)
}

async function copyFile(scheme: string, name: string, migrations: readonly Migration[]): Promise<TestDatabase> {
  const template = join(tmpdir(), name)
  const copyPath = join(tmpdir(), `fw-test-${randomUUID()}.db`)
  if (!existsSync(template)) {
    await useAndClose(openSqlite(copyPath), (engine) => migrate(engine, migrations))
    renameSync(copyPath, template)
  }
  copyFileSync(template, copyPath)
  const remove = async () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copyPath + suffix, { force: true })
  }
  return { address: scheme + copyPath, remove }
}

async function copyPostgres(address: string, template: string, migrations: readonly Migration[]) {
  const copyName = `fw_test_${randomUUID().replaceAll("-", "")}`
  const copyAddress = withDatabase(address, copyName)
  const run = (sql: string) => useAndClose(openServer(address), ({ connection }) => connection.script(sql))
  const copyTemplate = `CREATE DATABASE ${copyName} TEMPLATE ${template}`
  try {
    await run(copyTemplate)
  } catch (error) {
    if ((error as { code?: unknown }).code !== "3D000") throw error
    await run(`CREATE DATABASE ${copyName}`)
    await useAndClose(openServer(copyAddress), (engine) => migrate(engine, migrations))
    // Another test file may have created the same template in the meantime.
    await run(`ALTER DATABASE ${copyName} RENAME TO ${template}`).catch(() => run(`DROP DATABASE ${copyName}`))
    await run(copyTemplate)
  }
  return { address: copyAddress, remove: () => run(`DROP DATABASE IF EXISTS ${copyName} WITH (FORCE)`) }
}

function openServer(address: string): Engine {
  const pg = findOwnPackage("pg") as { Pool: new (options: object) => object } | undefined
  if (pg) return createEngine(new pg.Pool({ connectionString: address }))
  return createEngine((loadOwnPackage("postgres") as (address: string) => object)(address))
}
