/** Checks the main file, and files that probably belong into the route directory. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { FwError } from "../../../lib/errors.ts"
import { type ModuleText, readModule } from "../../../lib/scan/exports.ts"
import { type FileRole, findRole } from "../../../lib/scan/file-names.ts"
import { explainSyntax } from "../../project/explain-syntax.ts"
import { tryReadModule } from "../../project/read-module.ts"
import { createError, createWarning, type Finding, toFinding } from "./finding.ts"
import { checkMainCalls } from "./main-calls.ts"

/** The exports of a file, by role. A template with such a name always has the role. */
export const roleExports: Readonly<Record<FileRole, readonly string[]>> = {
  route: ["Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "All", "Socket"],
  middleware: ["Middleware"],
  proxy: ["Proxy"],
  page: ["Page"],
  layout: ["Layout"],
  "not-found": [],
  error: [],
  job: ["Job"],
}

/** The exports of files with the same names in other frameworks. Such a file may also be a helper. */
const foreignExports: Readonly<Partial<Record<FileRole, readonly string[]>>> = {
  middleware: ["middleware", "onRequest", "default"],
  proxy: ["proxy", "default"],
}

/** Returns the convention files in the root of the project or in `src/`, which the scan does not read. */
export async function findMisplacedFiles(root: string, appDir: string, main: ModuleText | null): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const directory of ["", "src/"]) {
    if (appDir === (directory.slice(0, -1) || ".")) continue
    for (const name of await readdir(join(root, directory)).catch(() => [])) {
      const role = findRole(name)
      const file = `${directory}${name}`
      if (typeof role !== "string" || isImported(main, file)) continue
      const names = (await tryReadModule(root, file))?.exports.map((found) => found.name) ?? []
      const isRoleFile = file.endsWith(".tpl") || names.some((one) => roleExports[role].includes(one))
      if (!isRoleFile && !names.some((one) => foreignExports[role]?.includes(one))) continue
      const message = `the ${role} file is outside ${appDir}, where nothing reads it`
      const fix = `Move it to ${appDir === "." ? "" : `${appDir}/`}${name}.`
      findings.push((isRoleFile ? createError : createWarning)("misplaced", { file }, message, fix))
    }
  }
  return findings
}

/** Returns true if the main file imports a file, which then is a helper. */
function isImported(main: ModuleText | null, file: string): boolean {
  const stem = file.replace(/\.\w+$/, "")
  return main?.tokens.some(({ kind, text }) => kind === "string" && text.slice(1, -1).startsWith(`./${stem}`)) ?? false
}

/** Checks the main file, or a file that was probably meant to be it. */
export async function checkMain(root: string, main: string | null): Promise<Finding[]> {
  if (main === null) return await findNearMains(root)
  let module: ModuleText
  try {
    module = readModule(await readFile(join(root, main), "utf8"), {
      file: main,
      allowsJSX: !/\.m?ts$/.test(main),
    })
  } catch (error) {
    if (error instanceof FwError) return (await explainSyntax(root, [error])).map((one) => toFinding(one, main))
    throw error
  }
  const calls = checkMainCalls(main, module)
  if (module.exports.some(({ name }) => name === "default")) return calls
  const message = "the main file has no default export, where fw looks for the App"
  return [createError("main", { file: main }, message, "Write export default app."), ...calls]
}

async function findNearMains(root: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const directory of ["", "src/"]) {
    for (const name of await readdir(join(root, directory)).catch(() => [])) {
      if (!/^main\.(?:[cm]?[jt]s|[jt]sx)$/i.test(name)) continue
      const message = "fw does not read this file: the main file is main.ts next to package.json"
      findings.push(createWarning("main", { file: `${directory}${name}` }, message, "Move it to main.ts."))
    }
  }
  return findings
}
