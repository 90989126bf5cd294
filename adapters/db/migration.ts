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

/** Runs one direction of a migration. */
type Step = (connection: Connection) => Promise<unknown>

/** The two directions of a migration, and how they must run. */
export interface Steps {
  readonly up: Step
  /** Undefined if the migration cannot be rolled back. */
  readonly down: Step | undefined
  /**
   * Set if the migration runs without a transaction: the statements of a file with `-- no transaction`, or `null` for a
   * module.
   */
  readonly separateStatements: readonly string[] | null | undefined
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

/** Returns the part of a source that must not change after it has run. The text after `-- down` may change. */
export function readUpText(source: string, isModule: boolean): string {
  return normalize(isModule ? source : (source.split(downPattern)[0] as string))
}

/** Splits SQL into statements. Each must end with a semicolon at the end of a line. */
function splitStatements(sql: string): string[] {
  const texts = sql.split(/;[ \t]*$/m).map((text) => text.trim())
  return texts.filter((text) => text.replace(/^[ \t]*--.*$/gm, "").trim() !== "")
}

/** Reads the directions of a migration. @throws FwError `migration` for a module without `up`. */
export function readSteps(engine: Engine, { file, source, module }: Migration): Steps {
  if (module) {
    const { up, down, transaction } = module as Record<string, unknown>
    if (typeof up !== "function") throw databaseFault("migration.up", [], { at: { file } })
    const toStep = (run: unknown) => (connection: Connection) =>
      runTransactionBody(engine, connection, false, run as TransactionBody<unknown>)
    return {
      up: toStep(up),
      down: typeof down === "function" ? toStep(down) : undefined,
      separateStatements: transaction === false ? null : undefined,
      turnsReferencesOff: referencesOffPattern.test(source),
    }
  }
  const [upText = "", downText] = normalize(source).split(downPattern)
  if (splitStatements(upText).length === 0) throw databaseFault("migration.empty", [], { at: { file } })
  return {
    up: ({ script }) => script(upText),
    down: downText?.trim() ? ({ script }) => script(downText) : undefined,
    separateStatements: noTransactionPattern.test(upText) ? splitStatements(upText) : undefined,
    turnsReferencesOff: referencesOffPattern.test(source),
  }
}

/** Returns the lines from the first to the last difference of two texts, marked with `-` and `+`. */
export function formatDifference(before: string, after: string): string {
  const [oldLines, newLines] = [before.split("\n"), after.split("\n")]
  while (oldLines.length > 0 && newLines.length > 0 && oldLines[0] === newLines[0])
    [oldLines, newLines].forEach((lines) => void lines.shift())
  while (oldLines.length > 0 && newLines.length > 0 && oldLines.at(-1) === newLines.at(-1))
    [oldLines, newLines].forEach((lines) => void lines.pop())
  const markLines = (lines: readonly string[], sign: string) =>
    [...lines.slice(0, maxShownLines), ...(lines.length > maxShownLines ? ["…"] : [])].map(
      (line) => `  ${sign} ${line}`,
    )
  return [...markLines(oldLines, "-"), ...markLines(newLines, "+")].join("\n")
}

/** Maximum number of lines of each text that {@link formatDifference} shows. */
const maxShownLines = 10

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
