/** The specs of `fw db`. */
import { defineSpec } from "../cli/spec.ts"

const forceFlag = { type: "boolean", description: "Ask nothing" } as const
const againFlag = { type: "boolean", description: "Run again a migration that has not finished" } as const

export const status = defineSpec({ summary: "List the migrations, and which of them are applied" })

export const migrate = defineSpec({
  summary: "Apply the migrations that are not applied",
  description:
    "Runs db/migrations/ in the order of the names, each in a transaction, with the database that db/index.ts exports. Other processes may do the same at the same time.",
  flags: { again: againFlag },
})

export const rollback = defineSpec({
  summary: "Take back the migration that was applied last",
  description: "Runs what is below -- down in its file. Asks first.",
  flags: { force: forceFlag },
})

/** The spec of `fw db new`. */
export const create = defineSpec({
  summary: "Write an empty migration",
  arguments: [{ name: "name", description: "What it does: letters, digits, hyphens and underscores" }],
  flags: { store: { type: "boolean", description: "Write the tables of databaseStore() into it" } },
  examples: ["fw db new add_written_to_notes", "fw db new store --store"],
})

export const seed = defineSpec({ summary: "Run db/seed.ts, which fills the database for development" })

export const check = defineSpec({
  summary: "Apply all migrations to an empty database, which is removed",
  description:
    "Also names pending migrations that change a table which a later one has changed already: they come from two branches. Exits with 1 then. PostgreSQL: the user must be allowed to create databases.",
})

export const reset = defineSpec({
  summary: "Remove all tables, apply all migrations, and run db/seed.ts",
  description: "In PostgreSQL, removes the current schema with all that is in it. Asks first.",
  flags: { force: forceFlag },
})
