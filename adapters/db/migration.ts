/** A migration: its source, and what it says about how it runs. */
import { runScoped, type ScopedBody } from "./database.ts"
import type { Connection, Engine } from "./engine.ts"
import { databaseFault } from "./fault.ts"

/**
 * A migration of `db/migrations/`. `fw` writes all of them to `.fw/migrations.ts`, so that they are a part of the program.
 *
 * @example
 * const notes: Migration = {
 *   name: "20261128093000_notes",
 *   file: "db/migrations/20261128093000_notes.sql",
 *   source: "CREATE TABLE notes (text TEXT);\n-- down\nDROP TABLE notes;\n",
 * }
 */
export interface Migration {
  /** The name of the file without its ending. Migrations run in the order of their names. */
  readonly name: string
  /** Relative to the project. */
  readonly file: string
  /** The text of the file. */
  readonly source: string
  /** The exports of a module: `up(tx)`, and perhaps `down(tx)` and `transaction = false`. */
  readonly module?: object
}

/** One direction of a migration. */
type Step = (connection: Connection) => Promise<unknown>

/** A migration that can run. */
export interface Steps {
  readonly up: Step
  /** Undefined if there is no way back. */
  readonly down: Step | undefined
  /** The statements of a file that says `-- no transaction`; `null` for a module that says so. */
  readonly alone: readonly string[] | null | undefined
  /** True if it turns references off, which SQLite does only outside of a transaction. */
  readonly turnsReferencesOff: boolean
}

const noTransactionPattern = /^[ \t]*--[ \t]*no[ -]transaction[ \t]*$/im
const downPattern = /^[ \t]*--[ \t]*down[ \t]*$/im
const referencesOffPattern = /\bPRAGMA\s+foreign_keys\s*(?:=\s*|\(\s*)(?:OFF|0|FALSE|NO)\b/i

/** Returns a text as it is compared: git may change the ends of lines. */
function normalize(text: string): string {
  return text.replaceAll("\r\n", "\n").trim()
}

/** Returns the part of a source that may not change after it has run. The way back may. */
export function readUpText(source: string, isModule: boolean): string {
  return normalize(isModule ? source : (source.split(downPattern)[0] as string))
}

/** Returns the statements of a text in which each ends with a semicolon at the end of a line. */
function splitStatements(sql: string): string[] {
  const texts = sql.split(/;[ \t]*$/m).map((text) => text.trim())
  return texts.filter((text) => text.replace(/^[ \t]*--.*$/gm, "").trim() !== "")
}

/** Reads how a migration runs. @throws FwError `migration` for a module without `up`. */
export function readSteps(engine: Engine, { file, source, module }: Migration): Steps {
  if (module) {
    const { up, down, transaction } = module as Record<string, unknown>
    if (typeof up !== "function") throw databaseFault("migration.up", [], { at: { file } })
    const toStep = (run: unknown) => (connection: Connection) =>
      runScoped(engine, connection, false, run as ScopedBody<unknown>)
    return {
      up: toStep(up),
      down: typeof down === "function" ? toStep(down) : undefined,
      alone: transaction === false ? null : undefined,
      turnsReferencesOff: referencesOffPattern.test(source),
    }
  }
  const [upText = "", downText] = normalize(source).split(downPattern)
  if (splitStatements(upText).length === 0) throw databaseFault("migration.empty", [], { at: { file } })
  return {
    up: ({ script }) => script(upText),
    down: downText?.trim() ? ({ script }) => script(downText) : undefined,
    alone: noTransactionPattern.test(upText) ? splitStatements(upText) : undefined,
    turnsReferencesOff: referencesOffPattern.test(source),
  }
}

/** Returns the lines in which two texts differ, with those before and after them left out. */
export function formatDifference(before: string, after: string): string {
  const [was, is] = [before.split("\n"), after.split("\n")]
  while (was.length > 0 && is.length > 0 && was[0] === is[0]) [was, is].forEach((lines) => void lines.shift())
  while (was.length > 0 && is.length > 0 && was.at(-1) === is.at(-1)) [was, is].forEach((lines) => void lines.pop())
  const mark = (lines: readonly string[], sign: string) =>
    [...lines.slice(0, maxShownLines), ...(lines.length > maxShownLines ? ["…"] : [])].map(
      (line) => `  ${sign} ${line}`,
    )
  return [...mark(was, "-"), ...mark(is, "+")].join("\n")
}

/** Most lines of each side of a difference. */
const maxShownLines = 10

const name = '("[^"]+"|`[^`]+`|\\[[^\\]]+\\]|[\\w.]+)'
const tablePattern = new RegExp(
  `\\b(?:(?:ALTER|CREATE|DROP)\\s+TABLE(?:\\s+IF(?:\\s+NOT)?\\s+EXISTS)?(?:\\s+ONLY)?|UPDATE|INSERT\\s+INTO|DELETE\\s+FROM|INDEX\\s[^;]*?\\sON)\\s+${name}`,
  "gi",
)

/** Returns the tables that a migration changes, as far as its text says. */
export function findTables({ source }: Migration): Set<string> {
  const text = source.split(downPattern)[0] as string
  return new Set([...text.matchAll(tablePattern)].map(([, table = ""]) => table.replace(/["`[\]]/g, "").toLowerCase()))
}
