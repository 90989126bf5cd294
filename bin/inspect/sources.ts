/** The checks of a project's own sources, which need no types: they are fast enough for every change. */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { examineDirectory } from "../../adapters/disk/directory.ts"
import type { FwError } from "../../lib/errors.ts"
import { parsePattern } from "../../lib/pattern.ts"
import type { ModuleText } from "../../lib/scan/exports.ts"
import { emptyTree, type RouteTree, treeFiles } from "../../lib/tree.ts"
import { importedFiles, importNames } from "../project/import-names.ts"
import { mainOf, type Project } from "../project/project.ts"
import type { Finding } from "./checks/finding.ts"
import { unnamedFields } from "./checks/form-fields.ts"
import { ignoredAttributes } from "./checks/ignored-attributes.ts"
import { checkLayoutModule, checkTemplate } from "./checks/layouts.ts"
import { examples, idleMatchers, readMatchers } from "./checks/matchers.ts"
import { checkMain, misplacedFiles, moduleOf } from "./checks/misplaced-files.ts"
import { checkNesting } from "./checks/nesting.ts"
import { checkServed } from "./checks/offered.ts"
import { closedProxy, encodedNames, hiddenFiles, wrapsNothing } from "./checks/reach.ts"
import { unlikelyParameters } from "./checks/template-parameters.ts"
import { unreadFiles } from "./checks/unread-files.ts"
import { unsentAnswers } from "./checks/unsent-answers.ts"
import { checkLinks } from "./links/check-links.ts"
import { type Registered, registeredIn } from "./links/registered.ts"
import { type StaticFiles, staticFilesOf } from "./links/static-files.ts"

/** The text of a template. */
interface TemplateText {
  readonly source: string
}

/** A file of the route directory: the exports of a module, or a template. Both are null if it cannot be read. */
interface SourceFile<Template> {
  readonly file: string
  readonly module: ModuleText | null
  readonly template: Template | null
}

/** The sources of a project. */
export interface Sources<Template extends TemplateText> {
  readonly tree: RouteTree
  /** Problems of the scan. */
  readonly problems: readonly FwError[]
  readonly main: string | null
  readonly mainModule: ModuleText | null
  readonly sources: readonly SourceFile<Template>[]
}

/** Reads the sources. @param templateOf returns a template that may be checked. */
export async function readSources<Template extends TemplateText>(
  { root, appDir }: Project,
  templateOf: (file: string) => Template | null | Promise<Template | null>,
): Promise<Sources<Template>> {
  const main = mainOf({ root, appDir })
  const { tree, problems } = existsSync(resolve(root, appDir))
    ? await examineDirectory(root, appDir)
    : { tree: emptyTree(appDir), problems: [] }
  const sources = treeFiles(tree).map(async (file) => {
    if (file.endsWith(".tpl")) return { file, module: null, template: await templateOf(file) }
    return { file, module: await moduleOf(root, file), template: null }
  })
  const mainModule = main === null ? null : await moduleOf(root, main)
  return { tree, problems, main, mainModule, sources: await Promise.all(sources) }
}

/**
 * Checks what the sources say: layouts, the reach of requests, links, the main file, and files in the wrong place. Other events
 * of the process come between the checks.
 *
 * @param signal ends the checks; the rest is left out.
 */
export async function checkSources(
  root: string,
  read: Sources<TemplateText>,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const { tree, main, mainModule, sources } = read
  const registered = await registeredIn(root, mainModule)
  const checks: readonly (() => readonly Finding[] | Promise<readonly Finding[]>)[] = [
    () => sources.flatMap(({ file, template }) => (template ? checkTemplate(file, template.source) : [])),
    () => layoutModules(tree, sources),
    () => checkReach(root, read, registered),
    () => checkLinks(root, read, { registered }),
    () => unnamedFields(root),
    () => unsentAnswers(root),
    () => ignoredAttributes(root),
    () => checkServed(tree, mainModule),
    () => checkMain(root, main),
    () => misplacedFiles(root, tree.appDir, mainModule),
    () => unreadFiles(root, tree.appDir),
  ]
  const found: Finding[] = []
  for (const check of checks) {
    await new Promise((resolve) => setImmediate(resolve))
    if (signal?.aborted) return found
    found.push(...(await check()))
  }
  return found
}

/** Reads and checks the sources of a project that can be built. @param signal ends the checks. */
export async function lintProject(project: Project, signal?: AbortSignal): Promise<Finding[]> {
  const { root } = project
  const read = await readSources(project, async (file) => {
    // Other templates are only checked by the compiler.
    if (!file.endsWith("layout.tpl")) return null
    const source = await readFile(join(root, file), "utf8").catch(() => null)
    return source === null ? null : { source }
  })
  // fw validate knows the types of these.
  const found = await checkSources(root, read, signal)
  for (const check of [checkNesting, unlikelyParameters])
    if (!signal?.aborted) found.push(...(await check(root)))
  return found
}

type AnySource = SourceFile<TemplateText>

function layoutModules({ layouts }: RouteTree, sources: readonly AnySource[]): Finding[] {
  const files = new Set(layouts.map(({ file }) => file))
  return sources.flatMap(({ file, module }) => (module && files.has(file) ? checkLayoutModule(module) : []))
}

/** Returns the files that templates and modules import, such as the outer layout of a layout. */
function importedBy(root: string, sources: readonly AnySource[]): ReadonlySet<string> {
  const names = importNames(root)
  const files = sources.flatMap(({ file, module, template }) => {
    const text = template?.source ?? module?.source ?? ""
    return [...text.matchAll(/\bfrom\s*["']([^"']*)["']/g)].flatMap(([, path = ""]) =>
      importedFiles(names, file, path),
    )
  })
  return new Set(files.map((file) => file.replace(/\.tpl\.ts$/, ".tpl")))
}

/** Checks what requests can reach. */
async function checkReach(
  root: string,
  { tree, sources, mainModule }: Sources<TemplateText>,
  registered: Registered,
): Promise<Finding[]> {
  const served = await servedFiles(root, mainModule, registered)
  const paths = served.flatMap((one) => one.paths)
  const findings = [
    ...hiddenFiles(tree, served),
    ...wrapsNothing(tree, importedBy(root, sources)),
    ...encodedNames(tree),
  ]
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

/** Reads the static directories whose names are literals. */
async function servedFiles(
  root: string,
  main: ModuleText | null,
  { directories }: Registered,
): Promise<StaticFiles[]> {
  // The prefixes of an app that is mounted are below another one.
  const isMounting = main?.tokens.some(({ text }) => text === "mount" || text === "mountHandler")
  if (isMounting && directories.length > 0) return []
  return (await staticFilesOf(root, main, directories)).filter(({ by }) => by !== "code")
}
