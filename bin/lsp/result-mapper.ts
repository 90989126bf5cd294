/** Converts positions in results of TypeScript's server from compiled modules to templates. */

import { pathToFileURL } from "node:url"
import { outputPath } from "../../template/index.ts"
import type { Documents } from "./documents.ts"
import { toPath } from "./paths.ts"
import type { Range } from "./protocol.ts"
import type { TemplateFile } from "./template-file.ts"
import type { Templates } from "./templates.ts"

/** Members that are ranges in the document of the object that contains them. */
const rangeMembers = new Set(
  "range selectionRange targetRange targetSelectionRange originSelectionRange insert replace".split(" "),
)
/**
 * Members with the range of a whole declaration, and the members with the range of its name. If the compiler writes
 * a declaration in another form, such as a template, only the name has a range in the source.
 */
const nameRangeMembers: Readonly<Record<string, string>> = {
  targetRange: "targetSelectionRange",
  range: "selectionRange",
}
/** Members that may be missing in a result. */
const optionalMembers = new Set(["originSelectionRange", "textEdit"])

type Fields = Record<string, unknown>

/** Converts results. Objects without a position in the source are left out. */
export class ResultMapper {
  readonly #templates: Templates
  readonly #documents: Documents

  constructor(templates: Templates, documents: Documents) {
    this.#templates = templates
    this.#documents = documents
  }

  /** Converts a URI of TypeScript's server to the editor's URI. */
  toEditorURI(uri: string): string {
    const template = this.#templates.findByModule(toPath(uri))
    return template === undefined ? uri : this.#documents.toURI(template)
  }

  /** Returns the URI of a template's compiled module. */
  toModuleURI(path: string): string {
    return pathToFileURL(outputPath(path)).href
  }

  /**
   * Returns a result with converted positions; undefined if none of its positions is in a source.
   *
   * @param uri the document of the request, as TypeScript's server knows it. Ranges without a URI are in this
   * document.
   */
  map(value: unknown, uri: string): unknown {
    const requestFile = this.#findFile(uri)
    return this.#mapValue(value, requestFile, requestFile)
  }

  #findFile(uri: unknown): TemplateFile | undefined {
    const template = typeof uri === "string" ? this.#templates.findByModule(toPath(uri)) : undefined
    return template === undefined ? undefined : this.#templates.get(template)
  }

  #mapValue(value: unknown, file: TemplateFile | undefined, requestFile: TemplateFile | undefined): unknown {
    if (Array.isArray(value)) return this.#mapList(value, file, requestFile)
    if (typeof value !== "object" || value === null) return value
    return this.#mapFields(value as Fields, file, requestFile)
  }

  #mapList(
    values: readonly unknown[],
    file: TemplateFile | undefined,
    requestFile: TemplateFile | undefined,
  ): unknown[] {
    const keys = new Set<string>()
    return values.flatMap((one) => {
      const mapped = this.#mapValue(one, file, requestFile)
      if (mapped === undefined) return []
      // A name may occur in the compiled code several times.
      if (!hasRange(mapped)) return [mapped]
      const key = JSON.stringify(mapped)
      if (keys.has(key)) return []
      keys.add(key)
      return [mapped]
    })
  }

  #mapFields(fields: Fields, outer: TemplateFile | undefined, requestFile: TemplateFile | undefined): unknown {
    const uri = fields.uri ?? fields.targetUri ?? (fields.textDocument as Fields | undefined)?.uri
    const file = typeof uri === "string" ? this.#findFile(uri) : outer
    const mapped: Fields = {}
    for (const [key, value] of Object.entries(fields)) {
      const mappingFile = key === "originSelectionRange" ? requestFile : file
      const name = nameRangeMembers[key]
      const converted =
        key === "additionalTextEdits" && file
          ? convertAdditions(value as readonly Edit[], file, fields.data)
          : (this.#mapMember(key, value, mappingFile, requestFile) ??
            (name === undefined ? undefined : this.#mapMember(name, fields[name], mappingFile, requestFile)))
      const isOptional = optionalMembers.has(key) || (key === "range" && "contents" in fields)
      if (converted === undefined && value !== undefined && !isOptional) return undefined
      if (converted !== undefined) mapped[key] = converted
    }
    return mapped
  }

  #mapMember(
    key: string,
    value: unknown,
    file: TemplateFile | undefined,
    requestFile: TemplateFile | undefined,
  ): unknown {
    // The editor sends `data` back to TypeScript's server, which expects it unchanged.
    if (key === "data") return value
    if ((key === "uri" || key === "targetUri") && typeof value === "string") return this.toEditorURI(value)
    if (key === "changes" && isFields(value)) return this.#mapChanges(value)
    if (rangeMembers.has(key) && isRange(value)) return file ? file.toSource(value) : value
    return this.#mapValue(value, file, requestFile)
  }

  #mapChanges(changes: Fields): Fields {
    return Object.fromEntries(
      Object.entries(changes).map(([uri, edits]) => {
        const file = this.#findFile(uri)
        return [this.toEditorURI(uri), this.#mapValue(edits, file, file)]
      }),
    )
  }

  /** Converts edits of files, by URI; undefined if one of them has no position in a source. */
  mapEdits(changes: Readonly<Record<string, readonly Edit[]>>): Record<string, readonly Edit[]> | undefined {
    const converted: Record<string, readonly Edit[]> = {}
    for (const [uri, edits] of Object.entries(changes)) {
      const file = this.#findFile(uri)
      const convertedEdits = file ? convertEdits(edits, file) : edits
      if (!convertedEdits) return undefined
      converted[this.toEditorURI(uri)] = convertedEdits
    }
    return converted
  }
}

const fileStart = { line: 0, character: 0 }
const semicolon = /;[ \t]*$/m

/** Converts edits. An import that is added before all code goes to the start of the template. */
function convertEdits(edits: readonly Edit[], file: TemplateFile): Edit[] | undefined {
  const converted = edits.flatMap((edit) => {
    const range = file.toSource(edit.range)
    if (!range && !/^import\s/.test(edit.newText)) return []
    const newText = semicolon.test(file.source.value) ? edit.newText : edit.newText.replace(semicolon, "")
    return [{ range: range ?? { start: fileStart, end: fileStart }, newText }]
  })
  return converted.length === edits.length ? converted : undefined
}

/**
 * Converts the additional edits of a completion. If TypeScript would add a name to an import that the compiler
 * wrote, the template gets a new import instead.
 */
function convertAdditions(edits: readonly Edit[], file: TemplateFile, data: unknown): readonly Edit[] {
  const converted = convertEdits(edits, file)
  const { name, moduleSpecifier } = (data as { autoImport?: AutoImport } | undefined)?.autoImport ?? {}
  if (converted || name === undefined) return converted ?? []
  return [
    {
      range: { start: fileStart, end: fileStart },
      newText: `import { ${name} } from "${moduleSpecifier}"\n`,
    },
  ]
}

interface AutoImport {
  readonly name: string
  readonly moduleSpecifier: string
}

/** An edit of a text (LSP 3.17, TextEdit). */
export interface Edit {
  readonly range: Range
  readonly newText: string
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function hasRange(value: unknown): boolean {
  return isFields(value) && ("range" in value || "targetRange" in value)
}

function isRange(value: unknown): value is Range {
  return isFields(value) && isFields(value.start) && isFields(value.end)
}
