/** Runs all checks of a project that do not run its code. */
import type { RouteTree } from "../../lib/tree.ts"
import { projectMessages } from "../messages/project.ts"
import { loadEsbuild, toBuildProblem } from "../project/esbuild.ts"
import { explainSyntax } from "../project/explain-syntax.ts"
import { jsxOptions, jsxPlugin } from "../project/jsx.ts"
import type { Project } from "../project/project.ts"
import { checkBrowserTypes, type ModuleError } from "../project/template-types.ts"
import { compileFile, findTemplates } from "../project/templates.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { findSourceFiles, findUntypedCall } from "../validators/prepare-validators.ts"
import { checkTypes } from "./checks/check-types.ts"
import { createError, type Finding, toFinding } from "./checks/finding.ts"
import { findTypeFix } from "./checks/project-types.ts"
import { checkSources, readSources } from "./project-sources.ts"

/** The result of the checks. */
export interface Validation {
  readonly tree: RouteTree
  /** The findings, sorted by file and position. */
  readonly findings: readonly Finding[]
  /** Why types were not checked; null if they were. */
  readonly untyped: Untyped | null
  /** The number of compiled templates. */
  readonly templates: number
  /** The number of files whose types were checked completely. */
  readonly typedFiles: number
}

/** Options of {@link validateProject}. */
export interface ValidateOptions {
  /** True to report an error for each type against which requests cannot be checked. Default: false. */
  readonly isStrict?: boolean
}

/** Returns the result of all checks. Runs no code of the project. */
export async function validateProject(
  { root, appDir }: Project,
  { isStrict = false }: ValidateOptions = {},
): Promise<Validation> {
  const templates = await Promise.all((await findTemplates(root)).sources.map((file) => compileFile(root, file)))
  const read = await readSources({ root, appDir })
  const { tree, main, mainModule } = read
  const sources = read.files.map((source) => {
    return { ...source, template: templates.find(({ file }) => file === source.file) ?? null }
  })
  const findings = [
    ...(await explainSyntax(root, read.problems)).map((problem) => toFinding(problem, tree.appDir)),
    ...templates.flatMap(({ diagnostics }) =>
      diagnostics.map((found) => createError("template", found, found.message, found.fix)),
    ),
    ...(await checkSources(root, read)),
    ...(await checkJSX(root, [...sources.map(({ file }) => file), ...(main === null ? [] : [main])])),
  ]
  const modules = [...sources.map(({ module }) => module), mainModule]
  const files = modules.flatMap((module) => (module ? [module.file] : []))
  const typedProject = {
    root,
    tree,
    files,
    sources,
    templates,
    main: mainModule,
    knownFindings: findings,
    isStrict,
  }
  const types = await checkTypes(typedProject)
  const browser = types.untyped ? [] : (await checkBrowserTypes(root)).map((error) => toBrowserFinding(root, error))
  return {
    tree,
    findings: [...findings, ...types.findings, ...browser, ...(await checkUnreadCalls(root, types.untyped))].sort(
      comparePositions,
    ),
    untyped: types.untyped,
    templates: templates.length,
    typedFiles: types.files,
  }
}

function toBrowserFinding(root: string, { file, text, line, column }: ModuleError): Finding {
  const fix = findTypeFix(Number(/ \(TS(\d+)\)/.exec(text)?.[1]), text, { root, file })
  return createError("typescript", { file, line, column }, text, fix)
}

/** Returns an error if calls promise validation but types cannot be read. A build would fail there. */
async function checkUnreadCalls(root: string, untyped: Untyped | null): Promise<Finding[]> {
  const file = untyped && findUntypedCall(root, await findSourceFiles(root))
  if (!untyped || !file) return []
  const [message, fix = ""] = projectMessages["validators.untyped"](untyped.untyped, untyped.fix)
  return [createError("validators", { file }, message, fix)]
}

/** Compares findings by file and position, for sorting. */
export function comparePositions(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** Returns the errors in files that may contain JSX: syntax errors, and JSX without a library. */
async function checkJSX(root: string, files: readonly string[]): Promise<Finding[]> {
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
