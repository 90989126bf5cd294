/** The database of the application, in PostgreSQL. The migrations in db/migrations/ create its tables. */
import { database } from "fw/db"
import postgres from "postgres"

// The connections of all processes together must stay below max_connections of the server, which is 100 by default.
export const sql = postgres(process.env.DATABASE_URL || "postgres://postgres@localhost:5432/postgres", {
  max: 10,
  onnotice: () => {},
})

export const db = database(sql)
