/** The esbuild plugin that passes to each call without a schema the validator of its type. */
import { dirname, join, relative, sep } from "node:path"
import type { Plugin } from "esbuild"
import { payloadExport } from "../../lib/jobs/definition.ts"
import { projectFault } from "../messages/project.ts"
import { createMetaEdits } from "../project/import-meta.ts"
import { type Edit, type Rewrite, rewriteSources } from "../project/rewrite.ts"
import { type PreparedProject, validatorsFile } from "./prepare-validators.ts"
import type { FileCalls, PreparedCall } from "./read-calls.ts"

/** The files of a project that are changed before they are bundled. */
export interface OwnSources {
  readonly root: string
  readonly calls: PreparedProject["files"]
  /** Absolute paths of files that use their own path. */
  readonly meta?: readonly string[]
}

/** Returns the plugin. Returns none if there is nothing to change. */
export function createSourcePlugins({ root, calls, meta = [] }: OwnSources): Plugin[] {
  const files = [...calls.keys(), ...meta]
  if (files.length === 0) return []
  const rewrite = (text: string, path: string): Rewrite => {
    const fileCalls = calls.get(path)
    const metaEdits = meta.includes(path) ? createMetaEdits(text, path) : []
    if (!fileCalls) return { edits: metaEdits }
    if (fileCalls.text !== text)
      throw projectFault("validators.changed", [fileCalls.file], { at: { file: fileCalls.file } })
    const { edits, end } = addValidators(fileCalls, toImportPath(root, path))
    return { edits: [...edits, ...metaEdits], end }
  }
  return [rewriteSources(files, rewrite)]
}

function toImportPath(root: string, path: string): string {
  const relativePath = relative(dirname(path), join(root, validatorsFile)).split(sep).join("/")
  return relativePath.startsWith("../") ? relativePath : `./${relativePath}`
}

/** Returns the edits of a file: an argument for each call, and an import of the validators in the last line. */
function addValidators({ calls, text }: FileCalls, specifier: string): Rewrite & { readonly end: string } {
  const checked = calls.filter((call): call is PreparedCall & { validator: object } => call.validator !== null)
  const names = [...new Set(checked.map(({ validator }) => validator.name))]
  const prefix = findFreePrefix(text)
  const imports = names.map((name) => `${name} as ${prefix}${name}`)
  const payload = checked.find(({ method }) => method === "Job")
  const edits = checked
    .filter(({ method }) => method !== "Job")
    .map(({ argument, hasArguments, validator }): Edit => {
      return { at: argument, length: 0, text: `${prefix}${validator.name}${hasArguments ? ", " : ""}` }
    })
  const exported = payload ? `\nexport { ${prefix}${payload.validator.name} as ${payloadExport} }` : ""
  const end = names.length > 0 ? `import { ${imports.join(", ")} } from ${JSON.stringify(specifier)}${exported}` : ""
  return { edits, end }
}

/** Returns a prefix for names that the text does not contain. */
function findFreePrefix(text: string): string {
  let prefix = "fw_"
  while (text.includes(prefix)) prefix += "_"
  return prefix
}
