/** Creates projects, and returns what `fw validate` reports about them. */
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { ValidateData } from "../../../../bin/commands/validate.ts"
import { packageDirectory } from "../../packages.ts"
import { fw, project } from "../cli/command.ts"

/** The beginning of route files. */
export const context = 'import type { Context } from "fw"\n'
/** A route file with one handler. */
export const get = `${context}export function Get(c: Context) { return c.json(200, {}) }\n`
export const page = `${context}template Page(c: Context) { <p>{c.path}</p> }\n`
export const layout = "template Layout(title: string) { <main>{children}</main> }\n"
/** Returns a proxy file with a configuration and the body of its function. */
export const renderProxy = (config: string, body = "return proxy.continue()") =>
  `import { proxy } from "fw"\n\nexport const ProxyConfig = ${config}\n\nexport function Proxy() { ${body} }\n`

/** Creates a project with the packages that it would have installed. */
export function installed(
  files: Readonly<Record<string, string>>,
  packages = ["fw", "typescript", "@typescript"],
): string {
  const cwd = project({ "package.json": '{ "type": "module" }\n', ...files })
  mkdirSync(join(cwd, "node_modules"))
  for (const name of packages) symlinkSync(packageDirectory(name), join(cwd, "node_modules", name))
  return cwd
}

/** Returns the output of `fw validate --json`. */
export async function validate(cwd: string, ...flags: string[]) {
  const { code, stdout } = await fw(["validate", "--json", ...flags], { cwd })
  const { success, data } = JSON.parse(stdout) as { success: boolean; data: ValidateData }
  return { code, success, ...data }
}

/** Returns `severity code file:line:column` of each problem. */
export async function places(files: Readonly<Record<string, string>>): Promise<string[]> {
  // Without TypeScript, because the types are slow, and another test checks them.
  const { problems } = await validate(installed(files, ["fw"]))
  return problems.map(({ severity, code, file, line, column }) => {
    return `${severity} ${code} ${[file, line, column].filter((part) => part !== null).join(":")}`
  })
}
