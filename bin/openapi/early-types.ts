/** Types of a project, for which TypeScript's process starts before the names of the files are known. */
import type { Found } from "../../lib/scan/walk.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import {
  finishTypes,
  type Opening,
  openTypes,
  startTypes,
  type TypeProgram,
} from "../tools/typescript/program.ts"
import { filesToDescribe } from "./described-files.ts"

/** A program whose process starts while the routes are read. */
export class EarlyTypes {
  readonly #root: string
  readonly #main: string | null
  readonly #opening: Opening | Untyped
  #isTaken = false

  private constructor(root: string, main: string | null, opening: Opening | Untyped) {
    this.#root = root
    this.#main = main
    this.#opening = opening
  }

  /** Starts TypeScript's process. @param main the main file, or null. */
  static async start(root: string, main: string | null): Promise<EarlyTypes> {
    return new EarlyTypes(root, main, await startTypes(root))
  }

  /** Receives the files of a scan. */
  readonly begin = (found: readonly Found[]): void => {
    if (!("untyped" in this.#opening)) this.#opening.begin({ files: filesToDescribe(found, this.#main) })
  }

  /** Returns the program of some files, which are those of the scan. If they are not, another program is opened. */
  async take(files: readonly string[]): Promise<TypeProgram | Untyped> {
    const opening = this.#opening
    this.#isTaken = true
    if ("untyped" in opening) return opening
    if (!opening.files) opening.begin({ files })
    if (opening.files?.join() === files.join()) return finishTypes(opening)
    opening.close()
    return openTypes(this.#root, { files })
  }

  /** Ends the process, unless its program was taken. */
  close(): void {
    if (!this.#isTaken && !("untyped" in this.#opening)) this.#opening.close()
  }
}
