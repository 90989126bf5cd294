/** Finds pending migrations for `fw dev`, because a program whose tables do not exist would not start. */
import { join, sep } from "node:path"
import type { DatabaseResult } from "../../adapters/db/program.ts"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { readDatabase } from "../project/database-files.ts"
import { type Problem, toProblems } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { runDatabaseCommand } from "./database.ts"
import type { Changes } from "./pending-changes.ts"
import type { Reporter } from "./problems/reporter.ts"

/**
 * Looks for pending migrations when files in `db/` have changed. In a project without a database, it does nothing.
 */
export class PendingMigrations {
  /** True if migrations were pending at the last check. They may have been applied in a terminal since. */
  isPending = false
  readonly #root: string
  readonly #reporter: Reporter
  readonly #run: (command: string) => Promise<DatabaseResult>

  constructor(project: Project, io: Io, reporter: Reporter) {
    this.#root = project.root
    this.#reporter = reporter
    this.#run = (command) => runDatabaseCommand(project, [command], io, (line) => reporter.say("stderr", line))
  }

  /**
   * Returns the problem of pending migrations; null if there are none. Other problems of the database become
   * warnings.
   */
  async find(changed: Changes): Promise<Problem | null> {
    const directory = join(this.#root, "db") + sep
    const isNew = changed === null || this.isPending || [...changed].some((path) => path.startsWith(directory))
    if (!isNew) return null
    this.isPending = false
    try {
      if (!(await readDatabase(this.#root))) return null
      const { migrations = [] } = await this.#run("status")
      const names = migrations.filter(({ state }) => state === "pending").map(({ name }) => name)
      this.#reporter.showWarnings("database", [])
      if (names.length === 0) return null
      this.isPending = true
      const subject = names.length === 1 ? "a migration is" : `${names.length} migrations are`
      return { message: `${subject} pending: ${names.join(", ")}`, fix: "Run: fw db migrate", action: "migrate" }
    } catch (error) {
      if (!(error instanceof FwError)) throw error
      this.#reporter.showWarnings("database", toProblems(this.#root, error))
      return null
    }
  }

  /**
   * Applies the migrations.
   *
   * @throws FwError as `fw db migrate` does.
   */
  async apply(): Promise<void> {
    const { applied = [] } = await this.#run("migrate")
    this.#reporter.say("stdout", `applied ${applied.join(", ")}`)
  }
}
