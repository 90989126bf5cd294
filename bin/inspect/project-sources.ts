/** Checks a project's sources without types, which is fast enough to be done after every change. */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { examineDirectory } from "../../adapters/disk/directory.ts"
import type { FwError } from "../../lib/errors.ts"
import { parsePattern } from "../../lib/pattern.ts"
import type { ModuleText } from "../../lib/scan/exports.ts"
import { createEmptyTree, listTreeFiles, type RouteTree } from "../../lib/tree.ts"
import { listImportedFiles, readImportNames } from "../project/import-names.ts"
import { findMain, type Project } from "../project/project.ts"
import { findBlockedScripts } from "./checks/blocked-scripts.ts"
import { checkElements } from "./checks/elements.ts"
import type { Finding } from "./checks/finding.ts"
import { findUnnamedFields } from "./checks/form-fields.ts"
import { findIgnoredAttributes } from "./checks/ignored-attributes.ts"
import { checkLayoutModule, checkLayoutTemplate } from "./checks/layouts.ts"
import { findUselessMatchers, readMatchers, toExamplePaths } from "./checks/matchers.ts"
import { checkMCPServed } from "./checks/mcp-routes.ts"
import { checkMain, findMisplacedFiles, tryReadModule } from "./checks/misplaced-files.ts"
import { checkNesting } from "./checks/nesting.ts"
import { findClosedProxy, findEncodedNames, findHiddenFiles, findUnusedWrappers } from "./checks/reach.ts"
import { findUnlikelyParameters } from "./checks/template-parameters.ts"
import { findUnreadFiles } from "./checks/unread-files.ts"
import { findUnsentAnswers } from "./checks/unsent-answers.ts"
import { checkLinks } from "./links/check-links.ts"
import { type Registered, readRegistered } from "./links/registered.ts"
import { readStaticFiles, type StaticFiles } from "./links/static-files.ts"

/** The text of a template. */
interface TemplateText {
  readonly source: string
}

/** A file of the route directory: a module with its exports, or a template. Both are null if it cannot be read. */
interface SourceFile<Template> {
  readonly file: string
  readonly module: ModuleText | null
  readonly template: Template | null
}

/** The sources of a project. */
export interface ProjectSources<Template extends TemplateText> {
  readonly tree: RouteTree
  /** The problems that the scan found. */
  readonly problems: readonly FwError[]
  readonly main: string | null
  readonly mainModule: ModuleText | null
  readonly sources: readonly SourceFile<Template>[]
}

/**
 * Scans the routes of a project, and reads the files of the routes and the main file.
 *
 * @param readTemplate reads a template; null if it need not be checked.
 */
export async function readSources<Template extends TemplateText>(
  { root, appDir }: Project,
  readTemplate: (file: string) => Template | null | Promise<Template | null>,
): Promise<ProjectSources<Template>> {
  const main = findMain({ root, appDir })
  const { tree, problems } = existsSync(resolve(root, appDir))
    ? await examineDirectory(root, appDir)
    : { tree: createEmptyTree(appDir), problems: [] }
  const sources = listTreeFiles(tree).map(async (file) => {
    if (file.endsWith(".tpl")) return { file, module: null, template: await readTemplate(file) }
    return { file, module: await tryReadModule(root, file), template: null }
  })
  const mainModule = main === null ? null : await tryReadModule(root, main)
  return { tree, problems, main, mainModule, sources: await Promise.all(sources) }
}

/**
 * Runs the checks that need only the sources. Other events of the process are handled between the checks.
 *
 * @param signal stops the checks. The remaining ones are left out.
 */
