/** Opens SQLite databases, with the SQLite of the runtime or with the project's package `better-sqlite3`. */
import { storeFault } from "../../lib/store/fault.ts"
import { findBuiltinModule } from "../shared/builtin-module.ts"
import { makeDirectory } from "../shared/make-directory.ts"

/** A value for a parameter of a statement. */
export type BoundValue = string | number | null

/** A prepared statement, in the form that `node:sqlite`, `bun:sqlite` and `better-sqlite3` share. */
export interface Statement {
  get(...values: readonly BoundValue[]): unknown
  all(...values: readonly BoundValue[]): unknown[]
  run(...values: readonly BoundValue[]): { readonly changes: number | bigint }
}

/** An open database. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): unknown
}

type DatabaseClass = new (file: string) => Database

/** Loads a package that is installed for one of these paths. Returns undefined if it is not installed. */
export function loadPackage(basePaths: readonly string[], name: string): unknown {
  const modules = findBuiltinModule<typeof import("node:module")>("node:module")
  for (const basePath of basePaths) {
    try {
      return modules?.createRequire(basePath)(name)
    } catch (error) {
      if ((error as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw error
    }
  }
  return undefined
}

function findRuntimeDatabase(): DatabaseClass | undefined {
  return findBuiltinModule<{ DatabaseSync?: DatabaseClass }>("node:sqlite")?.DatabaseSync
}

/**
 * Returns the SQLite class of Bun or of a package. The name of the package is not a literal, so bundlers do not include
 * it.
 */
function findProjectDatabase(call: string): DatabaseClass {
  if (findBuiltinModule("node:fs") === undefined) throw storeFault("store.sqlite_runtime", [call])
  const { versions, argv } = process
  // A program may be started in any directory. So the package is also looked for from the program's file.
  const basePaths = [`${process.cwd()}/package.json`, ...argv.slice(1, 2)]
  const databaseClass = versions.bun
    ? (loadPackage(basePaths, "bun:sqlite") as { Database?: DatabaseClass } | undefined)?.Database
    : (loadPackage(basePaths, "better-sqlite3") as DatabaseClass | undefined)
  if (databaseClass === undefined) {
    throw storeFault("store.sqlite", [call, `Node ${versions.node}`])
  }
  return databaseClass
}

/**
 * Opens a database. Creates its directory if it is missing.
 *
 * @param call the program's call, for messages.
 * @throws FwError `store` if there is no SQLite, and for a file that cannot be opened.
 */
export function openDatabase(file: string, setUp: (database: Database) => void, call = "sqliteStore()"): Database {
  const Database = findRuntimeDatabase() ?? findProjectDatabase(call)
  if (typeof file !== "string" || file === "") throw storeFault("store.file", [call, file])
  // A URL may contain a password. So it is not shown, and no directory is created with its name.
  if (/^[a-z][\w+.-]*:\/\//i.test(file)) throw storeFault("store.file_url", [call])
  let database: Database | undefined
  try {
    const paths = findBuiltinModule<typeof import("node:path")>("node:path")
    if (file !== ":memory:" && paths) makeDirectory(paths.dirname(file))
    database = new Database(file)
    setUp(database)
    return database
  } catch (cause) {
    database?.close()
    const isDamaged = /not a database|malformed/.test(String(cause))
    const kind = isDamaged ? "store.file_damaged" : isBusy(cause) ? "store.file_locked" : "store.file"
    throw storeFault(kind, [call, file], { cause })
  }
}

/** Returns true for an error which means that another process is writing and that nothing was done. */
export function isBusy(error: unknown): boolean {
  const { code, errcode, message } = Object(error) as Readonly<Record<string, unknown>>
  if (typeof errcode === "number") return (errcode & 0xff) === 5
  return String(code).startsWith("SQLITE_BUSY") || /database is locked/.test(String(message))
}
