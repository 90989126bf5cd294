/** The compiled templates of a project, both those in the editor and those on the disk. */

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { findTemplates } from "../project/templates.ts"
import { isTemplate } from "./paths.ts"
import { SourceText } from "./source-text.ts"
import { TemplateFile } from "./template-file.ts"

/** Stores compiled templates by the path of the `.tpl`. */
export class Templates {
  readonly #files = new Map<string, TemplateFile>()

  get(path: string): TemplateFile | undefined {
    return this.#files.get(path)
  }

  /** Returns the path of the template for a compiled module, if it belongs to the project. */
  findByModule(path: string | undefined): string | undefined {
    const template = path?.slice(0, -".ts".length)
    return path?.endsWith(".tpl.ts") && template && this.#files.has(template) ? template : undefined
  }

  /** Compiles a template and stores it. */
  set(path: string, text: SourceText): TemplateFile {
    const known = this.#files.get(path)
    if (known?.source.value === text.value) return known
    const file = new TemplateFile(text, path)
    this.#files.set(path, file)
    return file
  }

  delete(path: string): void {
    this.#files.delete(path)
  }

  /** Returns all templates with their paths. */
  list(): Iterable<[path: string, file: TemplateFile]> {
    return this.#files
  }

  /** Reads a template from the disk; returns undefined if it does not exist. */
  async read(path: string): Promise<TemplateFile | undefined> {
    if (!isTemplate(path)) return undefined
    const text = await readFile(path, "utf8").catch(() => undefined)
    return text === undefined ? undefined : this.set(path, new SourceText(text))
  }
}

/** Returns the paths of all templates below a directory. */
export async function findTemplatesBelow(root: string): Promise<string[]> {
  const found = await findTemplates(root).catch(() => ({ sources: [] }))
  return found.sources.map((file) => join(root, file))
}
