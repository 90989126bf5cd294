/** Follows the imports of source texts, and finds imports that the core must not have. */
import { posix } from "node:path"

const runtimes = ["process", "Buffer", "Deno", "Bun", "__dirname", "__filename", "require", "setImmediate", "navigator"]

/**
 * Returns a source without comments and without the text of strings, but with the expressions in template literals.
 */
function bare(source: string): string {
  return source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g,
    (text) =>
      text.startsWith("`")
        ? [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, code]) => `(${code})`).join("") || '""'
        : text.startsWith("/")
          ? " "
          : '""',
  )
}

/** Returns a source without comments. */
function uncommented(source: string): string {
  return source.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_, text) => text ?? " ",
  )
}

/**
 * Returns the imports of a source: static, dynamic, re-exports, and type imports. Null stands for computed ones.
 */
function readImports(source: string): (string | null)[] {
  const text = uncommented(source)
  const statics = [...text.matchAll(/^\s*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*["']([^"']+)["']/gm)].map(
    ([, name]) => name as string,
  )
  const dynamics = [...text.matchAll(/\bimport\s*\(\s*(?:["']([^"']+)["']\s*\))?/g)].map(([, name]) => name ?? null)
  return [...statics, ...dynamics]
}

/**
 * Returns the files that a file reaches by relative imports and by imports of parts, with their texts.
 *
 * @param platform the file that `#platform` stands for; without one, it is not followed.
 */
export function computeClosure(entry: string, read: (file: string) => string, platform?: string): Map<string, string> {
  const files = new Map<string, string>()
  const queue = [entry]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue
    const text = read(file)
    files.set(file, text)
    for (const name of readImports(text)) {
      if (name?.startsWith(".")) queue.push(posix.join(posix.dirname(file), name))
      else if (name?.startsWith("#parts/")) queue.push(`lib/${name.slice(1)}.ts`)
      else if (name === "#bundle") queue.push("adapters/disk/bundle-directory.ts")
      else if (name === "#platform" && platform) queue.push(platform)
    }
  }
  return files
}

/** Returns the forbidden code in a file of the core. */
export function violations(file: string, source: string): string[] {
  const imports = readImports(source).filter(
    (name) => name === null || !/^(?:\.{1,2}\/|#(?:platform|bundle)$|#parts\/|#vendor\/jose$)/.test(name),
  )
  const code = bare(source)
  // A member with this name, as in `this.process`, is something else, but a member of globalThis is not.
  const names = runtimes.filter((name) =>
    new RegExp(`(?<![\\w$.#]|\\.\\s)${name}(?![\\w$]|\\s*[?]?:)|globalThis\\s*\\.\\s*${name}\\b`).test(code),
  )
  return [
    ...imports.map((name) => `${file} imports ${name ?? "something computed"}`),
    ...names.map((name) => `${file} names ${name}`),
  ]
}

/** Returns the exported names of a source that contains only `export { … } from`. */
export function exportNames(source: string): string[] {
  return [...uncommented(source).matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, list]) =>
    (list as string)
      .split(",")
      .map((name) => name.trim().replace(/^type\s+|^.*\sas\s+/g, ""))
      .filter((name) => name !== ""),
  )
}
