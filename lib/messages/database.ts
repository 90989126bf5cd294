/** Messages about `fw/db`: the database of a program, and its migrations. */
import { toOwnCommand } from "../own-command.ts"
import type { Messages } from "./message.ts"

export const databaseMessages = {
  "database.answer": (reason: string, fix: string) => [reason, fix],
  "database.unreachable": (reason: string) => [
    `the database cannot be used: ${reason}`,
    "Check that it runs, and its address in db/index.ts. In a URL, characters such as / and @ in a password are written as %2F and %40.",
  ],
  "database.client": (type: string) => [
    `database() was given ${type}`,
    "Pass a Pool of pg, postgres(url), a DatabaseSync of node:sqlite, a Database of better-sqlite3, or createClient() of @libsql/client.",
  ],
  "database.export": (type: string) => [
    `db/index.ts exports ${type} as db, which is not a database of fw/db`,
    "Write: export const db = database(client)",
  ],
  "database.inside": (call: string) => [
    `${call} was called in a transaction of the same database`,
    "Use the tx that the function of the transaction gets: db.transaction(async (tx) => tx.query(…)).",
  ],
  "database.aborted": () => [
    "PostgreSQL undid a transaction, because one of its statements had failed",
    "Do not catch the error of a statement inside the transaction: it says which statement has failed.",
  ],
  "database.locked": (minutes: number) => [
    `another process has been migrating this database for more than ${minutes} minutes`,
    "Look for a process that hangs, such as a migration that waits for a lock of a table.",
  ],
  "database.connections": () => [
    "the client has one connection at most, and a migration without a transaction needs two",
    "Set max to 2 or more: while one connection runs the migration, the other keeps processes from running it twice.",
  ],
  "database.package": (name: string) => [
    `the package ${name} is not installed where the program runs`,
    "Run this in the directory of the project, after npm install.",
  ],
  "database.store": () => [
    "the tables of databaseStore() are not in the database",
    `Apply the migrations with ${toOwnCommand("db migrate")}. If none of them makes the tables, fw db new store --store writes one that does.`,
  ],
  database_force: (problem: string) => [`this ${problem}`, "Add --force if that is what you want."],
  "database.command": (value: string, known: readonly string[]) => [
    value ? `db has no ${JSON.stringify(value)}` : "db needs a command",
    `Write one of: ${known.join(", ")}.`,
  ],
  "database.migrate_variable": (value: string) => [
    `the environment variable FW_MIGRATE is ${JSON.stringify(value)}`,
    "Set it to start, which applies all migrations before the program listens, or leave it out.",
  ],
  "database.seed": () => [
    "there is no db/seed.ts that exports a function seed",
    "Write: export async function seed(db: Database) { … }",
  ],
  "migration.empty": () => [
    "the migration has no statement",
    "Write the change above -- down. What was applied may not change any more.",
  ],
  "migration.name": (name: string) => [
    `${JSON.stringify(name)} is not a name of a migration`,
    "Write letters, digits, hyphens and underscores, such as add_written_to_notes.",
  ],
  "migration.twice": (one: string, other: string) => [
    `${one} and ${other} have the same name`,
    "Rename the one that is not applied anywhere.",
  ],
  "migration.up": () => [
    "a migration in TypeScript exports a function up",
    "Write: export async function up(tx: Queries) { … }, and perhaps down.",
  ],
  "migration.up_failed": (reason: string) => [
    `the migration failed: ${reason}`,
    "Nothing was changed. Correct the file and run it again.",
  ],
  "migration.down_failed": (reason: string) => [
    `the rollback failed: ${reason}`,
    "Nothing was changed. Correct the part below -- down and run it again.",
  ],
  "migration.alone": (number: number, count: number, statement: string, reason: string) => [
    `statement ${number} of ${count} failed, without a transaction: ${reason}\n${statement.replace(/^/gm, "  | ")}`,
    `${number === 1 ? "It is the first statement" : "The statements before it were run"}. Anything that this one has left behind, such as an invalid index, is still there. Change the file so that all statements can be run again, and then run ${toOwnCommand("db migrate --again")}.`,
  ],
  "migration.unfinished": (name: string, statement: number | null) => [
    `${name} runs without a transaction and has not finished${statement === null ? "" : `: statement ${statement} was the last one to begin`}`,
    `Make sure that its statements can be run again: DROP INDEX CONCURRENTLY IF EXISTS before CREATE INDEX. Then run ${toOwnCommand("db migrate --again")}, which runs all of them.`,
  ],
  "migration.changed": (applied: string, difference: string) => [
    `the migration was changed after it was applied on ${applied}\n${difference}`,
    "Undo the change, and write a new migration: fw db new. Only the part below -- down may be changed.",
  ],
  "migration.no_down": (name: string) => [
    `${name} has no part that rolls it back`,
    "Write it below a line -- down in the file, or as a function down in a module; or write a new migration.",
  ],
  "migration.sqlite": () => [
    "SQLite runs every migration in a transaction, but this one has the line -- no transaction",
    "Remove that line. VACUUM and PRAGMA journal_mode belong in db/index.ts. PRAGMA foreign_keys = OFF works as it is.",
  ],
  "migration.references": (table: string, parent: string) => [
    `after the migration, rows of ${table} refer to rows of ${parent} that do not exist`,
    "Nothing of it was applied. Correct these rows in the migration.",
  ],
  "migration.references_on": () => [
    "PRAGMA foreign_keys = OFF has no effect on this connection, so the migration could delete rows that refer to a table",
    "Nothing of it was applied. Run it with a client that opens the file itself.",
  ],
  no_database: () => [
    "this project has no database of fw/db",
    'Write db/index.ts: import { database } from "fw/db", and export const db = database(client)',
  ],
} satisfies Messages
