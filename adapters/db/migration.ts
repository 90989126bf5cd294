/** Reads a migration: its statements, and how it must run. */
import { runTransactionBody, type TransactionBody } from "./database.ts"
import type { Connection, Engine } from "./engine.ts"
import { databaseFault } from "./fault.ts"

/**
 * A migration in `db/migrations/`. `fw` writes all migrations to `.fw/migrations.ts`, so that they are part of the
 * program.
 *
 * @example
 * const notes: Migration = {
 *   name: "20261128093000_notes",
 *   file: "db/migrations/20261128093000_notes.sql",
 *   source: "CREATE TABLE notes (text TEXT);\n-- down\nDROP TABLE notes;\n",
 * }
 */
export interface Migration {
  /** The name of the file without its ending. Migrations run in the order of these names. */
  readonly name: string
  /** The path of the file, relative to the project. */
  readonly file: string
  /** The text of the file. */
  readonly source: string
  /** The exports of a module: `up(tx)`, and optionally `down(tx)` and `transaction = false`. */
  readonly module?: object
}

/** SQL, or a function of a module. */
export type Step = string | TransactionBody<unknown>

/** The two directions of a migration, and how they must run. */
export interface Steps {
  /** A single step, or one for each statement if the migration runs without a transaction. */
  readonly up: readonly Step[]
  /** Missing if the migration cannot be rolled back. */
  readonly down?: Step | undefined
  readonly hasTransaction: boolean
  /** True if the migration turns the checks of references off, which SQLite allows only outside of a transaction. */
  readonly turnsReferencesOff: boolean
}

const noTransactionPattern = /^[ \t]*--[ \t]*no[ -]transaction[ \t]*$/im
const downPattern = /^[ \t]*--[ \t]*down[ \t]*$/im
const referencesOffPattern = /\bPRAGMA\s+foreign_keys\s*(?:=\s*|\(\s*)(?:OFF|0|FALSE|NO)\b/i

/** Returns a text without white space around it. Its lines end with line feeds, because Git may have changed the ends. */
function normalize(text: string): string {
  return text.replaceAll("\r\n", "\n").trim()
}

/** Splits SQL into statements. Each must end with a semicolon at the end of a line. */
function splitStatements(sql: string): string[] {
  const texts = sql.split(/;[ \t]*$/m).map((text) => text.trim())
  return texts.filter((text) => text.replace(/^[ \t]*--.*$/gm, "").trim() !== "")
}

/** Reads the directions of a migration. @throws FwError `migration` for a migration that does nothing. */
export function readSteps({ file, source, module }: Migration): Steps {
  const turnsReferencesOff = referencesOffPattern.test(source)
  if (module) {
    const { up, down, transaction } = module as Partial<Record<"up" | "down" | "transaction", unknown>>
    if (typeof up !== "function") throw databaseFault("migration.up", [], { at: { file } })
    return {
      up: [up as Step],
      down: typeof down === "function" ? (down as Step) : undefined,
      hasTransaction: transaction !== false,
      turnsReferencesOff,
    }
  }
  const [upText = "", downText = ""] = normalize(source).split(downPattern)
  const statements = splitStatements(upText)
  if (statements.length === 0) throw databaseFault("migration.empty", [], { at: { file } })
  const hasTransaction = !noTransactionPattern.test(upText)
  return { up: hasTransaction ? [upText] : statements, down: downText.trim(), hasTransaction, turnsReferencesOff }
}

/** Runs a step of a migration on a connection. */
export async function runStep(engine: Engine, connection: Connection, step: Step): Promise<void> {
  if (typeof step === "string") await connection.script(step)
  else await runTransactionBody(engine, connection, false, step)
}

/**
 * Returns how a migration differs from the text that was applied; undefined if it is the same. The text after `-- down`
 * may change.
 */
export function findDifference(appliedSource: string, { source, module }: Migration): string | undefined {
  const readUpText = (text: string) => normalize(module ? text : (text.split(downPattern)[0] as string))
  const [before, after] = [readUpText(appliedSource), readUpText(source)]
  return before === after ? undefined : formatDifference(before, after)
}

/** Returns the lines from the first to the last difference of two different texts, marked with `-` and `+`. */
function formatDifference(before: string, after: string): string {
  const [oldLines, newLines] = [before.split("\n"), after.split("\n")]
  while (oldLines[0] === newLines[0]) [oldLines, newLines].forEach((lines) => void lines.shift())
  while (oldLines.at(-1) === newLines.at(-1)) [oldLines, newLines].forEach((lines) => void lines.pop())
  return [...oldLines.map((line) => `  - ${line}`), ...newLines.map((line) => `  + ${line}`)].join("\n")
}

const namePattern = '("[^"]+"|`[^`]+`|\\[[^\\]]+\\]|[\\w.]+)'
const tablePattern = new RegExp(
  `\\b(?:(?:ALTER|CREATE|DROP)\\s+TABLE(?:\\s+IF(?:\\s+NOT)?\\s+EXISTS)?(?:\\s+ONLY)?|UPDATE|INSERT\\s+INTO|DELETE\\s+FROM|INDEX\\s[^;]*?\\sON)\\s+${namePattern}`,
  "gi",
)

/** Returns the names of the tables that a migration changes, as far as its text shows them. */
export function findTables({ source }: Migration): Set<string> {
  const text = source.split(downPattern)[0] as string
  return new Set([...text.matchAll(tablePattern)].map(([, table = ""]) => table.replace(/["`[\]]/g, "").toLowerCase()))
}
