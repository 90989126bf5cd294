/** Which features of fw a worker carries: its entry imports those that its routes do not rule out, its build those that its modules do not. Used by `codegen.ts` and `build-bundle.ts`. */
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import type { Metafile, Plugin } from "esbuild"
import { type FeatureUse, featureUse, type WorkerFeature } from "../../lib/feature-use.ts"
import { tokenize } from "../../lib/scan/tokens.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { middlewareFolder } from "./framework-files.ts"

const features = Object.entries(featureUse) as ReadonlyArray<readonly [WorkerFeature, FeatureUse]>

/** The features that a program with these routes may use, whatever its modules do. */
export function importedFeatures(tree: RouteTree): WorkerFeature[] {
  return features.filter(([, { tree: mayUse }]) => mayUse?.(tree) ?? true).map(([name]) => name)
}

/**
 * The features that no module of a bundle has a word for, and those that a build does without.
 *
 * @param mark the path of a module of fw's own, relative to where fw is: there it is known what is used.
 */
export function unusedFeatures(root: string, metafile: Metafile, mark: string): WorkerFeature[] {
  const texts = moduleTexts(root, metafile, mark)
  return features
    .filter(([, { words, directory, speaks }]) => {
      if (speaks) return true
      if (!words || (directory !== undefined && existsSync(join(root, directory)))) return false
      return texts !== null && !texts.some((text) => words.test(text))
    })
    .map(([name]) => name)
}

/**
 * What was read for a bundle and is not fw's, with those of its middleware that are left in it. Of others also what is
 * left out: a constant in it may be used elsewhere. Null where one cannot be read, and so may say anything.
 */
function moduleTexts(root: string, { inputs, outputs }: Metafile, mark: string): string[] | null {
  const home = Object.keys(inputs)
    .find((path) => path.endsWith(mark))
    ?.slice(0, -mark.length)
  const left = Object.values(outputs).flatMap(({ inputs: parts }) =>
    Object.entries(parts).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  )
  const files = Object.keys(inputs).filter((path) => {
    if (home === undefined || !path.startsWith(home)) return !path.startsWith(".fw/") && !isEmpty(path)
    return path.startsWith(`${home}${middlewareFolder}`) && left.some(([name]) => name === path)
  })
  try {
    return files.map((path) => {
      const text = readFileSync(join(root, path), "utf8")
      return home !== undefined && path.startsWith(home) ? withoutComments(text, path) : text
    })
  } catch {
    return null
  }
}

/** The code of a module of fw's own, whose prose speaks of what others call. Of others no text is taken away: the scan's rules might take too much. */
function withoutComments(text: string, file: string): string {
  return tokenize(text, { file, jsx: false })
    .tokens.map((token) => token.text)
    .join(" ")
}

/** What esbuild writes before a module that a package keeps out of browsers. */
function isEmpty(path: string): boolean {
  return path.startsWith("(disabled):")
}

/** Takes features out of a bundle, where the entry imports them; what a module of the project imports itself stays. */
export function withoutFeatures(names: readonly WorkerFeature[], root: string, entry: string): Plugin {
  const importer = realpathSync(join(root, entry))
  const namespace = "fw-unused"
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^fw/workers/(?:${names.join("|")})$`) }, ({ path, ...args }) =>
        args.importer === importer ? { path, namespace, sideEffects: false } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace }, () => ({ contents: "" }))
    },
  }
}
