/** The database of the application, in PostgreSQL. The migrations in db/migrations/ create its tables. */
import { database } from "fw/db"
import { Pool } from "pg"

// The connections of all processes together must stay below max_connections of the server, which is 100 by default.
export const pool = new Pool({
  connectionString: process.env.DATABASE_URL || "postgres://postgres@localhost:5432/postgres",
  max: 10,
})
// The pool replaces a connection that has ended. Without this listener, the error would end the program.
pool.on("error", (error) => console.error("a connection to the database has ended:", error.message))

export const db = database(pool)
