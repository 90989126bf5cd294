/** Results of TypeScript's server, with every place in a template's code moved to the template. */

import { pathToFileURL } from "node:url"
import type { Documents } from "./documents.ts"
import { pathOf } from "./paths.ts"
import type { Range } from "./protocol.ts"
import type { TemplateFile } from "./template-file.ts"
import { modulePath, type Templates } from "./templates.ts"

/** Members that are ranges in the document of the object that has them. */
const ranges = new Set(
  "range selectionRange targetRange targetSelectionRange originSelectionRange insert replace editRange".split(
    " ",
  ),
)
/**
 * Members that are the range of a whole declaration, with that of its name. A declaration that the compiler writes in another form,
 * such as a template, has no range in the source, but its name does.
 */
const nameRange: Readonly<Record<string, string>> = {
  targetRange: "targetSelectionRange",
  range: "selectionRange",
}
/** Members that a result may lack. */
const optional = new Set(["originSelectionRange", "editRange", "textEdit", "itemDefaults"])

type Fields = Record<string, unknown>

/** Moves places. Values without a place in the source are left out. */
export class ResultMapper {
  readonly #templates: Templates
  readonly #documents: Documents

  constructor(templates: Templates, documents: Documents) {
    this.#templates = templates
    this.#documents = documents
  }

  /** Returns the URI that the editor knows for one of TypeScript's. */
  uri(uri: string): string {
    const template = this.#templates.ofModule(pathOf(uri))
    return template === undefined ? uri : this.#documents.uriOf(template)
  }

  /** Returns the URI that TypeScript's server knows for a template. */
  moduleURI(path: string): string {
    return pathToFileURL(modulePath(path)).href
  }

  /**
   * Returns a result with all places moved; undefined if it only has places that are not in a source.
   *
   * @param uri the document of the request, as TypeScript's server knows it: that of ranges without a URI.
   */
  map(value: unknown, uri: string): unknown {
    const requested = this.#fileOf(uri)
    return this.#value(value, requested, requested)
  }

  #fileOf(uri: unknown): TemplateFile | undefined {
    const template = typeof uri === "string" ? this.#templates.ofModule(pathOf(uri)) : undefined
    return template === undefined ? undefined : this.#templates.get(template)
  }

  #value(value: unknown, file: TemplateFile | undefined, requested: TemplateFile | undefined): unknown {
    if (Array.isArray(value)) return this.#list(value, file, requested)
    if (typeof value !== "object" || value === null) return value
    return this.#fields(value as Fields, file, requested)
  }

  #list(
    values: readonly unknown[],
    file: TemplateFile | undefined,
    requested: TemplateFile | undefined,
  ): unknown[] {
    const seen = new Set<string>()
    return values.flatMap((one) => {
      const mapped = this.#value(one, file, requested)
      if (mapped === undefined) return []
      // The same name can be in the code several times.
      if (!isPlaced(mapped)) return [mapped]
      const key = JSON.stringify(mapped)
      if (seen.has(key)) return []
      seen.add(key)
      return [mapped]
    })
  }

  #fields(fields: Fields, outer: TemplateFile | undefined, requested: TemplateFile | undefined): unknown {
    const uri = fields.uri ?? fields.targetUri ?? (fields.textDocument as Fields | undefined)?.uri
    const file = typeof uri === "string" ? this.#fileOf(uri) : outer
    const mapped: Fields = {}
    for (const [key, value] of Object.entries(fields)) {
      const by = key === "originSelectionRange" ? requested : file
      const name = nameRange[key]
      const moved =
        key === "additionalTextEdits" && file
          ? additions(value as readonly Edit[], file, fields.data)
          : (this.#member(key, value, by, requested) ??
            (name === undefined ? undefined : this.#member(name, fields[name], by, requested)))
      const isOptional = optional.has(key) || (key === "range" && "contents" in fields)
      if (moved === undefined && value !== undefined && !isOptional) return undefined
      if (moved !== undefined) mapped[key] = moved
    }
    return mapped
  }

  #member(
    key: string,
    value: unknown,
    file: TemplateFile | undefined,
    requested: TemplateFile | undefined,
  ): unknown {
    // Only TypeScript's server reads this.
    if (key === "data") return value
    if ((key === "uri" || key === "targetUri") && typeof value === "string") return this.uri(value)
    if (key === "changes" && isFields(value)) return this.#changes(value)
    if (ranges.has(key) && isRange(value)) return file ? file.toSource(value) : value
    return this.#value(value, file, requested)
  }

  #changes(changes: Fields): Fields {
    return Object.fromEntries(
      Object.entries(changes).map(([uri, edits]) => {
        const file = this.#fileOf(uri)
        return [this.uri(uri), this.#value(edits, file, file)]
      }),
    )
  }

  /** Moves the edits of files, by their URIs; undefined if one of them has no place in a source. */
  edits(changes: Readonly<Record<string, readonly Edit[]>>): Record<string, readonly Edit[]> | undefined {
    const moved: Record<string, readonly Edit[]> = {}
    for (const [uri, edits] of Object.entries(changes)) {
      const file = this.#fileOf(uri)
      const own = file ? editsIn(edits, file) : edits
      if (!own) return undefined
      moved[this.uri(uri)] = own
    }
    return moved
  }
}

const start = { line: 0, character: 0 }
const semicolon = /;[ \t]*$/m

/** Moves edits: an import that is added before all code goes to the start of the template. */
function editsIn(edits: readonly Edit[], file: TemplateFile): Edit[] | undefined {
  const moved = edits.flatMap((edit) => {
    const range = file.toSource(edit.range)
    if (!range && !/^import\s/.test(edit.newText)) return []
    const newText = semicolon.test(file.source.value) ? edit.newText : edit.newText.replace(semicolon, "")
    return [{ range: range ?? { start, end: start }, newText }]
  })
  return moved.length === edits.length ? moved : undefined
}

/** Moves the edits next to a completion. A name that TypeScript would add to an import of the compiler gets its own. */
function additions(edits: readonly Edit[], file: TemplateFile, data: unknown): readonly Edit[] {
  const moved = editsIn(edits, file)
  const { name, moduleSpecifier } = (data as { autoImport?: AutoImport } | undefined)?.autoImport ?? {}
  if (moved || name === undefined) return moved ?? []
  return [{ range: { start, end: start }, newText: `import { ${name} } from "${moduleSpecifier}"\n` }]
}

interface AutoImport {
  readonly name: string
  readonly moduleSpecifier: string
}

/** A change of a text (LSP 3.17, TextEdit). */
export interface Edit {
  readonly range: Range
  readonly newText: string
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isPlaced(value: unknown): boolean {
  return isFields(value) && ("range" in value || "targetRange" in value)
}

function isRange(value: unknown): value is Range {
  return isFields(value) && isFields(value.start) && isFields(value.end)
}
