/** A tool: a command that a model calls, and one call of it. */
import type { FwError } from "../../lib/errors.ts"
import { checkProjectFiles } from "../cli/regular-files.ts"
import { type Command, type Spec, toOptionName } from "../cli/spec.ts"
import { createView, type Io } from "../cli/terminal.ts"
import { fileFault } from "../messages/files.ts"
import { toolFault } from "../messages/tools.ts"
import { staysInside } from "../system/path-containment.ts"
import { readInput } from "./input.ts"

/** A command as a tool. */
export interface MCPTool {
  readonly name: string
  readonly title: string
  /** For the model: the tool's purpose, when to use it, and which code of the project it runs. */
  readonly description: string
  readonly command: Command
  /** Options that the model cannot set. */
  readonly fixed: Readonly<Record<string, unknown>>
  /** Options with another default than on the command line. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Options that a person may omit and a model may not. */
  readonly required?: readonly string[]
  /** True if it is listed only on request, because few sessions need it and all would pay for its description. */
  readonly isExtra?: boolean
  /** Effect on the project (MCP 2025-06-18, ToolAnnotations). */
  readonly effect: Effect
}

/** A tool that names its commands by their words, as they are typed. */
export interface ListedTool extends Omit<MCPTool, "command"> {
  readonly command: Command | string
}

/**
 * `reads` changes nothing; `runs` runs the project's tests; `calls` sends a request to the project's server, which may
 * change its data; `exports` writes one file if asked to; `writes` adds files, and overwrites
 * existing ones only if asked to; `installs` also downloads packages.
 */
export type Effect = "reads" | "runs" | "calls" | "exports" | "writes" | "installs"

/** Result of a call: the data of the command, and a shorter text. */
export interface ToolResult {
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Longest result, in characters. More would fill the context of a model. */
const maxResultLength = 100_000

/** Calls a tool. @throws the errors of its command, and FwError for invalid arguments. */
export async function callTool(tool: MCPTool, given: Readonly<Record<string, unknown>>, io: Io): Promise<ToolResult> {
  const { spec, load } = tool.command
  const options = readInput(tool, given)
  await checkPaths(spec, options as Readonly<Record<string, unknown>>, io.cwd)
  await checkProjectFiles(io.cwd)
  const module = await load()
  const result = await module.run(options, io)
  const data = (module.data ? module.data(result) : result) as ToolResult["data"]
  const json = JSON.stringify(data)
  if (json.length > maxResultLength) throw tooLongError(json.length, tool)
  const printed = module.print?.(result, createView(io.stdout, {}))
  return { data, text: printed !== undefined && printed.length < json.length ? printed : json }
}

function tooLongError(length: number, { command: { spec } }: MCPTool): FwError {
  const names = ["limit", "path", "output"].filter((name) => name in (spec.flags ?? {}))
  return toolFault("too_long", [length, maxResultLength, names])
}

/** Checks that every path stays inside the working directory. */
async function checkPaths(spec: Spec, options: Readonly<Record<string, unknown>>, workdir: string): Promise<void> {
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    if (flag.type !== "string" || (flag.value !== "dir" && flag.value !== "file")) continue
    const path = options[toOptionName(name)]
    if (typeof path !== "string" || (await staysInside(path, workdir))) continue
    throw fileFault("outside.argument", [toOptionName(name), path])
  }
}
