/** `fw info`: shows the project and the tools that it uses. */
import { existsSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { basename, relative, resolve, sep } from "node:path"
import { examineDirectory } from "../../adapters/disk/directory.ts"
import { createEmptyTree } from "../../lib/tree.ts"
import { formatTable } from "../cli/layout.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, Style, View } from "../cli/terminal.ts"
import { getTypeScriptInstallCommand, readVersion } from "../cli/version.ts"
import { type GeneratedState, readGeneratedState } from "../generate/generated-state.ts"
import { readManifest } from "../project/manifest.ts"
import { checkProject, findMain } from "../project/project.ts"
import { findPackage, findToolchains, type Tool, type Toolchains } from "../project/toolchains.ts"
import type * as specs from "../specs/project.ts"
import { packageDirectory } from "../system/package.ts"
import { readListedTree } from "./routes.ts"

/** A project and the tools that it uses. */
export interface InfoData {
  /** The name in package.json, otherwise that of the directory. */
  readonly name: string
  readonly root: string
  readonly fw: {
    /** The running fw command. */
    readonly command: Tool
    /** The fw package in the project; null if the project uses the copy of the command. */
    readonly project: Tool | null
    /** The version of fw in package.json, such as `file:vendor/fw-0.2.0.tgz`; null if it lists none. */
    readonly declared: string | null
  }
  readonly node: Tool
  readonly tools: Toolchains
  /** The route directory. */
  readonly appDir: string
  readonly hasAppDir: boolean
  /** Path of the module that exports the App; null if the project has none and fw creates the App. */
  readonly main: string | null
  /** Numbers of files, as `fw routes` counts them. `routes` includes the pages. */
  readonly counts: {
    readonly routes: number
    readonly pages: number
    readonly layouts: number
    readonly middleware: number
    readonly proxy: number
  }
  /** Number of problems in the routes, which `fw validate` lists. */
  readonly problems: number
  /** State of the generated files; null if there are problems. */
  readonly generated: GeneratedState | null
}

/**
 * Reads the facts. Changes nothing.
 *
 * @throws FwError `no_project` outside a project.
 */
export async function run(
  { appDir }: OptionsOf<typeof specs.info>,
  io: Pick<Io, "cwd" | "env" | "signal">,
): Promise<InfoData> {
  const root = io.cwd
  checkProject({ root, appDir })
  const main = findMain({ root, appDir })
  const hasAppDir = existsSync(resolve(root, appDir))
  const { tree, problems } = hasAppDir
    ? await examineDirectory(root, appDir)
    : { tree: createEmptyTree(appDir), problems: [] }
  const [{ routes }, { name, declared }, project, tools] = await Promise.all([
    readListedTree({ root, appDir }, tree),
    readPackage(root),
    findPackage(root, "fw"),
    findToolchains(io),
  ])
  return {
    name,
    root,
    fw: { command: await readOwnTool(), project, declared },
    node: { version: process.versions.node, path: process.execPath },
    tools,
    appDir: tree.appDir,
    hasAppDir,
    main,
    counts: {
      routes: routes.length + tree.pages.length,
      pages: tree.pages.length,
      layouts: tree.layouts.length,
      middleware: tree.middleware.length,
      proxy: tree.proxy ? 1 : 0,
    },
    problems: problems.length,
    generated: problems.length > 0 ? null : await readGeneratedState(root, tree, main),
  }
}

async function readOwnTool(): Promise<Tool> {
  return {
    version: readVersion(),
    path: await realpath(packageDirectory),
  }
}

function readPackage(root: string): { name: string; declared: string | null } {
  const { name, dependencies, devDependencies } = readManifest(root)
  const toText = (value: unknown) => (typeof value === "string" && value !== "" ? value : null)
  const { fw } = { ...Object(devDependencies), ...Object(dependencies) }
  return { name: toText(name) ?? basename(root), declared: toText(fw) }
}

/** Returns three short tables: the project, its contents and its tools. */
export function print(info: InfoData, { style, width }: View): string {
  const { name, root, appDir, hasAppDir, main, counts, fw, node, tools } = info
  const projectRows: string[][] = [
    ["Name", name],
    ["Directory", root],
    ["Routes", hasAppDir ? appDir : counts.routes > 0 ? `in ${main}` : `${appDir} (missing)`],
    ["Main", main ?? "none: fw creates the App"],
    ["Generated", describeGenerated(info)],
  ]
  const { project, command, declared } = fw
  const toToolRow = (tool: string, { version, path }: Tool, note = "") => {
    const displayPath = path.startsWith(root + sep) ? relative(root, path) : path
    return [tool, version ?? "?", `${displayPath}${note}`]
  }
  const declaredNote = declared === null ? "" : ` (${declared})`
  const toolRows: string[][] = [
    project ? toToolRow("fw", project, declaredNote) : toToolRow("fw", command, ", this command's own copy"),
    ...(project && project.path !== command.path ? [toToolRow("this command", command)] : []),
    toToolRow("node", node),
    ...Object.entries(tools).map(([tool, foundTool]) =>
      foundTool ? toToolRow(tool, foundTool) : [tool, "–", describeMissing(tool, style)],
    ),
  ]
  const paint = (cell: string, column: number) => (column === 0 ? style.cyan(cell) : cell)
  const formatSection = (title: string, rows: string[][]) => `${style.bold(title)}\n${formatTable(rows, paint, width)}`
  return [
    formatSection("Project", projectRows),
    formatSection("Contains", toCountRows(info)),
    formatSection("Tools", toolRows),
    ...(info.problems > 0 ? [formatProblems(info.problems, style)] : []),
  ].join("\n")
}

function toCountRows({ counts }: InfoData): string[][] {
  const { routes, pages, layouts, middleware, proxy } = counts
  return [
    ["Routes", `${routes}${pages > 0 ? `, of which ${pages} ${pages === 1 ? "is a page" : "are pages"}` : ""}`],
    ["Layouts", `${layouts}`],
    ["Middleware", `${middleware}`],
    ["Proxy", proxy > 0 ? "yes" : "no"],
  ]
}

function describeMissing(tool: string, style: Style): string {
  const fixByTool: Readonly<Record<string, string>> = {
    esbuild: "npm install --save-dev esbuild",
    typescript: getTypeScriptInstallCommand(),
    css: "fw css install",
  }
  return style.dim(fixByTool[tool] ? `not found: ${fixByTool[tool]}` : "not found")
}

function describeGenerated({ generated, problems }: InfoData): string {
  if (!generated) return `not checked: ${problems} ${problems === 1 ? "problem" : "problems"} in the routes`
  const { state, stale } = generated
  if (state === "current") return "current"
  if (state === "missing") return "not yet: fw generate templates"
  return `stale: ${stale.slice(0, 2).join(", ")}${stale.length > 2 ? ` and ${stale.length - 2} more` : ""}`
}

function formatProblems(count: number, style: Style): string {
  return `${style.red(`${count} ${count === 1 ? "problem" : "problems"}`)} in the routes: run fw validate to see them.\n`
}
