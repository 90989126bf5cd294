/** The modules that TypeScript's server has open in place of the templates of a project. */

import type { Document, Documents } from "./documents.ts"
import { ResultMapper } from "./result-mapper.ts"
import { findTemplatesBelow, Templates } from "./templates.ts"
import type { TypeScriptServer } from "./typescript-server.ts"

/** Keeps the modules up to date with the templates: those that are open in the editor, and the files on the disk. */
export class TemplateModules {
  readonly templates = new Templates()
  readonly results: ResultMapper
  readonly #typescript: TypeScriptServer | undefined

  /** Creates it. Without TypeScript, templates are compiled all the same, for their errors. */
  constructor(documents: Documents, typescript: TypeScriptServer | undefined) {
    this.results = new ResultMapper(this.templates, documents)
    this.#typescript = typescript
  }

  /** Opens every template below a directory, because other modules import them. */
  async openBelow(root: string): Promise<void> {
    for (const path of await findTemplatesBelow(root)) {
      if (this.templates.get(path)) continue
      if (await this.templates.read(path)) this.#open(path)
    }
  }

  /** Opens all modules again, in a server that has just been restarted. */
  openAgain(): void {
    for (const [path] of this.templates.all()) this.#open(path)
  }

  /** Compiles a template, and passes its code on. */
  compile({ path, text, version }: Pick<Document, "path" | "text" | "version">): void {
    const known = this.templates.get(path)
    const file = this.templates.set(path, text)
    if (!known) this.#open(path)
    else if (known !== file) this.#change(path, version, file.code.value)
  }

  /** Reads a template that is not open from the disk. */
  async reread(path: string): Promise<void> {
    const before = this.templates.get(path)
    const file = await this.templates.read(path)
    if (file && before && file !== before) this.#change(path, 0, file.code.value)
    else if (file && !before) this.#open(path)
    else if (!file && before) {
      this.templates.delete(path)
      const textDocument = { uri: this.results.toModuleURI(path) }
      this.#typescript?.notify("textDocument/didClose", { textDocument })
    }
  }

  #open(path: string): void {
    const file = this.templates.get(path)
    if (!file) return
    const uri = this.results.toModuleURI(path)
    const textDocument = { uri, languageId: "typescript", version: 0, text: file.code.value }
    this.#typescript?.notify("textDocument/didOpen", { textDocument })
  }

  #change(path: string, version: number, text: string): void {
    const textDocument = { uri: this.results.toModuleURI(path), version }
    this.#typescript?.notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] })
  }
}
