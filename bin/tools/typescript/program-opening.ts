/** Opens a program: starts TypeScript's process and writes the configuration. */
import { join } from "node:path"
import type * as Sync from "typescript/unstable/sync"
import type { ParsedConfig, TypeScriptAPI, TypeScriptSession } from "./api.ts"
import { configFile, createTypesConfig, findOwnConfig, type ProgramFiles, toSlashes } from "./config.ts"

/** The program to open. */
export type OpenOptions = Pick<ProgramFiles, "files"> & Partial<ProgramFiles>

/** A process of TypeScript that opens a program. */
export class ProgramOpening {
  readonly root: string
  readonly api: TypeScriptAPI
  readonly session: TypeScriptSession
  /**
   * The texts of files that are not on the disk, by absolute path. TypeScript asks for each file whether it is one
   * of them.
   */
  readonly texts = new Map<string, string>()
  /** Absolute path of the configuration, with forward slashes. */
  readonly config: string
  /** The project's own configuration; null if it has none. */
  parsed: ParsedConfig | null = null
  /** True if the program has the project's own files and options. Known when the program is open. */
  isWhole = false
  readonly #ownConfig: string | null
  readonly #options: OpenOptions

  /** Starts the process. */
  constructor(root: string, api: TypeScriptAPI, options: OpenOptions) {
    this.root = root
    this.api = api
    this.#options = options
    this.#ownConfig = findOwnConfig(root)
    this.config = toSlashes(join(root, configFile))
    this.session = api.start(root, this.texts, (options.virtual?.size ?? 0) > 0)
  }

  #writeConfig(): void {
    const { files, virtual = new Map(), includesProject = false } = this.#options
    const { root, texts, session } = this
    if (this.#ownConfig !== null) this.parsed = session.parse(this.#ownConfig)
    const { text, isWhole } = createTypesConfig(root, this.parsed, { files, virtual, includesProject })
    this.isWhole = isWhole
    for (const [file, content] of virtual) texts.set(toSlashes(join(root, file)), content)
    texts.set(this.config, text)
  }

  /**
   * Writes the configuration and opens the program.
   *
   * @throws Error if TypeScript does not open it.
   */
  finish(): Sync.Project {
    this.#writeConfig()
    return this.session.open(this.config)
  }

  /** Ends the process. */
  close(): void {
    this.session.close()
  }
}
