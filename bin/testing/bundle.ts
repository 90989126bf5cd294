/** Bundles of test files: each with the project's code that it imports, as one module that Node can run. */
import { join } from "node:path"
import type { Metafile } from "esbuild"
import { commonOptions, packageOptions } from "../dev/bundle-options.ts"
import { bundleError, type Esbuild, isBuildFailure, loadEsbuild } from "../project/esbuild.ts"
import { filesWithMeta } from "../project/import-meta.ts"
import { jsxSetup } from "../project/jsx.ts"
import { ownSources } from "../validators/plugin.ts"
import type { PreparedProject } from "../validators/prepare.ts"

/** The bundles of test files. */
export interface TestBundles {
  /** The bundles, absolute, with the test files that they are made of. */
  readonly files: ReadonlyMap<string, string>
  /** Every file of the project in them, absolute. */
  readonly inputs: ReadonlySet<string>
}

/** CommonJS files inside a bundle call it. */
const banner =
  'import { createRequire as fwCreateRequire } from "node:module"; const require = fwCreateRequire(import.meta.url);'

/** The inputs of a bundle. */
export interface TestJob {
  readonly root: string
  /** The test files, relative to the project. */
  readonly tests: readonly string[]
  /** The directory of the bundles. */
  readonly directory: string
  /** The calls that are validated against a type. */
  readonly calls: PreparedProject["files"]
}

/**
 * Bundles test files into a directory. Packages are not bundled.
 *
 * @throws FwError `esbuild_missing`; `bundle` with each problem at its position.
 */
export async function bundleTests(job: TestJob): Promise<TestBundles> {
  const { root } = job
  const esbuild = await loadEsbuild(root)
  try {
    const first = await build(esbuild, job)
    const own = filesWithMeta([...inputsOf(root, first)])
    const made = own.length > 0 ? await build(esbuild, job, own) : first
    return { files: bundlesOf(root, made), inputs: inputsOf(root, made) }
  } catch (error) {
    throw isBuildFailure(error) ? bundleError(root, error) : error
  } finally {
    await esbuild.stop()
  }
}

/** @param own files that use their own path. */
async function build(
  esbuild: Esbuild,
  { root, tests, directory, calls }: TestJob,
  own: readonly string[] = [],
): Promise<Metafile> {
  const { metafile } = await esbuild.build({
    ...packageOptions(root),
    ...commonOptions(root),
    write: true,
    entryPoints: [...tests],
    outdir: directory,
    outbase: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    sourcemap: "linked",
    banner: { js: banner },
    plugins: [jsxSetup, ...ownSources({ root, calls, meta: own })],
  })
  return metafile
}

function inputsOf(root: string, { inputs }: Metafile): Set<string> {
  return new Set(Object.keys(inputs).map((path) => join(root, path)))
}

function bundlesOf(root: string, { outputs }: Metafile): Map<string, string> {
  const made = Object.entries(outputs).flatMap(([path, { entryPoint }]): [string, string][] => {
    return entryPoint === undefined ? [] : [[join(root, path), entryPoint]]
  })
  return new Map(made)
}
