/** What `fw dev` does beside the work, while the program runs already: checks the types of templates, writes the API's document. Owned by the session. */

import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { OpenApiFile } from "./openapi.ts"
import { TemplateTypes } from "./types.ts"

/** All of it, started over by every change. */
export class Beside {
  readonly #types: TemplateTypes
  readonly #document: OpenApiFile

  /** @param tell gets what a finished check of types, or a document without types, has to say, also when that is nothing. */
  constructor(project: Project, tell: (source: "types" | "document", problems: readonly Problem[]) => void) {
    this.#types = new TemplateTypes(project, (problems) => tell("types", problems))
    this.#document = new OpenApiFile(project, (problems) => tell("document", problems))
  }

  /**
   * Something changed. Types that are being checked are out of date, and the rebuild needs the machine. The document
   * does not wait for the rebuild: it is made of the sources, and soon.
   */
  change(): void {
    this.#types.stop()
    void this.#document.update()
  }

  /** The program runs. @param isFirst whether it is the first one: no change has asked for a document yet. */
  update(isFirst: boolean): void {
    this.#types.update()
    if (isFirst) void this.#document.update()
  }

  /** Ends what is under way; resolves when its processes are gone. */
  async close(): Promise<void> {
    await Promise.all([this.#types.close(), this.#document.close()])
  }
}
