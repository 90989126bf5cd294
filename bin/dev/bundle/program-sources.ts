/**
 * Reads the source code of a running program from its source maps. The files may have been saved again since the
 * program was built.
 */
import { findSourceMap, type SourceMap } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type FramePosition, formatCodeFrame } from "../../../template/code-frame.ts"
import { toProjectPath } from "../../project/problems.ts"
import { findFunctionLocation } from "../problems/function-location.ts"
import type { ProgramFiles } from "../server/messages.ts"

/** A position in a file of the project. */
export type SourcePlace = FramePosition & { readonly file: string }

/** The sources of one program. */
export class ProgramSources {
  readonly #root: string
  /** Paths of the program's generated files, the newest first. */
  readonly #generatedFiles: readonly string[]

  constructor(root: string, files?: Pick<ProgramFiles, "bundle" | "patches">) {
    this.#root = root
    this.#generatedFiles = files ? [...files.patches.map(({ file }) => file), files.bundle] : []
  }

  /** Returns the lines around a position; undefined if the source is not in the program. */
  findFrame({ file, ...mark }: SourcePlace): string | undefined {
    const source = this.findText(file)
    return source === undefined ? undefined : formatCodeFrame(source, mark)
  }

  /** Returns the text of a source file of the project; undefined if the source is not in the program. */
  findText(file: string): string | undefined {
    for (const generated of this.#generatedFiles) {
      const map = findSourceMap(generated)
      const index = map?.payload.sources.findIndex((name) => this.#toName(name, generated) === file) ?? -1
      const source = map?.payload.sourcesContent?.[index]
      if (typeof source === "string") return source
    }
    return undefined
  }

  /** Returns the program's source files in the project, without those of packages. */
  listFiles(): string[] {
    return this.#generatedFiles
      .flatMap((generated) => {
        return (findSourceMap(generated)?.payload.sources ?? []).map((name) => this.#toName(name, generated))
      })
      .filter((name) => !/^\.\.\/|(?:^|\/)(?:node_modules|\.fw)\//.test(name))
  }

  /** Returns the position where a function begins; undefined if the function is not in the program's code. */
  findFunctionPlace(fn: object): SourcePlace | undefined {
    const at = findFunctionLocation(fn)
    if (!at?.url.startsWith("file:")) return undefined
    return this.findPlace({ file: fileURLToPath(at.url), line: at.line, column: at.column })
  }

  /** Converts a position in the running code, counted from 0, to a position in a source file. */
  findPlace(at: { readonly file: string; readonly line: number; readonly column: number }) {
    if (!this.#generatedFiles.includes(at.file)) return undefined
    const entry = (findSourceMap(at.file) as SourceMap).findEntry(at.line, at.column)
    if (!("originalSource" in entry)) return undefined
    const file = this.#toName(entry.originalSource, at.file)
    return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
  }

  /** Converts the name of a source in a map to a path relative to the project. */
  #toName(source: string, generated: string): string {
    return toProjectPath(this.#root, fileURLToPath(new URL(source, pathToFileURL(generated))))
  }
}
