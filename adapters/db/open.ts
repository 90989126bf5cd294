/**
 * Opens the database of a program before a command uses it. A wrong address then gives the same error for every client.
 */
import { FwError } from "../../lib/errors.ts"
import { type Database, getEngine } from "./database.ts"
import type { Engine } from "./engine.ts"
import { databaseFault } from "./fault.ts"

/** The problems by the codes and messages of clients. The first pattern that matches is used. */
const problems: readonly (readonly [pattern: RegExp, problem: string, fix: string])[] = [
  [/ECONNREFUSED|\.s\.PGSQL/, "nothing listens there", "Start the server, or correct the host and the port."],
  [/ENOTFOUND|EAI_AGAIN/, "its host is not known", "Correct the host."],
  [
    /ETIMEDOUT|CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH|connection timeout/,
    "it does not answer",
    "See whether its host can be reached from here, and whether a firewall is between.",
  ],
  [
    /^(?:28P01|28000) |SASL|HTTP status 40[13]/m,
    "it refuses the user or the password",
    "Correct them. In a URL, characters such as / and @ in a password are written as %2F and %40.",
  ],
  [/^3D000 /m, "the server has no database of this name", "Create it, as createdb does, or correct the name."],
  [
    /CANTOPEN|nable to open|directory does not exist/,
    "its file cannot be opened",
    "Name a file whose directory exists, and which this user may write. A directory is not a database.",
  ],
  [/NOTADB|not a database/, "its file is not a database of SQLite", "Correct the name of the file."],
  [
    /Invalid URL|URL_INVALID|URL_SCHEME|URI malformed/,
    "its address is not valid",
    "Write postgres://user:password@host:5432/name or file:data/app.db. In a password, characters such as / and @ are written as %2F and %40.",
  ],
]

/**
 * Loads the module of a database, and runs a small query, which shows whether the database can be reached.
 *
 * @param load loads `db/index.ts`, which may use the database itself.
 * @throws FwError `database` if it cannot be reached, and as `getEngine` does; other errors of the module as they are.
 */
export async function openDatabase(
  load: () => Promise<object>,
): Promise<{ readonly db: Database; readonly engine: Engine }> {
  let db: Database | undefined
  let engine: Engine | undefined
  try {
    db = ((await load()) as { readonly db: Database }).db
    engine = getEngine(db)
    // SQLite reads its file only when a query needs something that is in it.
    await engine.connection.query(engine.name === "SQLite" ? "PRAGMA schema_version" : "SELECT 1", [])
    return { db, engine }
  } catch (error) {
    // A database that another process keeps busy can be reached. Migrations wait for it.
    if (db && engine?.isConflict(error)) return { db, engine }
    const causes = describeCauses(error)
    const [, problem, fix] = problems.find(([pattern]) => pattern.test(causes)) ?? []
    // An error with another text, before there is an engine, is a mistake in the module.
    if (error instanceof FwError || !(problem || engine)) throw error
    const address = describeAddress(engine?.address?.() ?? process.env.DATABASE_URL ?? "")
    throw databaseFault("database.unreachable", [
      address,
      problem ?? (causes.split("\n")[0] as string).split(" ").map(hidePassword).join(" "),
      fix,
    ])
  }
}

/**
 * Returns the codes and messages of an error and its causes, one error per line. The error of a failed `fetch` has the
 * reason only in its cause.
 */
function describeCauses(error: unknown): string {
  const { code = "", message, cause } = Object(error) as { code?: unknown; message?: string; cause?: unknown }
  const line = `${code} ${message || error}`.trim().replaceAll("\n", " ")
  return cause === undefined ? line : `${line}\n${describeCauses(cause)}`
}

/** Returns a word of a message, without the password if the word may be an address with one. */
function hidePassword(word: string): string {
  return word.includes("//") && word.includes("@") ? describeAddress(word) : word
}

/**
 * Returns an address without its password. For a text that is not an address it returns `""`, because the text may be a
 * secret.
 */
function describeAddress(address: string): string {
  // The path of a file.
  if (/^(?:file:|[./])[^@?]*(?:\?|$)/.test(address)) return address.replace(/\?.*/s, "")
  if (!URL.canParse(address)) return ""
  const url = new URL(address)
  // A password may contain a character that ends the host name. The rest of it is then in another part of the URL.
  if (address.includes("@") && url.username === "") return ""
  if (url.pathname.includes("@")) return ""
  url.password = url.search = url.hash = ""
  return url.href
}
