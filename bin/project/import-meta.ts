/** Keeps `import.meta.url`, `dirname` and `filename` correct in bundled files. */
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import type { Plugin } from "esbuild"
import { Problem } from "../../template/diagnostic.ts"
import { Lexer, type Token } from "../../template/parse/lexer.ts"
import { type Edit, rewriteSources } from "./rewrite.ts"

const ownPathPattern = /\bimport\.meta\.(url|dirname|filename)\b/g

/** Returns the files that use their own path, such as `import.meta.url`. */
export function findFilesWithMeta(inputs: readonly string[]): string[] {
  return inputs.filter((path) => /\.[cm]?[jt]sx?$/.test(path) && usesOwnPath(readFileSync(path, "utf8")))
}

/** Returns true if source code uses its own path. */
export function usesOwnPath(text: string): boolean {
  return text.search(ownPathPattern) >= 0
}

/** Returns an esbuild plugin that writes the original paths into the given files. */
export function createMetaPlugin(files: readonly string[]): Plugin {
  return rewriteSources(files, (text, path) => ({ edits: createMetaEdits(text, path) }))
}

/**
 * Returns the edits that write the original path into a file: constants in its first line, and the names of these
 * constants where the file uses its path, and not in its texts.
 */
export function createMetaEdits(text: string, path: string): Edit[] {
  const meta = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  const constants = Object.entries(meta).map(([name, value]) => `fw_meta_${name} = ${JSON.stringify(value)}`)
  // The tokenizer does not know elements of JSX, whose text may contain quotes.
  const texts = /x$/.test(path) ? [] : findTexts(text)
  const uses = [...text.matchAll(ownPathPattern)].flatMap(({ 0: use, 1: name, index }) => {
    const isText = texts.some(({ start, end }) => start < index && index < end)
    return isText ? [] : [{ at: index, length: use.length, text: `fw_meta_${name}` }]
  })
  return [{ at: 0, length: 0, text: `const ${constants.join(", ")}; ` }, ...uses]
}

/**
 * Returns the strings, regular expressions and comments of a module, and the parts of its template literals, up to a
 * syntax error.
 */
function findTexts(source: string): Token[] {
  const texts: Token[] = []
  const lexer = new Lexer(source, /^(?:#!.*)?/.exec(source)?.[0].length ?? 0)
  try {
    for (let token = lexer.next(); token; token = lexer.next())
      if (/^(?:string|regex|template|comment)$/.test(token.kind)) texts.push(token)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  return texts
}
