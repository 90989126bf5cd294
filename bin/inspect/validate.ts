/** Checks everything about a project that can be checked without running it. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { examineDirectory } from "../../adapters/disk/directory.ts"
import { parsePattern } from "../../lib/pattern.ts"
import type { Compiled } from "../../lib/template/index.ts"
import { emptyTree, type RouteTree, treeFiles } from "../../lib/tree.ts"
import { keptProgram } from "../project/kept-program.ts"
import { mainOf, type Project } from "../project/project.ts"
import { explainSyntax } from "../project/syntax.ts"
import { compileFile, findTemplates } from "../project/templates.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { type Finding, failure, findingOf } from "./checks/finding.ts"
import { checkTypes, type Source } from "./checks/handler-types.ts"
import { checkLayoutModule, checkTemplate } from "./checks/layouts.ts"
import { examples, idleMatchers, readMatchers } from "./checks/matchers.ts"
import { checkMain, misplacedFiles, moduleOf } from "./checks/misplaced-files.ts"
import { closedProxy, encodedNames, hiddenFiles, staticPaths, wrapsNothing } from "./checks/reach.ts"
import { KeptChecks } from "./kept-checks.ts"

/** Result of the checks. */
export interface Validation {
  readonly tree: RouteTree
  /** Sorted by file and position. */
  readonly findings: readonly Finding[]
  /** Reason why types were not checked; null if they were. */
  readonly untyped: Untyped | null
  /** Number of compiled templates. */
  readonly templates: number
  /** Number of files whose types were checked completely. */
  readonly typedFiles: number
}

/**
 * Runs every check.
 *
 * @param kept asks a program that stays open; null opens one for this. Default: the process's own, where it keeps one.
 */
export async function validateProject(
  { root, appDir }: Project,
  kept: KeptChecks | null = keptProgram(KeptChecks, root) ?? null,
): Promise<Validation> {
  const main = mainOf({ root, appDir })
  const { tree, problems } = existsSync(resolve(root, appDir))
    ? await examineDirectory(root, appDir)
    : { tree: emptyTree(appDir), problems: [] }
  const mainModule = main === null ? null : await moduleOf(root, main)
  const templates = await Promise.all(
    (await findTemplates(root)).sources.map((file) => compileFile(root, file)),
  )
  const sources = await Promise.all(treeFiles(tree).map((file) => readSource(root, file, templates)))
  const findings = [
    ...(await explainSyntax(root, problems)).map((problem) => findingOf(problem, tree.appDir)),
    ...templates.flatMap(templateFindings),
    ...sources.flatMap(({ file, template }) => (template ? checkTemplate(file, template.source) : [])),
    ...layoutModules(tree, sources),
    ...(await checkReach(root, tree, sources, mainModule?.source ?? "")),
    ...(await checkMain(root, main)),
    ...(await misplacedFiles(root, tree.appDir, mainModule)),
  ]
  // The types of files with an error are not checked, because they would report the same problem again.
  const wrong = new Set(findings.filter(({ severity }) => severity === "error").map(({ file }) => file))
  const asked = sources.filter(({ file }) => !wrong.has(file))
  const typedMain = main !== null && wrong.has(main) ? null : mainModule
  const modules = [...sources.map(({ module }) => module), mainModule]
  const files = modules.flatMap((module) => (module ? [module.file] : []))
  const checked = { root, tree, files, sources: asked, templates, main: typedMain, found: findings }
  const types = await checkTypes(checked, kept)
  return {
    tree,
    findings: [...findings, ...types.findings].sort(byPlace),
    untyped: types.untyped,
    templates: templates.length,
    typedFiles: types.files,
  }
}

async function readSource(root: string, file: string, templates: readonly Compiled[]): Promise<Source> {
  if (!file.endsWith(".tpl")) return { file, module: await moduleOf(root, file), template: null }
  return { file, module: null, template: templates.find((compiled) => compiled.file === file) ?? null }
}

/** Returns the compiler's messages about a template, also about one without a role. */
function templateFindings({ diagnostics }: Compiled): Finding[] {
  return diagnostics.map((found) => {
    return failure("template", found, found.message, found.fix)
  })
}

function layoutModules({ layouts }: RouteTree, sources: readonly Source[]): Finding[] {
  const files = new Set(layouts.map(({ file }) => file))
  return sources.flatMap(({ file, module }) => (module && files.has(file) ? checkLayoutModule(module) : []))
}

/**
 * Checks what requests can reach.
 *
 * @param main text of the main file, which may serve files itself.
 */
async function checkReach(
  root: string,
  tree: RouteTree,
  sources: readonly Source[],
  main: string,
): Promise<Finding[]> {
  const paths = /staticDir|\.static\(/.test(main) ? [] : await staticPaths(root)
  const findings = [...hiddenFiles(tree, paths), ...wrapsNothing(tree), ...encodedNames(tree)]
  const { proxy } = tree
  if (!proxy) return findings
  const module = sources.find(({ file }) => file === proxy.file)?.module ?? null
  const read = await readMatchers(proxy, module)
  findings.push(...read.findings)
  const patterns = [...new Set([...tree.routes, ...tree.pages].map(({ pattern }) => pattern))]
  findings.push(...idleMatchers(proxy, read, module, { patterns, paths }))
  const { matchers, excludes } = read
  const covers = (pattern: string) => {
    const path = examples(parsePattern(pattern).segments, [])[0] as string
    const isIn = proxy.matchers.length === 0 || matchers.some(({ test }) => test(path))
    return isIn && !excludes.some(({ test }) => test(path))
  }
  findings.push(...closedProxy(tree, module, covers))
  return findings
}

function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}
