/** Bundles of test files: each with the project's code that it imports, as one module that Node can run. */
import { join } from "node:path"
import { commonOptions, packageOptions } from "../dev/bundle-options.ts"
import { bundleError, type Esbuild, isBuildFailure, loadEsbuild } from "../project/esbuild.ts"
import { filesWithMeta } from "../project/import-meta.ts"
import { jsxSetup } from "../project/jsx.ts"
import { ownSources } from "../validators/plugin.ts"
import type { PreparedProject } from "../validators/prepare.ts"
import { bundleName } from "./bundle-name.ts"

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
 * @returns every file of the project in the bundles, absolute.
 * @throws FwError `esbuild_missing`; `bundle` with each problem at its position.
 */
export async function bundleTests(job: TestJob): Promise<ReadonlySet<string>> {
  const esbuild = await loadEsbuild(job.root)
  try {
    const inputs = await build(esbuild, job)
    const own = filesWithMeta(inputs)
    return new Set(own.length > 0 ? await build(esbuild, job, own) : inputs)
  } catch (error) {
    throw isBuildFailure(error) ? bundleError(job.root, error) : error
  } finally {
    await esbuild.stop()
  }
}

/** @param meta files that use their own path. */
async function build(
  esbuild: Esbuild,
  { root, tests, directory, calls }: TestJob,
  meta: readonly string[] = [],
): Promise<string[]> {
  const { metafile } = await esbuild.build({
    ...packageOptions(root),
    ...commonOptions(root),
    write: true,
    entryPoints: tests.map((test) => ({ in: test, out: bundleName(test) })),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    sourcemap: "linked",
    banner: { js: banner },
    plugins: [jsxSetup, ...ownSources({ root, calls, meta })],
  })
  return Object.keys(metafile.inputs).map((path) => join(root, path))
}
