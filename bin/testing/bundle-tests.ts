/** Bundles each test file with the project's code that it imports, as a module that Node can run. */
import { join } from "node:path"
import { createCommonOptions, readPackageOptions } from "../dev/bundle/bundle-options.ts"
import { bundleError, type Esbuild, isBuildFailure, loadEsbuild } from "../project/esbuild.ts"
import { findFilesWithMeta } from "../project/import-meta.ts"
import { jsxPlugin } from "../project/jsx.ts"
import { createSourcePlugins } from "../validators/plugin.ts"
import type { PreparedProject } from "../validators/prepare-validators.ts"
import { toBundleName } from "./bundle-name.ts"

/** Defines `require`, because CommonJS files in a bundle call it. */
const banner =
  'import { createRequire as fwCreateRequire } from "node:module"; const require = fwCreateRequire(import.meta.url);'

/** The input of bundling. */
export interface BundleJob {
  readonly root: string
  /** The test files, relative to the project. */
  readonly tests: readonly string[]
  /** The directory for the bundles. */
  readonly directory: string
  /** The calls that are validated against a type. */
  readonly calls: PreparedProject["files"]
}

/**
 * Bundles test files into a directory. Packages are not bundled.
 *
 * @returns the absolute paths of the project's files in the bundles.
 * @throws FwError `esbuild_missing`; `bundle` with each problem at its position.
 */
export async function bundleTests(job: BundleJob): Promise<ReadonlySet<string>> {
  const esbuild = await loadEsbuild(job.root)
  try {
    const inputs = await build(esbuild, job)
    const filesUsingMeta = findFilesWithMeta(inputs)
    return new Set(filesUsingMeta.length > 0 ? await build(esbuild, job, filesUsingMeta) : inputs)
  } catch (error) {
    throw isBuildFailure(error) ? bundleError(job.root, error) : error
  } finally {
    await esbuild.stop()
  }
}

/**
 * Bundles once.
 *
 * @param meta the files that use their own path.
 */
async function build(
  esbuild: Esbuild,
  { root, tests, directory, calls }: BundleJob,
  meta: readonly string[] = [],
): Promise<string[]> {
  const { metafile } = await esbuild.build({
    ...readPackageOptions(root),
    ...createCommonOptions(root),
    write: true,
    entryPoints: tests.map((test) => ({ in: test, out: toBundleName(test) })),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    sourcemap: "linked",
    banner: { js: banner },
    plugins: [jsxPlugin, ...createSourcePlugins({ root, calls, meta })],
  })
  return Object.keys(metafile.inputs).map((path) => join(root, path))
}
