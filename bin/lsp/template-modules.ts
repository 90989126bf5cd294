/** The compiled modules that are open in TypeScript's server instead of the project's templates. */

import type { Document, Documents } from "./documents.ts"
import { ResultMapper } from "./result-mapper.ts"
import { findTemplatesBelow, Templates } from "./templates.ts"
import type { TypeScriptServer } from "./typescript-server.ts"

/** Keeps the modules up to date with the templates, both those in the editor and those on the disk. */
export class TemplateModules {
  readonly templates = new Templates()
  readonly results: ResultMapper
  readonly #typescript: TypeScriptServer | undefined

  /** Creates the modules. Without TypeScript, templates are compiled only for the compiler's errors. */
  constructor(documents: Documents, typescript: TypeScriptServer | undefined) {
    this.results = new ResultMapper(this.templates, documents)
    this.#typescript = typescript
  }

  /** Opens every template below a directory, because other modules may import it. */
  async openBelow(root: string): Promise<void> {
    for (const path of await findTemplatesBelow(root)) {
      if (this.templates.get(path)) continue
      if (await this.templates.read(path)) this.#open(path)
    }
  }

  /** Opens all modules again, after TypeScript's server was restarted. */
  openAgain(): void {
    for (const [path] of this.templates.list()) this.#open(path)
  }

  /** Compiles a template and sends the code to TypeScript's server. */
  compile({ path, text, version }: Pick<Document, "path" | "text" | "version">): void {
    const known = this.templates.get(path)
    const file = this.templates.set(path, text)
    if (!known) this.#open(path)
    else if (known !== file) this.#change(path, version, file.code.value)
  }

  /** Reads a template from the disk, because it is not open in the editor. */
  async reread(path: string): Promise<void> {
    const known = this.templates.get(path)
    const file = await this.templates.read(path)
    if (file && known && file !== known) this.#change(path, 0, file.code.value)
    else if (file && !known) this.#open(path)
    else if (!file && known) {
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
