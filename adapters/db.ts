/** The database of a program, and its migrations, exported as `fw/db`. */
export type { DatabaseClient } from "./db/clients.ts"
export type { Database, Queries, QueryRow, TransactionOptions } from "./db/database.ts"
export { database, withRollback } from "./db/database.ts"
export type { Migration } from "./db/migration.ts"
export { databaseStore } from "./db/store.ts"
export { createTestDatabase, type TestDatabase } from "./db/test-database.ts"
