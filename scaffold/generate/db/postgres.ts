/** The database of the application, in PostgreSQL. Its tables are made by db/migrations/. */
import { database } from "fw/db"
import postgres from "postgres"

// All processes together stay below max_connections of the server, which is 100 by default.
export const sql = postgres(process.env.DATABASE_URL || "postgres://postgres@localhost:5432/postgres", {
  max: 10,
  onnotice: () => {},
})

export const db = database(sql)
