/** Runs the commands about a database, for `fw db` and for `db` as the first argument of a built program. */
import { parseArgs } from "node:util"
import { writeMessage } from "../../lib/log/process-log.ts"
import { env } from "../disk/env.ts"
import { answerCommand } from "../shared/program-command.ts"
import { type Database, getEngine, preparations } from "./database.ts"
import type { Engine } from "./engine.ts"
import { databaseFault } from "./fault.ts"
import {
  findOrderConflicts,
  type MigrationStatus,
  migrate,
  type OrderConflict,
  readStatus,
  removeAll,
  replay,
  rollback,
} from "./migrate.ts"
import type { Migration } from "./migration.ts"
import { openDatabase } from "./open.ts"

/**
 * The database of a project, as the generated `.fw/db.node.ts` passes it.
 *
 * @example
 * import { Pool } from "pg"
 * import { database } from "fw/db"
 * const program: DatabaseProgram = { load: async () => ({ db: database(new Pool()) }), migrations: [] }
 */
export interface DatabaseProgram {
  /** Loads `db/index.ts`, which exports `db`. */
  readonly load: () => Promise<object>
  readonly migrations: readonly Migration[]
  /** Loads `db/seed.ts`. */
  readonly seed?: () => Promise<object>
}

/** The result of a command. Each command sets some of the fields. */
export interface DatabaseResult {
  readonly engine?: string
  readonly migrations?: readonly MigrationStatus[]
  readonly applied?: readonly string[]
  readonly removed?: string | null
  readonly replayed?: number
  readonly conflicts?: readonly OrderConflict[]
  readonly isSeeded?: boolean
}

type Command = (
  engine: Engine,
  program: DatabaseProgram & { readonly db: Database },
  options: { readonly force: boolean; readonly again: boolean },
) => Promise<DatabaseResult>

const commands: Readonly<Record<string, Command>> = {
  status: async (engine, { migrations }) => ({
    engine: engine.name,
    migrations: await readStatus(engine, migrations),
  }),
  migrate: async (engine, { migrations }, { again }) => ({ applied: await migrate(engine, migrations, again) }),
  rollback: async (engine, { migrations }, { force }) => ({ removed: await rollback(engine, migrations, force) }),
  async seed(_engine, { db, seed }) {
    await runSeed(db, seed)
    return { isSeeded: true }
  },
  async check(engine, { migrations }) {
    await replay(engine, migrations)
    return { replayed: migrations.length, conflicts: await findOrderConflicts(engine, migrations) }
  },
  async reset(engine, { db, migrations, seed }, { force }) {
    await removeAll(engine, force)
    const applied = await migrate(engine, migrations)
    if (seed) await runSeed(db, seed)
    return { applied, isSeeded: seed !== undefined }
  },
}

async function runSeed(db: Database, load: DatabaseProgram["seed"]): Promise<void> {
  const { seed } = ((await load?.()) ?? {}) as { readonly seed?: unknown }
  if (typeof seed !== "function") throw databaseFault("database.seed")
  await seed(db)
}

/**
 * The migrations of a program with `FW_MIGRATE=start`, for `run()`.
 *
 * @example
 * const none: StartMigrations = { noteLoaded: () => {}, apply: async () => {} }
 */
export interface StartMigrations {
  /** Must be called when the modules of the program have been loaded. */
  noteLoaded(): void
  /**
   * Applies the migrations, and logs which.
   *
   * @throws FwError `database` for a database that cannot be reached, and the errors of `migrate`.
   */
  apply(): Promise<void>
}

/**
 * If the first argument of the program is `db`, runs that command and ends the process, before the other modules of the
 * program are loaded. Otherwise prepares the migrations, if `FW_MIGRATE` asks for them. They are applied by `run()`, or
 * earlier if a module uses the database while it is loaded.
 *
 * @throws FwError `database` for an invalid value of `FW_MIGRATE` and for a database that cannot be reached.
 * @example
 * import { Pool } from "pg"
 * import { database } from "fw/db"
 * const migrations = await beginDatabase({ load: async () => ({ db: database(new Pool()) }), migrations: [] })
 * await migrations?.apply()
 */
export async function beginDatabase(program: DatabaseProgram): Promise<StartMigrations | undefined> {
  const [first, ...args] = process.argv.slice(2)
  if (first === "db") process.exit(await runCommand(args, program))
  const { FW_MIGRATE } = process.env
  if (!FW_MIGRATE) return undefined
  if (FW_MIGRATE !== "start") throw databaseFault("database.migrate_variable", [FW_MIGRATE])
  const engine = getEngine(await openDatabase(program.load))
  let migration: Promise<readonly string[]> | undefined
  const migrateOnce = () => {
    migration ??= migrate(engine, program.migrations)
    return migration
  }
  preparations.set(engine, migrateOnce)
  return {
    noteLoaded: () => void preparations.delete(engine),
    async apply() {
      const applied = await migrateOnce()
      // Written only now, because the program has chosen the format of its log while it was loaded.
      if (applied.length > 0) writeMessage("info", `Applied ${applied.join(", ")}`, env)
    },
  }
}

/**
 * Runs a command and prints its result. Returns the exit code, which is 1 for an error, and for a conflict that `check`
 * has found.
 */
function runCommand(args: string[], program: DatabaseProgram): Promise<number> {
  const run = async () => {
    const boolean = { type: "boolean", default: false } as const
    const known = { force: boolean, again: boolean, json: boolean }
    const { values: options, positionals } = parseArgs({ args, options: known, allowPositionals: true })
    const [name = "", ...rest] = positionals
    const command = Object.hasOwn(commands, name) && rest.length === 0 ? commands[name] : undefined
    if (!command) throw databaseFault("database.command", [positionals.join(" "), Object.keys(commands)])
    const db = await openDatabase(program.load)
    return command(getEngine(db), { ...program, db }, options)
  }
  return answerCommand(args.includes("--json"), run, {
    format: formatResult,
    // Any error that is not an FwError is from the client or from the code of the project.
    explain: (message) => databaseFault("database.answer", [message, "Check the database and its address."]),
    exitCode: ({ conflicts }) => (conflicts?.length ? 1 : 0),
  })
}

/** Returns the result of a command as text for people. */
export function formatResult({ migrations, applied, removed, replayed, conflicts, isSeeded }: DatabaseResult): string {
  const lines = [
    ...(migrations?.map(({ state, name, applied: when }) => `${state.padEnd(11)} ${name}${when ? `  ${when}` : ""}`) ??
      []),
    ...(migrations?.length === 0 ? ["there are no migrations: fw db new NAME writes one"] : []),
    ...(applied?.map((name) => `applied     ${name}`) ?? []),
    ...(applied?.length === 0 ? ["nothing to apply"] : []),
    ...(removed === undefined ? [] : [removed === null ? "nothing is applied" : `taken back  ${removed}`]),
    ...(replayed === undefined ? [] : [`${replayed} applied to an empty database`]),
    ...(conflicts?.map(formatConflict) ?? []),
    ...(isSeeded ? ["seeded"] : []),
  ]
  return `${lines.join("\n")}\n`
}

function formatConflict({ table, pending, applied }: OrderConflict): string {
  return `both change ${table}: ${pending} is still to be applied here, and comes after ${applied}; in a new database it comes before`
}
