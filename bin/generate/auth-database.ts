/**
 * Generates the database modules of `fw generate auth`: `db/index.ts` for the project's database client, and a
 * separate database for each test.
 */
import { existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { newFault } from "../messages/new.ts"
import { readManifest } from "../project/manifest.ts"
import { referenceDirectory } from "./auth-sources.ts"
import type { NewFile } from "./files.ts"
import { readSourceTemplate } from "./write-source.ts"

/**
 * The supported clients, which are recognized in package.json. Without one, accounts use libSQL, which runs
 * everywhere.
 */
const clients = ["pg", "postgres", "better-sqlite3"]
/** Type packages for clients that do not contain types, with their versions. */
const clientTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pg: { "@types/pg": "^8.23.1" },
  "better-sqlite3": { "@types/better-sqlite3": "^9.6.0" },
}

/** Returns true if `db/index.ts` has a client of SQLite, by its text. */
export function isSQLite(index: string): boolean {
  return /["'](?:@libsql\/client|better-sqlite3|node:sqlite|bun:sqlite)["']/.test(index)
}

/** A new `db/index.ts`. */
export interface NewIndex {
  readonly client: string
  readonly text: string
  /** Packages with types for the client, and their versions. */
  readonly types: Readonly<Record<string, string>>
}

/**
 * Returns `db/index.ts` for the project's client.
 *
 * @throws FwError `patterns` if the project has a `db/index` that is for something else.
 */
export async function createDatabaseIndex(root: string): Promise<NewIndex> {
  const existingFile = ["ts", "mts", "js", "mjs"]
    .map((ending) => `db/index.${ending}`)
    .find((file) => existsSync(join(root, file)))
  if (existingFile !== undefined) throw newFault("patterns.database", [], { at: { file: existingFile } })
  const { dependencies } = readManifest(root)
  const client = clients.find((name) => Object.hasOwn(Object(dependencies), name))
  if (client !== undefined)
    return { client, text: await readSourceTemplate(`db/${client}.ts`), types: clientTypes[client] ?? {} }
  return { client: "@libsql/client", text: await readFile(join(referenceDirectory, "db/index.ts"), "utf8"), types: {} }
}

/**
 * Returns the module that gives each test file its own database. It sets the variable that `db/index.ts` reads.
 *
 * @param index the text of `db/index.ts`, if it is new.
 */
export async function createTestDatabaseFile(root: string, index: string | undefined, file: string): Promise<NewFile> {
  const text = index ?? readFileSync(join(root, file), "utf8")
  const [, variable = "DATABASE_URL", address = "file:data/app.db"] =
    /process\.env\.(\w+)\s*(?:\?\?|\|\|)\s*["']([^"']+)["']/.exec(text) ?? []
  const template = await readSourceTemplate("auth/database.ts")
  return {
    file: "tests/support/database.ts",
    text: template
      .replaceAll("DATABASE_URL", variable)
      .replace("file:data/app.db", address)
      .replaceAll("db/index.ts", file),
  }
}
