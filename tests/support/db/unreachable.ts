/** Addresses at which no database can be used, and what fw says of each. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@libsql/client"
import { Pool } from "pg"
import postgres from "postgres"
import * as assert from "uvu/assert"
import { openDatabase } from "../../../adapters/db/open.ts"
import { database } from "../../../adapters/db.ts"
import type { FwError } from "../../../lib/errors.ts"

type SqliteClass = new (file: string) => object

/** Functions that make a client for an address. */
export const clients: Readonly<Record<string, (address: string) => object>> = {
  pg: (connectionString) => new Pool({ connectionString }),
  "pg, in parts": (address) => {
    const { username, password, hostname, port, pathname } = new URL(address)
    return new Pool({ user: username, password, host: hostname, port: Number(port), database: pathname.slice(1) })
  },
  postgres: (address) => postgres(address, { onnotice: () => {} }),
  libsql: (url) => createClient({ url }),
  "better-sqlite3": (file) => new (createRequire(import.meta.url)("better-sqlite3") as SqliteClass)(file),
}

/** Clients, an address that none of them can use, and what the error says. */
export type UnreachableRow = readonly [clients: readonly string[], address: string, said: RegExp]

const directory = mkdtempSync(join(tmpdir(), "fw-db-"))
writeFileSync(join(directory, "notes.txt"), "This is not a database, and long enough to be one. ".repeat(100))

/** Checks what the error says, and that it has no password. */
export async function checkUnreachable(rows: readonly UnreachableRow[]): Promise<void> {
  for (const [names, address, said] of rows)
    for (const name of names) {
      const error = await openDatabase(async () => ({ db: database(clients[name]?.(address) as object) })).then(
        () => assert.unreachable(`${name} could open ${address}`) as never,
        (error: FwError) => error,
      )
      assert.is(error.code, "database", `${name} ${address}: ${error}`)
      assert.match(String(error), said, `${name}: ${error}`)
      assert.not.match(String(error), "s3cret")
      assert.is(error.cause, undefined)
    }
}

/** Returns the rows that need no server. @param port a port at which nothing listens. */
export const listWithoutServer = (port: number): readonly UnreachableRow[] => [
  [
    ["pg", "pg, in parts", "postgres"],
    `postgres://ada:s3cret@127.0.0.1:${port}/shop`,
    new RegExp(`the database cannot be used: connect ECONNREFUSED 127\\.0\\.0\\.1:${port}\n  Check that it runs`),
  ],
  [["pg", "postgres"], "postgres://ada:s3cret@nowhere.invalid/shop", /used: getaddrinfo .* nowhere\.invalid\n/],
  [["pg", "postgres"], "postgres://ada:s3/s3cret@127.0.0.1/shop", /used: Invalid URL\n.*In a URL, characters such as/],
  [["libsql"], "mysql://ada:s3cret@127.0.0.1/shop", /used: URL_SCHEME_NOT_SUPPORTED/],
  [["libsql"], `http://127.0.0.1:${port}`, /used: connect ECONNREFUSED 127\.0\.0\.1:\d+\n/],
  ...["libsql", "better-sqlite3"].map((name): UnreachableRow => {
    const file = join(directory, "notes.txt")
    return [[name], name === "libsql" ? `file:${file}` : file, /used: (?:SQLITE_NOTADB: )?file is not a database\n/]
  }),
]
