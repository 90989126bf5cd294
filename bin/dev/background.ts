/**
 * Background work of `fw dev` while the program runs: checks the sources and their types, and writes the
 * API's document.
 */

import { basename } from "node:path"
import { roleOf } from "../../lib/scan/file-names.ts"
import type { Kind, Project } from "../project/project.ts"
import { checkSources, checkTypes } from "./checks.ts"
import { DelayedCheck } from "./delayed-check.ts"
import { OpenAPIFile } from "./openapi.ts"
import type { Reporter } from "./reporter.ts"

/** The background work. Every change restarts it. */
export class BackgroundWork {
  readonly #checks: DelayedCheck
  readonly #types: DelayedCheck
  readonly #document: OpenAPIFile
  readonly #reporter: Pick<Reporter, "change" | "warn">

  /**
   * Creates the background work.
   *
   * @param reporter receives the result of each check, and of a document without types, also if it is empty.
   */
  constructor(project: Project, reporter: Pick<Reporter, "change" | "warn">) {
    this.#reporter = reporter
    this.#checks = new DelayedCheck(
      "the project was",
      () => checkSources(project),
      (problems) => reporter.warn("checks", problems),
    )
    this.#types = new DelayedCheck(
      "the types were",
      (signal) => checkTypes(project, signal),
      (problems) => reporter.warn("types", problems),
    )
    this.#document = new OpenAPIFile(project, (problems) => reporter.warn("document", problems))
  }

  /**
   * Handles a change. A running type check is out of date, and the rebuild needs the machine. The document
   * does not wait for the rebuild, because it is made from the sources.
   */
  change(): void {
    this.#checks.stop()
    this.#types.stop()
    this.#reporter.change()
    void this.#document.update()
  }

  /**
   * Handles a running program.
   *
   * @param isFirst true for the first one, before any change has requested a document.
   */
  update(isFirst: boolean): void {
    this.#checks.update()
    this.#types.update()
    if (isFirst) void this.#document.update()
  }

  /** Handles changes that need no new program. Static files, and files in the wrong place, are checked. */
  note(kinds: ReadonlyMap<string, Kind>): void {
    const concerns = ([path, kind]: [string, Kind]) => kind === "asset" || roleOf(basename(path)) !== null
    if ([...kinds].some(concerns)) this.#checks.update()
  }

  /** Stops running work; resolves when its processes are gone. */
  async close(): Promise<void> {
    await Promise.all([this.#checks.close(), this.#types.close(), this.#document.close()])
  }
}
