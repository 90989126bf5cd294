/** The MCP server: lists the tools, calls them, and returns their results. */
import { Readable, Writable } from "node:stream"
import type {
  CallToolResult,
  RequestHandlerExtra,
  ServerNotification,
  ServerRequest,
  Tool,
} from "../../vendor/mcp.ts"
import { type FailureData, failureData } from "../cli/failure.ts"
import type { Group } from "../cli/spec.ts"
import { type Io, stopped } from "../cli/terminal.ts"
import { readVersion } from "../cli/version.ts"
import { keepTypes } from "../project/kept-program.ts"
import { inputSchema } from "./input.ts"
import { callTool, type MCPTool } from "./tool.ts"
import { toolsOf } from "./tools.ts"
import { Turns } from "./turns.ts"
import { type Translate, translateFailure, wordsOf } from "./words.ts"

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** A client that asks nothing for so long, in milliseconds, needs no process of TypeScript that waits for it. */
const idle = 60_000
/** Most problems in one failure. */
const mostProblems = 50

const instructions =
  "fw is a TypeScript web framework with routes from a directory. Call fw_info and fw_list_routes before you " +
  "change something, create new files with the fw_generate_* tools, and run fw_validate afterwards. Tools run " +
  "none of the project's code unless they say so. Existing files are kept unless force is true."

/**
 * Serves until the client disconnects or the command is stopped, then cancels the calls that still run and
 * waits for them.
 */
export async function serveMCP(table: Group, io: Io): Promise<void> {
  const mcp = await import("../../vendor/mcp.ts")
  const server = new mcp.Server(
    { name: "fw", version: readVersion() },
    { capabilities: { tools: {} }, instructions },
  )
  const tools = toolsOf(table)
  const ending = new AbortController()
  const turns = new Turns()
  const release = keepTypes(idle)
  const running = new Set<Promise<unknown>>()
  server.setRequestHandler(mcp.ListToolsRequestSchema, () => ({ tools: tools.map(describe) }))
  server.setRequestHandler(mcp.CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) {
      const names = tools.map(({ name }) => name).join(", ")
      throw new mcp.McpError(
        mcp.ErrorCode.InvalidParams,
        `there is no tool ${JSON.stringify(params.name)}: there are ${names}`,
      )
    }
    const given = params.arguments ?? {}
    const own = callIo(io, extra, ending.signal)
    // Several callers can share a call that only reads, so one of them cannot cancel it.
    const shared = { ...own, signal: ending.signal }
    const call =
      tool.effect === "reads" || (tool.effect === "exports" && given.output === undefined)
        ? turns.take(`${tool.name} ${JSON.stringify(given)}`, () =>
            answer(tool, wordsOf(tool, { tools, table }), given, shared),
          )
        : answer(tool, wordsOf(tool, { tools, table }), given, own)
    running.add(call)
    return call.finally(() => running.delete(call))
  })
  server.onerror = (error) => io.stderr.write(`fw mcp: ${error.message}\n`)
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    for (const event of ["end", "close", "error"]) io.stdin.once(event, () => resolve())
    void stopped(io.signal).then(resolve)
  })
  await server.connect(new mcp.StdioServerTransport(io.stdin as Readable, writable(io)))
  await closed
  ending.abort()
  await Promise.allSettled(running)
  await release()
  await server.close()
}

function describe(tool: MCPTool): Tool {
  const { name, title, description, output, effect } = tool
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool) as Tool["inputSchema"],
    outputSchema: output as Tool["outputSchema"],
    annotations: {
      readOnlyHint: effect === "reads",
      // With force, existing files are overwritten.
      destructiveHint: effect === "writes" || effect === "exports",
      idempotentHint: effect === "reads" || effect === "exports",
      openWorldHint: effect === "installs",
    },
  }
}

/**
 * Returns the result of a call. A failure is also a result, which the model reads and acts on (MCP
 * 2025-06-18, Tools, Error Handling).
 */
async function answer(
  tool: MCPTool,
  translate: Translate,
  given: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<CallToolResult> {
  try {
    const { data, text } = await callTool(tool, given, io)
    return { structuredContent: data, content: [{ type: "text", text: translate(text) }] }
  } catch (error) {
    const failure = translateFailure(bounded(failureData(error)), translate)
    return { isError: true, content: [{ type: "text", text: JSON.stringify(failure) }] }
  }
}

/** Limits a failure that lists many problems, such as that of a scan, to the first ones. */
function bounded(failure: FailureData): FailureData {
  const { problems = [], message } = failure
  if (problems.length <= mostProblems) return failure
  const first = problems.slice(0, mostProblems)
  const text = first.map(({ message }) => message).join("\n")
  const more = `${text}\nand ${problems.length - mostProblems} more`
  return { ...failure, message: message.length > more.length ? more : message, problems: first }
}

/**
 * Returns the `Io` of a call: it has no terminal, its output is progress, and it is aborted when the client
 * cancels the request.
 */
function callIo(io: Io, { signal, _meta, sendNotification }: Extra, ending: AbortSignal): Io {
  const progressToken = _meta?.progressToken
  let progress = 0
  const write = (text: string) => {
    io.stderr.write(text)
    const message = text.trim()
    if (progressToken === undefined || message === "" || signal.aborted) return
    progress += 1
    const params = { progressToken, progress, message }
    void sendNotification({ method: "notifications/progress", params }).catch(() => {})
  }
  const output = { write, isTerminal: false, columns: 80 }
  return {
    cwd: io.cwd,
    env: io.env,
    stdin: Readable.from([]),
    interactive: false,
    stdout: output,
    stderr: output,
    signal: AbortSignal.any([signal, ending]),
  }
}

function writable({ stdout }: Io): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      stdout.write(chunk)
      done()
    },
  })
}
