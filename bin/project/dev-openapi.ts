/** The document of `app.openapi()` under `fw dev`: written again after changes, by a process of its own, in nobody's way. Owned by `dev-beside.ts`. */
import { fileURLToPath } from "node:url"
import type { Project } from "./dev-project.ts"
import { asksForDocument, documentFiles } from "./openapi-embed.ts"
import { type RunningProgram, startProgram } from "./program.ts"

/** Changes come in flocks; it waits for so long a pause between them, in milliseconds. */
const pause = 300
const command = fileURLToPath(new URL("../fw.js", import.meta.url))

/** Runs `fw openapi generate` where the app asks for its document, one run at a time; a newer change ends the run before. */
export class OpenApiFile {
  readonly #project: Project
  #timer: NodeJS.Timeout | undefined
  #running: RunningProgram | undefined
  #closed = false

  constructor(project: Project) {
    this.#project = project
  }

  /** Something is changing: a run under way would write what is out of date. */
  stop(): void {
    void this.#running?.stop()
    clearTimeout(this.#timer)
  }

  /** Something changed, and is in its place. */
  update(): void {
    this.stop()
    this.#timer = setTimeout(() => void this.#write(), pause)
  }

  /** Ends a run that is under way; resolves when its process is gone. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running?.stop()
  }

  async #write(): Promise<void> {
    const { root, appDir } = this.#project
    if (!(await asksForDocument(root)) || this.#closed) return
    const flags = ["--output", documentFiles.json, "--app-dir", appDir, "--force", "--json"]
    // What keeps it from being made keeps the program from being built too, and is told there.
    this.#running = startProgram({
      program: process.execPath,
      args: [command, "openapi", "generate", ...flags],
      cwd: root,
      keep: 1000,
    })
  }
}
