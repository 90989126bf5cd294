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

/** Rules that a transaction has from its beginning. */
export interface BeginOptions {
  /** True to make each statement see what others have committed, whatever the default of the server is. */
  readonly readsCommitted?: boolean
  /**
   * True to check references between rows only at the end. Only SQLite needs it: a migration that builds a table again
   * drops the old table first.
   */
  readonly checksReferencesLate?: boolean
}

/** A database, reached through one of the clients. */
export interface Engine {
  readonly name: "SQLite" | "PostgreSQL"
  readonly connection: Connection
  /**
   * Runs a function in a transaction, which is undone if the function throws. In SQLite only one transaction runs at a
   * time.
   */
  transaction<Result>(body: (connection: Connection) => Promise<Result>, options?: BeginOptions): Promise<Result>
  /** Returns the address of the server or the path of the file that the client uses. It may contain a password. */
  address?(): string | undefined
  /** Returns true if the OpenTelemetry of the program instruments the client. */
  isInstrumented?(): boolean
  /**
   * Returns true for an error which means that a transaction was in conflict with another one. The transaction had no
   * effect, and can be repeated.
   */
  isConflict(error: unknown): boolean
  /** Checks that two connections can be open at the same time. @throws FwError `database`. */
  checkConnections?(): void
  close(): Promise<void>
  /** Opens another database: one of the same server by its name, or a SQLite file by its path. */
  openOther(name: string): Engine
}
