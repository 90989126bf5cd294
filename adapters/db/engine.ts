/** What `fw/db` needs of a client: the interface between its rules and the packages. */

/**
 * A row of a result: its columns by name.
 *
 * @example
 * const row: QueryRow = { id: 1, text: "Buy milk" }
 */
export type QueryRow = Readonly<Record<string, unknown>>

/** A connection, or a pool of them. */
export interface Connection {
  /** Runs one statement. Returns its rows. */
  query(sql: string, values: readonly unknown[]): Promise<readonly QueryRow[]>
  /** Runs any number of statements without values. */
  script(sql: string): Promise<unknown>
}

/** How a transaction begins. */
export interface BeginOptions {
  /** True to see what others have committed before each statement, whatever the server's default is. */
  readonly readsCommitted?: boolean
  /** True to check references only at the end. Only SQLite needs it: a table that is built again is dropped first. */
  readonly checksReferencesLate?: boolean
}

/** A database behind one of the clients. */
export interface Engine {
  readonly name: "SQLite" | "PostgreSQL"
  /** True if one connection does everything, so that no statement outside of a transaction can run during it. */
  readonly isSingle: boolean
  readonly connection: Connection
  /** Runs something in a transaction, which is undone if it throws. SQLite lets one transaction begin at a time. */
  transaction<Result>(body: (connection: Connection) => Promise<Result>, options?: BeginOptions): Promise<Result>
  /** Returns true if OpenTelemetry of the program watches the client. */
  isInstrumented?(): boolean
  /** Returns true for an error that says that a transaction met another one, had no effect, and can be repeated. */
  isConflict(error: unknown): boolean
  /** Checks that two connections can be open at the same time. @throws FwError `database`. */
  checkConnections?(): void
  close(): Promise<void>
  /** Opens another database: of the same server by its name, or a file of SQLite by its path. */
  openOther(name: string): Engine
}
