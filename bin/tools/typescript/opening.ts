/** The opening of a program: TypeScript's process, and the configuration with which it reads the files. */
import { join } from "node:path"
import type * as Sync from "typescript/unstable/sync"
import type { ParsedConfig, TypeScriptAPI, TypeScriptSession } from "./api.ts"
import { configFile, ownConfig, type ProgramFiles, slashes, typesConfig } from "./config.ts"
import { type ConfigOnDisk, makeConfigFile } from "./config-file.ts"

/** The program to open. */
export type OpenOptions = Pick<ProgramFiles, "files"> &
  Partial<ProgramFiles> & {
    /** True if the program stays open for further questions. Default: false. */
    readonly kept?: boolean
  }

/** The needs of a program. */
export interface StartOptions {
  /** True if the program stays open, and is updated. Default: false. */
  readonly kept?: boolean
  /** True if some of its files are not on disk. Default: false. */
  readonly virtual?: boolean
}

/** A process of TypeScript that opens one program. Other work can be done while it starts. */
export class Opening {
  readonly root: string
  readonly api: TypeScriptAPI
  readonly session: TypeScriptSession
  /** The texts of files that are not on disk, by absolute path. TypeScript asks for each file whether it is one of them. */
  readonly texts = new Map<string, string>()
  /** The configuration's absolute path, with forward slashes. */
  readonly config: string
  /** The project's own configuration; null if it has none. */
  parsed: ParsedConfig | null = null
  isWhole = false
  /** The files of the program that was begun; undefined before that. */
  files: readonly string[] | undefined
  #failure: { readonly error: unknown } | undefined
  readonly #onDisk: ConfigOnDisk | null
  readonly #own: string | null

  /** Starts the process. */
  constructor(root: string, api: TypeScriptAPI, { kept = false, virtual = false }: StartOptions) {
    this.root = root
    this.api = api
    this.#own = ownConfig(root)
    this.#onDisk = kept || virtual ? null : makeConfigFile(root)
    this.config = this.#onDisk?.path ?? slashes(join(root, configFile))
    this.session = api.start(root, this.#onDisk ? null : this.texts, virtual)
  }

  /** Writes the configuration of the program. An error occurs when it is finished. */
  begin(options: OpenOptions): void {
    this.files = options.files
    try {
      this.#begin(options)
    } catch (error) {
      this.#failure = { error }
    }
  }

  #begin({ files, virtual = new Map(), whole = false }: OpenOptions): void {
    const { root, texts, session } = this
    if (this.#own !== null) this.parsed = session.parse(this.#own)
    const { text, isWhole } = typesConfig(root, this.parsed, { files, virtual, whole })
    this.isWhole = isWhole
    for (const [file, content] of virtual) texts.set(slashes(join(root, file)), content)
    texts.set(this.config, text)
    this.#onDisk?.write(text)
  }

  /** Lets TypeScript read the files, and waits for it. @throws Error if TypeScript does not open the program. */
  finish(): Sync.Project {
    try {
      if (this.#failure) throw this.#failure.error
      return this.session.open(this.config)
    } finally {
      this.#onDisk?.remove()
    }
  }

  /** Ends the process. */
  close(): void {
    this.#onDisk?.remove()
    this.session.close()
  }
}
