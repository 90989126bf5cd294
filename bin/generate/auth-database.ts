/** The database of `fw generate auth`: `db/index.ts` for the client that a project has, and a database for its tests. */
import { existsSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { newFault } from "../messages/new.ts"
import { readManifest } from "../project/manifest.ts"
import { referenceDirectory } from "./auth-sources.ts"
import type { NewFile } from "./files.ts"
import { readSourceTemplate } from "./write-source.ts"

/** Clients of which package.json shows that the project has them. Without one, accounts use libSQL, which runs everywhere. */
const clients = ["pg", "postgres", "better-sqlite3"]
/** Versions of types that do not come with the client. */
const clientTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pg: { "@types/pg": "^8.23.1" },
  "better-sqlite3": { "@types/better-sqlite3": "^9.6.0" },
}

/** A new `db/index.ts`. */
export interface NewIndex {
  readonly client: string
  readonly text: string
  /** Packages with the types of the client, by name. */
  readonly types: Readonly<Record<string, string>>
}

/** Returns `db/index.ts` for a client. @throws FwError `patterns` if there is a module of another kind. */
export async function createDatabaseIndex(root: string): Promise<NewIndex> {
  const taken = ["ts", "mts", "js", "mjs"]
    .map((ending) => `db/index.${ending}`)
    .find((file) => existsSync(join(root, file)))
  if (taken !== undefined) throw newFault("patterns.database", [], { at: { file: taken } })
  const { dependencies } = readManifest(root)
  const client = clients.find((name) => Object.hasOwn(Object(dependencies), name))
  if (client !== undefined)
    return { client, text: await readSourceTemplate(`db/${client}.ts`), types: clientTypes[client] ?? {} }
  return { client: "@libsql/client", text: await readFile(join(referenceDirectory, "db/index.ts"), "utf8"), types: {} }
}

/**
 * Returns the module that gives each test file a database of its own. The variable and the address are those that `db/index.ts`
 * reads.
 *
 * @param index its text, if it is a new one.
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
