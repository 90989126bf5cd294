/** The names of the bundles of test files, from which the process of a test knows its file. */
import { sep } from "node:path"

/** Characters of patterns, which Node would read in a path of `node --test`, such as that of a directory `[id]`. */
const globCharacters = /[%!@+*?()[\]{}]/g

/** Returns the name of the bundle of a test file, without the `.mjs` at its end. Both have forward slashes. */
export function toBundleName(test: string): string {
  return test.replace(globCharacters, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}

/** Returns the test file of a bundle, relative to the project; undefined for another path. */
export function findBundledTest(path: string): string | undefined {
  const [, name] = /(?:^|\/)\.fw\/tests\/\d+\/(.+)\.mjs$/.exec(path.split(sep).join("/")) ?? []
  return name && decodeURIComponent(name)
}
