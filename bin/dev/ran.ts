/** The source of a running program as it was when it was built, from its source maps. Files may be saved again since. */
import { findSourceMap, type SourceMap } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { codeFrame, type Mark } from "../../lib/template/code-frame.ts"
import { shownPath } from "../project/problems.ts"
import { functionLocation } from "./function-location.ts"
import type { ProgramFiles } from "./messages.ts"

/** A position in a file of the project. */
export type SourcePlace = Mark & { readonly file: string }

/** The sources of one program. */
export class RanSources {
  readonly #root: string
  /** Names of the files of the program: the newer ones first. */
  readonly #files: readonly string[]

  constructor(root: string, files?: Pick<ProgramFiles, "bundle" | "patches">) {
    this.#root = root
    this.#files = files ? [...files.patches.map(({ file }) => file), files.bundle] : []
  }

  /** Returns the lines around a position; undefined if the program has no such source. */
  frame({ file, ...mark }: SourcePlace): string | undefined {
    const source = this.text(file)
    return source === undefined ? undefined : codeFrame(source, mark)
  }

  /** Returns the text of a file of the project; undefined if the program has no such source. */
  text(file: string): string | undefined {
    for (const generated of this.#files) {
      const map = findSourceMap(generated)
      const index = map?.payload.sources.findIndex((name) => this.#name(name, generated) === file) ?? -1
      const source = map?.payload.sourcesContent?.[index]
      if (typeof source === "string") return source
    }
    return undefined
  }

  /** Returns the names of the program's files in the project, without those of packages. */
  files(): string[] {
    return this.#files
      .flatMap((generated) => {
        return (findSourceMap(generated)?.payload.sources ?? []).map((name) => this.#name(name, generated))
      })
      .filter((name) => !/^\.\.\/|(?:^|\/)(?:node_modules|\.fw)\//.test(name))
  }

  /** Returns the position where a function begins; undefined if it is not code of the program. */
  placeOf(fn: object): SourcePlace | undefined {
    const at = functionLocation(fn)
    if (!at?.url.startsWith("file:")) return undefined
    return this.placeAt({ file: fileURLToPath(at.url), line: at.line, column: at.column })
  }

  /** Returns the position in a source of a position in the code that runs, which counts from 0. */
  placeAt(at: { readonly file: string; readonly line: number; readonly column: number }) {
    if (!this.#files.includes(at.file)) return undefined
    const entry = (findSourceMap(at.file) as SourceMap).findEntry(at.line, at.column)
    if (!("originalSource" in entry)) return undefined
    const file = this.#name(entry.originalSource, at.file)
    return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
  }

  /** Returns the name of a source in a map, relative to the project. */
  #name(source: string, generated: string): string {
    return shownPath(this.#root, fileURLToPath(new URL(source, pathToFileURL(generated))))
  }
}
