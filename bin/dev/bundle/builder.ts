/** Builds the programs of a session: generates what they import, then bundles all modules, or patches those that changed. */
import type { Problem } from "../../project/problems.ts"
import type { Project } from "../../project/project.ts"
import { createSteps, type GenerateSteps, generateAll } from "../generate.ts"
import type { Changes } from "../pending-changes.ts"
import { Bundler, type Program } from "./bundler.ts"
import type { DevEntry } from "./dev-entry.ts"

/** A program, or the reasons why there is none. */
export type BuildOutcome = Program | { readonly problems: readonly Problem[] }

/** Options of a {@link Builder}. */
export interface BuilderOptions {
  readonly project: Project
  readonly entry: DevEntry
  /** Directory of the bundles. */
  readonly directory: string
  /**
   * Bundles what pages load. It gets the changed files and those that were generated, and returns further files of the
   * program that it wrote; null if only pages are concerned.
   */
  readonly bundleForBrowser: (changed: Changes) => Promise<readonly string[] | null>
}

/** Builds programs, each from the changes since the last one. */
export class Builder {
  readonly #options: BuilderOptions
  readonly #steps: GenerateSteps
  #bundler: Bundler | undefined

  constructor(options: BuilderOptions) {
    this.#options = options
    this.#steps = createSteps(options.entry)
  }

  /** Starts the bundler. @throws FwError `esbuild_missing` if the project has none. */
  async open(): Promise<void> {
    const { project, entry, directory } = this.#options
    this.#bundler ??= await Bundler.open({ root: project.root, entry, directory })
  }

  /**
   * Builds a program.
   *
   * @param changed the files that changed since the last one, absolute; null if all count as changed.
   * @param hasRun true if the last one ran, so that it can be patched.
   * @returns null if the last one need not be replaced.
   */
  async build(changed: Changes, hasRun: boolean): Promise<BuildOutcome | null> {
    const known = hasRun ? changed : null
    let patchedProgram: Program | null | undefined
    let before = 0
    const { project, bundleForBrowser } = this.#options
    const { problems, written } = await generateAll(this.#steps, project, changed, async (files) => {
      before = files.length
      patchedProgram = known && (await this.#bundler?.tryPatch(new Set([...known, ...files])))
    })
    const more = await bundleForBrowser(changed && new Set([...changed, ...written]))
    if (more === null) return null
    if (problems.length > 0) return { problems }
    // The patched program lacks the files that were written after it was made.
    if (patchedProgram && written.length + more.length === before) return patchedProgram
    // Changes that could not be patched are not tried again.
    return this.bundle(patchedProgram === null ? null : known && new Set([...known, ...written, ...more]))
  }

  /** Bundles without generating. @param known the files that changed since the last program, which ran; null for all. */
  async bundle(known: ReadonlySet<string> | null): Promise<BuildOutcome> {
    await this.open()
    return (this.#bundler as Bundler).build(known)
  }

  /** Ends the bundler. The next program is bundled by a new one. */
  async refresh(): Promise<void> {
    await this.close()
    this.#bundler = undefined
  }

  /** Ends the bundler, and its process, for good: a build that still runs must not start another one. */
  async close(): Promise<void> {
    await this.#bundler?.close()
  }
}
