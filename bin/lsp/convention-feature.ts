/**
 * Shows for a file of the route directory the mistakes in its exports, and the layout and middleware that apply to
 * it.
 */

import { join } from "node:path"
import { createDirectorySource } from "../../adapters/disk/directory.ts"
import { type DirectorySource, examine, type ScanResult } from "../../lib/scan.ts"
import { toProjectPath } from "../project/problems.ts"
import type { Document, Documents } from "./documents.ts"
import type { Feature } from "./feature.ts"
import type { Project } from "./project.ts"
import { type Diagnostic, type DocumentParams, errorSeverity } from "./protocol.ts"

/** Matches the words that begin a handler or page. */
const declarationWord = /^(?:export|template)\b/
const fileStart = { line: 0, character: 0 }

/** Answers for convention files, with and without templates. */
export class ConventionFeature implements Feature {
  readonly #root: () => string
  readonly #appDir: string
  readonly #documents: Documents

  constructor({ root, appDir, documents }: Project) {
    this.#appDir = appDir
    this.#root = root
    this.#documents = documents
  }

  /**
   * Answers "go to definition" on the word `export` or `template` with the layout and the middleware, the nearest
   * first.
   */
  answer(method: string, params: DocumentParams, open: Document): Promise<object[] | undefined> {
    return this.answerAboutFile(method, params, open)
  }

  async answerAboutFile(
    method: string,
    { position }: DocumentParams,
    { path, text }: Document,
  ): Promise<object[] | undefined> {
    if (method !== "textDocument/definition" || !position) return undefined
    const { line, character } = position
    const word = declarationWord.exec(text.value.slice(text.offsetAt({ line, character: 0 })))?.[0] ?? ""
    if (character > word.length || word === "") return undefined
    const { file, examined } = await this.#examine(path)
    const tree = examined?.tree
    const route = [...(tree?.pages ?? []), ...(tree?.routes ?? [])].find((one) => one.file === file)
    if (!tree || !route) return undefined
    const layout = route.layout === undefined ? undefined : tree.layouts[route.layout]
    const middleware = route.middleware.map((index) => tree.middleware[index]).reverse()
    const targets = [layout, ...middleware].flatMap((found) => found ?? [])
    return targets.map((found) => ({
      uri: this.#documents.toURI(join(this.#root(), found.file)),
      range: { start: fileStart, end: fileStart },
    }))
  }

  /**
   * Returns mistakes that have a position in the file. Syntax errors are reported by TypeScript and the template
   * compiler.
   */
  async findFileDiagnostics({ path, text }: Document): Promise<Diagnostic[]> {
    const { file, examined } = await this.#examine(path)
    return (examined?.problems ?? []).flatMap(({ code, at, message, fix }): Diagnostic[] => {
      if (at?.file !== file || at.line === undefined || code === "syntax") return []
      const line = at.line - 1
      const from = text.offsetAt({ line, character: (at.column ?? 1) - 1 })
      const declaration = /^[^({=;\r\n]*/.exec(text.value.slice(from))?.[0].trimEnd() ?? ""
      const range = text.toRange(from, from + declaration.length)
      return [{ range, severity: errorSeverity, source: "fw", message: fix ? `${message}\n${fix}` : message }]
    })
  }

  /** Scans only the directories on the path to a file, because others do not affect it. */
  async #examine(path: string): Promise<{ file: string; examined?: ScanResult }> {
    const file = toProjectPath(this.#root(), path)
    if (!file.startsWith(`${this.#appDir}/`)) return { file }
    const examined = await examine(this.#createDirectorySource(file), this.#appDir).catch(() => undefined)
    return examined ? { file, examined } : { file }
  }

  /**
   * Returns a view of the project with only the directories on the path to a file, and with the texts in the
   * editor.
   */
  #createDirectorySource(file: string): DirectorySource {
    const root = this.#root()
    const disk = createDirectorySource(root)
    return {
      list: async (directory) => {
        const entries = await disk.list(directory)
        const isAbove = (name: string) => file.startsWith(`${directory}/${name}/`)
        return entries?.filter(({ name, kind }) => kind === "file" || isAbove(name)) ?? null
      },
      read: async (name) => this.#documents.get(join(root, name))?.text.value ?? (await disk.read(name)),
    }
  }
}