export async function checkSources(
  root: string,
  read: ProjectSources<TemplateText>,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const { tree, main, mainModule, sources } = read
  const registered = await readRegistered(root, mainModule)
  const checks: readonly (() => readonly Finding[] | Promise<readonly Finding[]>)[] = [
    () => sources.flatMap(({ file, template }) => (template ? checkLayoutTemplate(file, template.source) : [])),
    () => checkLayoutModules(tree, sources),
    () => checkReachablePaths(root, read, registered),
    () => checkLinks(root, read, { registered }),
    () => findUnnamedFields(root),
    () => findUnsentAnswers(root),
    () => findIgnoredAttributes(root),
    () => findBlockedScripts(root, mainModule),
    () => checkMCPServed(tree, mainModule),
    () => checkElements({ root, appDir: tree.appDir }),
    () => checkMain(root, main),
    () => findMisplacedFiles(root, tree.appDir, mainModule),
    () => findUnreadFiles(root, tree.appDir),
  ]
  const found: Finding[] = []
  for (const check of checks) {
    await new Promise((resolve) => setImmediate(resolve))
    if (signal?.aborted) return found
    found.push(...(await check()))
  }
  return found
}

/**
 * Reads and checks the sources of a project that can be built.
 *
 * @param signal stops the checks.
 */
export async function lintProject(project: Project, signal?: AbortSignal): Promise<Finding[]> {
  const { root } = project
  const read = await readSources(project, async (file) => {
    // Only the checks of layouts need the text of a template.
    if (!file.endsWith("layout.tpl")) return null
    const source = await readFile(join(root, file), "utf8").catch(() => null)
    return source === null ? null : { source }
  })
  const found = await checkSources(root, read, signal)
  // `fw validate` does not need these two checks: it compiles the templates and checks the types.
  for (const check of [checkNesting, findUnlikelyParameters]) if (!signal?.aborted) found.push(...(await check(root)))
  return found
}

type AnySource = SourceFile<TemplateText>

function checkLayoutModules({ layouts }: RouteTree, sources: readonly AnySource[]): Finding[] {
  const files = new Set(layouts.map(({ file }) => file))
  return sources.flatMap(({ file, module }) => (module && files.has(file) ? checkLayoutModule(module) : []))
}

/** Returns the files that templates and modules import, such as the outer layout of a layout. */
function findImportedFiles(root: string, sources: readonly AnySource[]): ReadonlySet<string> {
  const names = readImportNames(root)
  const files = sources.flatMap(({ file, module, template }) => {
    const text = template?.source ?? module?.source ?? ""
    return [...text.matchAll(/\bfrom\s*["']([^"']*)["']/g)].flatMap(([, path = ""]) =>
      listImportedFiles(names, file, path),
    )
  })
  return new Set(files.map((file) => file.replace(/\.tpl\.ts$/, ".tpl")))
}

/** Checks what requests can reach. */
async function checkReachablePaths(
  root: string,
  { tree, sources, mainModule }: ProjectSources<TemplateText>,
  registered: Registered,
): Promise<Finding[]> {
  const served = await readServedFiles(root, mainModule, registered)
  const paths = served.flatMap((one) => one.paths)
  const findings = [
    ...findHiddenFiles(tree, served),
    ...findUnusedWrappers(tree, findImportedFiles(root, sources)),
    ...findEncodedNames(tree),
  ]
  const { proxy } = tree
  if (!proxy) return findings
  const module = sources.find(({ file }) => file === proxy.file)?.module ?? null
  const read = await readMatchers(proxy, module)
  findings.push(...read.findings)
  const patterns = [...new Set([...tree.routes, ...tree.pages].map(({ pattern }) => pattern))]
  findings.push(...findUselessMatchers(proxy, read, module, { patterns, paths }))
  const { matchers, excludes } = read
  const covers = (pattern: string) => {
    const path = toExamplePaths(parsePattern(pattern).segments, [])[0] as string
    const isIn = proxy.matchers.length === 0 || matchers.some(({ test }) => test(path))
    return isIn && !excludes.some(({ test }) => test(path))
  }
  findings.push(...findClosedProxy(tree, module, covers))
  return findings
}

/** Reads the static directories whose names are literals. */
async function readServedFiles(
  root: string,
  main: ModuleText | null,
  { directories }: Registered,
): Promise<StaticFiles[]> {
  // If another app is mounted, its prefixes are below that of the mount and are not known here.
  const isMounting = main?.tokens.some(({ text }) => text === "mount" || text === "mountHandler")
  if (isMounting && directories.length > 0) return []
  return (await readStaticFiles(root, main, directories)).filter(({ by }) => by !== "code")
}
