/** Checks a project's sources without types, which is fast enough to be done after every change. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { examineDirectory } from "../../adapters/disk/directory.ts"
import type { FwError } from "../../lib/errors.ts"
import { parsePattern } from "../../lib/pattern.ts"
import type { ModuleText } from "../../lib/scan/exports.ts"
import { createEmptyTree, listTreeFiles, type RouteTree } from "../../lib/tree.ts"
import { findWarnings } from "../../template/compile.ts"
import { listImportedFiles, readImportNames } from "../project/import-names.ts"
import { findMain, type Project } from "../project/project.ts"
import { tryReadModule } from "../project/read-module.ts"
import { findBlockedScripts } from "./checks/blocked-scripts.ts"
import { checkElements } from "./checks/elements.ts"
import type { Finding } from "./checks/finding.ts"
import { findUnnamedFields } from "./checks/form-fields.ts"
import { findIgnoredAttributes } from "./checks/ignored-attributes.ts"
import { checkLayoutModule, findEmptyLayouts } from "./checks/layouts.ts"
import { findUselessMatchers, readMatchers, toExamplePaths } from "./checks/matchers.ts"
import { checkMCPServed } from "./checks/mcp-routes.ts"
import { checkMain, findMisplacedFiles } from "./checks/misplaced-files.ts"
import { findClosedProxy, findEncodedNames, findHiddenFiles, findUnusedWrappers } from "./checks/reach.ts"
import { createTemplateCheck } from "./checks/source-checks.ts"
import { findUnlikelyParameters } from "./checks/template-parameters.ts"
import { findUnreadFiles } from "./checks/unread-files.ts"
import { findUnsentAnswers } from "./checks/unsent-answers.ts"
import { checkLinks } from "./links/check-links.ts"
import { type LinkSource, readLinkSources } from "./links/project-links.ts"
import { type Registered, readRegistered } from "./links/registered.ts"
import { readStaticFiles, type StaticFiles } from "./links/static-files.ts"

/** A file of the route directory, and its exports. They are null for a template, and if the file cannot be read. */
interface SourceFile {
  readonly file: string
  readonly module: ModuleText | null
}

/** The sources of a project. */
export interface ProjectSources {
  readonly tree: RouteTree
  /** The problems that the scan found. */
  readonly problems: readonly FwError[]
  readonly main: string | null
  readonly mainModule: ModuleText | null
  /** The files of the route directory. */
  readonly files: readonly SourceFile[]
  /** The texts of all templates and modules. */
  readonly texts: readonly LinkSource[]
}

/** Scans the routes of a project, and reads its files. */
export async function readSources({ root, appDir }: Project): Promise<ProjectSources> {
  const main = findMain({ root, appDir })
  const { tree, problems } = existsSync(resolve(root, appDir))
    ? await examineDirectory(root, appDir)
    : { tree: createEmptyTree(appDir), problems: [] }
  const files = listTreeFiles(tree).map(async (file) => {
    return { file, module: file.endsWith(".tpl") ? null : await tryReadModule(root, file) }
  })
  const mainModule = main === null ? null : await tryReadModule(root, main)
  return { tree, problems, main, mainModule, files: await Promise.all(files), texts: readLinkSources(root) }
}

/**
 * Runs the checks that need only the sources. Other events of the process are handled between the checks.
 *
 * @param signal stops the checks. The remaining ones are left out.
 */
export async function checkSources(root: string, read: ProjectSources, signal?: AbortSignal): Promise<Finding[]> {
  const { tree, main, mainModule, texts } = read
  const registered = await readRegistered(root, mainModule)
  const checks: readonly (() => readonly Finding[] | Promise<readonly Finding[]>)[] = [
    () => findEmptyLayouts(texts),
    () => checkLayoutModules(read),
    () => checkReachablePaths(root, read, registered),
    () => checkLinks(root, read, { registered }),
    () => findUnnamedFields(texts),
    () => findUnsentAnswers(texts),
    () => findIgnoredAttributes(texts),
    () => findBlockedScripts(texts, mainModule),
    () => findNestingProblems(texts),
    () => checkMCPServed(tree, mainModule),
    () => checkElements({ root, appDir: tree.appDir }, texts),
    () => checkMain(root, main),
    () => findMisplacedFiles(root, tree.appDir, mainModule),
    () => findUnreadFiles(root, tree.appDir, texts),
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
  const read = await readSources(project)
  const found = await checkSources(project.root, read, signal)
  // `fw validate` does not need this check, because it checks the types.
  return signal?.aborted ? found : [...found, ...(await findUnlikelyParameters(read.texts))]
}

/** Finds elements that browsers move to another place than where the template has them. */
const findNestingProblems = createTemplateCheck((text, file) =>
  findWarnings(text, file).map(({ offset, message, fix }) => ({ code: "nesting", offset, message, fix })),
)

function checkLayoutModules({ tree: { layouts }, files }: ProjectSources): Finding[] {
  const layoutFiles = new Set(layouts.map(({ file }) => file))
  return files.flatMap(({ file, module }) => (module && layoutFiles.has(file) ? checkLayoutModule(module) : []))
}

/** Returns the files that templates and modules import, such as the outer layout of a layout. */
function findImportedFiles(root: string, texts: readonly LinkSource[]): ReadonlySet<string> {
  const names = readImportNames(root)
  const files = texts.flatMap(({ file, text }) => {
    return [...text.matchAll(/\bfrom\s*["']([^"']*)["']/g)].flatMap(([, path = ""]) =>
      listImportedFiles(names, file, path),
    )
  })
  return new Set(files.map((file) => file.replace(/\.tpl\.ts$/, ".tpl")))
}

/** Checks what requests can reach. */
async function checkReachablePaths(
  root: string,
  { tree, files, texts, mainModule }: ProjectSources,
  registered: Registered,
): Promise<Finding[]> {
  const served = await readServedFiles(root, mainModule, registered)
  const paths = served.flatMap((one) => one.paths)
  const findings = [
    ...findHiddenFiles(tree, served),
    ...findUnusedWrappers(tree, findImportedFiles(root, texts)),
    ...findEncodedNames(tree),
  ]
  const { proxy } = tree
  if (!proxy) return findings
  const module = files.find(({ file }) => file === proxy.file)?.module ?? null
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
