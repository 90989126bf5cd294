/**
 * Builds the programs of a session: generates the code that they import, then bundles all modules or patches the
 * changed ones.
 */
import type { Problem } from "../../project/problems.ts"
import type { Project } from "../../project/project.ts"
import type { GenerateStep } from "../generate.ts"
import type { Changes } from "../pending-changes.ts"
import { createRoutesStep } from "../routes-step.ts"
import { createTemplatesStep } from "../templates-step.ts"
import { Bundler, type Program } from "./bundler.ts"
import type { DevEntry } from "./dev-entry.ts"

/** A program, or the problems that prevented it. */
export type BuildOutcome = Program | { readonly problems: readonly Problem[] }

/** Options of a {@link Builder}. */
export interface BuilderOptions {
  readonly project: Project
  readonly entry: DevEntry
  /** The directory of the bundles. */
  readonly directory: string
  /**
   * Bundles the browser files. It gets the changed and the generated files. It returns the program's modules that
   * it wrote, or null if only open pages must be updated.
   */
  readonly bundleForBrowser: (changed: Changes) => Promise<readonly string[] | null>
}

/** Builds programs. Each build needs only the changes since the last one. */
export class Builder {
  readonly #options: BuilderOptions
  readonly #compileTemplates = createTemplatesStep()
  readonly #readRoutes: GenerateStep
  #bundler: Bundler | undefined

  constructor(options: BuilderOptions) {
    this.#options = options
    this.#readRoutes = createRoutesStep(options.entry)
  }

  /**
   * Starts the bundler.
   *
   * @throws FwError `esbuild_missing` if the project has no esbuild.
   */
  async open(): Promise<void> {
    const { project, entry, directory } = this.#options
    this.#bundler ??= await Bundler.open({ root: project.root, entry, directory })
  }

  /**
   * Builds a program.
   *
   * @param changed absolute paths of the files that changed since the last program; null if all files count as
   * changed.
   * @param hasRun true if the last program ran, so that it can be patched.
   * @returns null if the last program can stay.
   */
  async build(changed: Changes, hasRun: boolean): Promise<BuildOutcome | null> {
    const { project, bundleForBrowser } = this.#options
    const templates = await this.#compileTemplates(project, changed)
    // The routes are read even if a template has problems, because the step must know the changes too.
    const routes = await this.#readRoutes(project, changed)
    const written = [...templates.written, ...routes.written]
    const browserModules = await bundleForBrowser(changed && new Set([...changed, ...written]))
    if (browserModules === null) return null
    const problems = [...templates.problems, ...routes.problems]
    if (problems.length > 0) return { problems }
    return this.bundle(hasRun && changed ? new Set([...changed, ...written, ...browserModules]) : null)
  }

  /**
   * Bundles without generating code.
   *
   * @param changed the files that changed since the last program, if it ran; null to bundle everything.
   */
  async bundle(changed: ReadonlySet<string> | null): Promise<BuildOutcome> {
    await this.open()
    return (this.#bundler as Bundler).build(changed)
  }

  /** Closes the bundler. The next build opens a new one. */
  async refresh(): Promise<void> {
    await this.close()
    this.#bundler = undefined
  }

  /** Closes the bundler and its process for good. A build that still runs must not start them again. */
  async close(): Promise<void> {
    await this.#bundler?.close()
  }
}
