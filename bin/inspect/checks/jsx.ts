/** Finds JSX in the route directory of a project that has chosen no JSX library. TypeScript does not report it. */
import { loadEsbuild, toBuildProblem } from "../../project/esbuild.ts"
import { jsxOptions, jsxPlugin } from "../../project/jsx.ts"
import { createError, type Finding } from "./finding.ts"

/** Returns the errors in files that may contain JSX: syntax errors, and JSX without a library. */
export async function checkJSX(root: string, files: readonly string[]): Promise<Finding[]> {
  const entryPoints = files.filter((file) => /\.[jt]sx$/.test(file))
  if (entryPoints.length === 0) return []
  const esbuild = await loadEsbuild(root).catch(() => null)
  // All commands that bundle report that esbuild is missing.
  if (!esbuild) return []
  const options = { absWorkingDir: root, entryPoints, outdir: "out", write: false, bundle: true } as const
  const externalsPlugin = {
    name: "fw-others",
    setup: (build: import("esbuild").PluginBuild) =>
      build.onResolve({ filter: /./ }, ({ kind }) => (kind === "entry-point" ? undefined : { external: true })),
  }
  const plugins = [jsxPlugin, externalsPlugin]
  const { errors } = await esbuild
    .build({ ...options, ...jsxOptions, plugins, logLevel: "silent" })
    .catch((failed: import("esbuild").BuildFailure) => failed)
  return errors.map((error) => {
    const { message, fix = "Fix the syntax.", file = "", line, column } = toBuildProblem(root, error)
    return createError(error.pluginName === jsxPlugin.name ? "jsx" : "syntax", { file, line, column }, message, fix)
  })
}
