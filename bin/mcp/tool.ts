/** A tool: a command that a model can call. */
import type { FwError } from "../../lib/errors.ts"
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
  /**
   * A description for the model: the purpose of the tool, when to use it, and whether it runs code of the project.
   */
  readonly description: string
  readonly command: Command
  /** Options that the model cannot set. */
  readonly fixed: Readonly<Record<string, unknown>>
  /** Options whose default is not that of the command line. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Options that are optional on the command line but required here. */
  readonly required?: readonly string[]
  /**
   * True if the tool is listed only on request. Few sessions need it, but its description would cost all of them.
   */
  readonly isExtra?: boolean
  /** What the tool does to the project (MCP 2025-06-18, ToolAnnotations). */
  readonly effect: Effect
}

/** A tool whose command may be given as it is typed. */
export interface ListedTool extends Omit<MCPTool, "command"> {
  readonly command: Command | string
}

/**
 * `reads` changes nothing. `runs` runs the project's tests. `calls` sends a request to the project's server, which
 * may change its data. `exports` writes one file on request. `writes` adds files, and overwrites existing ones on
 * request. `installs` also downloads packages.
 */
export type Effect = "reads" | "runs" | "calls" | "exports" | "writes" | "installs"

/** The result of a call: the data of the command, and a shorter text. */
export interface ToolResult {
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
}

/** The longest result, in characters. A longer one would fill the model's context. */
const maxResultLength = 100_000

/**
 * Calls a tool.
 *
 * @throws the errors of its command, and FwError for invalid arguments.
 */
export async function callTool(tool: MCPTool, given: Readonly<Record<string, unknown>>, io: Io): Promise<ToolResult> {
  const { spec, load } = tool.command
  const options = readInput(tool, given)
  await checkPaths(spec, options as Readonly<Record<string, unknown>>, io.cwd)
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

/** Checks that all paths are inside the working directory. */
async function checkPaths(spec: Spec, options: Readonly<Record<string, unknown>>, workdir: string): Promise<void> {
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    if (flag.type !== "string" || (flag.value !== "dir" && flag.value !== "file")) continue
    const path = options[toOptionName(name)]
    if (typeof path !== "string" || (await staysInside(path, workdir))) continue
    throw fileFault("outside.argument", [toOptionName(name), path])
  }
}
