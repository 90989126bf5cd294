/**
 * Background work of `fw dev` while the program runs: checks the sources and the types of templates, and writes the
 * API's document.
 */

import { basename } from "node:path"
import { roleOf } from "../../lib/scan/file-names.ts"
import type { Problem } from "../project/problems.ts"
import type { Kind, Project } from "../project/project.ts"
import { checkSources, checkTemplates } from "./checks.ts"
import { DelayedCheck } from "./delayed-check.ts"
import { OpenAPIFile } from "./openapi.ts"

/** The background work. Every change restarts it. */
export class BackgroundWork {
  readonly #checks: DelayedCheck
  readonly #types: DelayedCheck
  readonly #document: OpenAPIFile

  /**
   * Creates the background work.
   *
   * @param report receives the result of a check, or of a document without types, also if it is empty.
   */
  constructor(
    project: Project,
    report: (source: "checks" | "types" | "document", problems: readonly Problem[]) => void,
  ) {
    this.#checks = new DelayedCheck(
      "the project was",
      () => checkSources(project),
      (problems) => report("checks", problems),
    )
    this.#types = new DelayedCheck(
      "the types were",
      (signal) => checkTemplates(project, signal),
      (problems) => report("types", problems),
    )
    this.#document = new OpenAPIFile(project, (problems) => report("document", problems))
  }

  /**
   * Handles a change. A running type check is out of date, and the rebuild needs the machine. The document
   * does not wait for the rebuild, because it is made from the sources.
   */
  change(): void {
    this.#checks.stop()
    this.#types.stop()
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
