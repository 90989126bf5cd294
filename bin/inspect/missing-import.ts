/** Finds the fix for a name that is not defined: the import to add, or what to write instead. */
import { importStatements } from "../../template/typescript-fixes.ts"
import type { ImportPlace } from "../project/import-fix.ts"
import { toImportPath } from "../project/import-names.ts"
import { readLinkSources } from "./links/project-links.ts"

/** The largest number of files to name. */
const maxFiles = 3

/** Names that exist in browsers but not on servers. */
const browserNames = new Set(
  "window document localStorage sessionStorage location history alert confirm prompt HTMLElement Element self screen".split(
    " ",
  ),
)
/** Names of CommonJS, and what ES modules have instead. */
const commonJSFixes: Readonly<Record<string, string>> = {
  require: 'Modules use import: import { readFile } from "node:fs/promises".',
  module: "Modules use export: export const …",
  exports: "Modules use export: export const …",
  __dirname: "Modules have import.meta.dirname.",
  __filename: "Modules have import.meta.filename.",
}

const blockEnd = 'A block ends with "}": {if (…) { … } else { … }}, {for (const item of items) { … }}.'
/** Words that begin or end blocks in other template languages. */
const blockFixes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "end endif endfor endeach endforeach endunless empty".split(" ").map((word) => [word, blockEnd]),
  ),
  unless: "Write {if (!condition) { … }}.",
  each: "Write {for (const item of items) { … }}.",
  foreach: "Write {for (const item of items) { … }}.",
  slot: "A layout or component prints what it surrounds with {children}.",
  props: "A template has parameters, each with its type: template Card(title: string) { … }.",
}

/** Returns the fix for a name that is not defined in a file; empty if nothing has this name. */
export function findMissingImport({ root, file }: ImportPlace, name: string): string {
  if (Object.hasOwn(importStatements, name)) return `Write ${importStatements[name]} at the top of the file.`
  if (Object.hasOwn(commonJSFixes, name)) return commonJSFixes[name] as string
  const found = readLinkSources(root)
    .flatMap((source) => {
      const kind = source.file === file ? undefined : findExport(source, name)
      return kind !== undefined ? [{ kind, path: toImportPath(root, file, source.file) }] : []
    })
    .sort((a, b) => a.path.split("/").length - b.path.split("/").length)
    .slice(0, maxFiles)
  const lines = found.map(({ kind, path }) => `import ${kind}{ ${name} } from "${path}"`)
  if (lines.length > 0) return `Write ${lines.join(", or ")} at the top of the file.`
  if (file.endsWith(".tpl") && Object.hasOwn(blockFixes, name)) return blockFixes[name] as string
  if (!browserNames.has(name)) return ""
  return `This code runs on the server, and only browsers have ${name}. Put the code into a file such as static/app.js, and load it with <script src="/static/app.js" defer></script>.`
}

/**
 * Returns `type ` if a file exports the name as a type, an empty text if it exports a value, and undefined if it
 * does not export the name.
 */
function findExport(
  { file, text }: { readonly file: string; readonly text: string },
  name: string,
): string | undefined {
  if (!text.includes(name) || !/^[\w$]+$/.test(name)) return undefined
  const word = name.replaceAll("$", "\\$")
  if (file.endsWith(".tpl") && new RegExp(`^template[ \\t]+${word}\\b`, "m").test(text)) return ""
  const found = new RegExp(
    `^export\\s+(?:declare\\s+|abstract\\s+|async\\s+)*(const|let|var|function\\*?|class|enum|interface|type)\\s+${word}(?![\\w$])`,
    "m",
  ).exec(text)
  if (!found) return undefined
  return found[1] === "interface" || found[1] === "type" ? "type " : ""
}
