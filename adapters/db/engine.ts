/** The interface that hides the differences between database clients from the rest of `fw/db`. */

/**
 * A row of a result: its columns by name.
 *
 * @example
 * const row: QueryRow = { id: 1, text: "Buy milk" }
 */
export type QueryRow = Readonly<Record<string, unknown>>

/** A connection to a database, or a pool of connections. */
export interface Connection {
  /** Runs one statement and returns its rows. */
  query(sql: string, values: readonly unknown[]): Promise<readonly QueryRow[]>
  /** Runs any number of statements without values. */
  script(sql: string): Promise<unknown>
}

/** A function that runs with a connection. */
export type Work<Result> = (connection: Connection) => Promise<Result>

/** A database, reached through one of the clients. */
export interface Engine {
  readonly name: "SQLite" | "PostgreSQL"
  readonly connection: Connection
  /**
   * Runs a function in a transaction, which is undone if the function throws. In SQLite only one transaction runs at a
   * time.
   *
   * @param checksReferencesLate true to check references between rows only at the end. Only SQLite needs it: a migration
   * that builds a table again drops the old table first.
   */
  transaction<Result>(body: Work<Result>, checksReferencesLate?: boolean): Promise<Result>
  /** How many connections can be open at the same time. Default: two or more. */
  readonly maxConnections?: number | undefined
  /** Returns true if the OpenTelemetry of the program instruments the client. */
  isInstrumented?(): boolean
  /**
   * Returns true for an error which means that a transaction was in conflict with another one. The transaction had no
   * effect, and can be repeated.
   */
  isConflict(error: unknown): boolean
  close(): Promise<void>
  /** Opens another database of the same server. Missing for SQLite, where each file is a database. */
  openOther?(name: string): Engine
}
