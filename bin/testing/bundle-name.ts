/**
 * Converts names of test files to names of bundles and back. From its name, the process of a test knows which file
 * it runs.
 */
import { sep } from "node:path"

/** Characters that `node --test` would read as a pattern in a path, such as that of a directory `[id]`. */
const globCharacters = /[%!@+*?()[\]{}]/g

/** Returns the name of a test file's bundle without `.mjs`. Both names have forward slashes. */
export function toBundleName(test: string): string {
  return test.replace(globCharacters, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}

/** Returns the test file of a bundle, relative to the project; undefined for any other path. */
export function findBundledTest(path: string): string | undefined {
  const [, name] = /(?:^|\/)\.fw\/tests\/\d+\/(.+)\.mjs$/.exec(path.split(sep).join("/")) ?? []
  return name && decodeURIComponent(name)
}
