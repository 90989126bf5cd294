/**
 * Finds the database files of a project (`db/index.ts`, `db/seed.ts`, `db/migrations/`), and generates the modules
 * of `.fw/` that import them.
 */
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { databaseFault } from "../../adapters/db/fault.ts"
import type { GeneratedFile } from "./codegen.ts"
import { generatedHeader, quote } from "./generated-text.ts"

/** The directory of migrations, relative to the project. */
export const migrationsDir = "db/migrations"
/** The module that runs database commands, relative to the project. */
export const databaseModule = ".fw/db.node.ts"

/** The database files of a project. */
export interface ProjectDatabase {
  /** Path of the module that exports `db`. */
  readonly index: string
  /** Path of the module that exports `seed`; undefined if there is none. */
  readonly seed: string | undefined
  readonly migrations: readonly { readonly name: string; readonly file: string; readonly source: string }[]
}

const moduleNames = ["ts", "mts", "js", "mjs"] as const

function findModule(root: string, name: string): string | undefined {
  return moduleNames.map((ending) => `db/${name}.${ending}`).find((file) => existsSync(join(root, file)))
}

/**
 * Finds the database files. If the index of `db` does not import `fw/db`, the directory is for something else, and
 * the project has no database.
 *
 * @throws FwError `migration` if two migrations have the same name.
 */
export async function readDatabase(root: string): Promise<ProjectDatabase | undefined> {
  const index = findModule(root, "index")
  if (!index || !/["']fw\/db["']/.test(await readFile(join(root, index), "utf8"))) return undefined
  const entries = await readdir(join(root, migrationsDir), { withFileTypes: true }).catch(() => [])
  const filesByName = new Map<string, string>()
  for (const entry of entries) {
    // Some tools create a directory for each migration.
    const file = entry.isDirectory() ? `${entry.name}/migration.sql` : entry.name
    const name = entry.isDirectory() ? entry.name : /^([^._].*?)(?<!\.d|\.test)\.(?:sql|[cm]?[jt]s)$/.exec(file)?.[1]
    if (name === undefined || !existsSync(join(root, migrationsDir, file))) continue
    const other = filesByName.get(name)
    if (other !== undefined)
      throw databaseFault("migration.twice", [`${migrationsDir}/${other}`, `${migrationsDir}/${file}`])
    filesByName.set(name, file)
  }
  const names = [...filesByName].sort(([a], [b]) => (a < b ? -1 : 1))
  const migrations = names.map(async ([name, path]) => {
    const file = `${migrationsDir}/${path}`
    return { name, file, source: await readFile(join(root, file), "utf8") }
  })
  return { index, seed: findModule(root, "seed"), migrations: await Promise.all(migrations) }
}

/** Returns the modules of `.fw/` for a database. */
export function generateDatabaseFiles({ index, seed, migrations }: ProjectDatabase): GeneratedFile[] {
  const imports = migrations.map(({ file }, i) =>
    file.endsWith(".sql") ? "" : `import * as m${i} from ${quote(`../${file}`)}\n`,
  )
  const rows = migrations.map(({ name, file, source }, i) => {
    const modulePart = file.endsWith(".sql") ? "" : `, module: m${i}`
    return `  { name: ${quote(name)}, file: ${quote(file)}, source: ${quote(source)}${modulePart} },\n`
  })
  const list = `import type { Migration } from "fw/db"\n${imports.join("")}
const migrations: readonly Migration[] = [\n${rows.join("")}]\n\nexport default migrations\n`
  const seedPart = seed === undefined ? "" : `, seed: () => import(${quote(`../${seed}`)})`
  const program = `import { beginDatabase } from "fw/start"
import migrations from "./migrations.ts"

export default await beginDatabase({ load: () => import(${quote(`../${index}`)}), migrations${seedPart} })\n`
  return [
    { file: ".fw/migrations.ts", text: generatedHeader + list },
    { file: databaseModule, text: generatedHeader + program },
  ]
}
