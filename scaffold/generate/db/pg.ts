/** The database of the application, in PostgreSQL. Its tables are made by db/migrations/. */
import { database } from "fw/db"
import { Pool } from "pg"

// All processes together stay below max_connections of the server, which is 100 by default.
export const pool = new Pool({
  connectionString: process.env.DATABASE_URL || "postgres://postgres@localhost:5432/postgres",
  max: 10,
})
// The pool replaces a connection that has ended. Without a listener, this would end the program.
pool.on("error", (error) => console.error("a connection to the database has ended:", error.message))

export const db = database(pool)
