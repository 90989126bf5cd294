/** The MCP server: it lists the tools, calls them, and returns their results. */
import { Readable, Writable } from "node:stream"
import type { CallToolResult, RequestHandlerExtra, ServerNotification, ServerRequest, Tool } from "#vendor/mcp"
import { type FailureData, toFailureData } from "../cli/failure.ts"
import { shortenValues } from "../cli/shorten.ts"
import type { Group } from "../cli/spec.ts"
import { type Io, waitForStop } from "../cli/terminal.ts"
import { readVersion } from "../cli/version.ts"
import { createInputSchema } from "./input.ts"
import { MessageLines } from "./message-lines.ts"
import { listDocs, readDocsResource } from "./resources.ts"
import { callTool, type MCPTool } from "./tool.ts"
import { listTools } from "./tools.ts"

type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** The error code for a resource that does not exist (MCP 2025-06-18, Resources, Error Handling). */
const noResourceCode = -32002
/** The largest number of problems in a failure. */
const maxProblems = 50

const instructions =
  "fw is a TypeScript web framework with routes from a directory. Call fw_info and fw_list_routes before you " +
  "change something, create new files with the fw_generate_* tools (then install the packages that they add to " +
  "package.json), and run fw_validate and fw_test afterwards. " +
  "Tools run none of the project's code unless they say so. Existing files are kept unless force is true. " +
  "Messages name commands and flags of the command line: fw generate route is fw_generate_route, fw routes is " +
  "fw_list_routes, fw routes --explain is fw_explain_route, and --app-dir is the argument appDir."

/** Options of the server. */
export interface ServeOptions {
  /** The route directory. */
  readonly appDir: string
  /** True to list also the tools that few sessions need. */
  readonly all: boolean
}

/** The type of the SDK, which is loaded on demand. */
type SDK = typeof import("#vendor/mcp")
type SDKServer = InstanceType<SDK["Server"]>

/** Tracks the calls that are running, to cancel them at the end. */
class RunningCalls {
  readonly #running = new Set<Promise<unknown>>()
  readonly #ending = new AbortController()

  /** Aborts when the server ends. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Runs a call and tracks it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const call = work()
    this.#running.add(call)
    return call.finally(() => this.#running.delete(call))
  }

  /** Cancels the running calls and waits for them. */
  async end(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled(this.#running)
  }
}

/**
 * Serves until the client disconnects or the command is stopped. Then it cancels the running calls and waits for
 * them.
 */
export async function serveMCP(table: Group, io: Io, { appDir, all }: ServeOptions): Promise<void> {
  const mcp = await import("#vendor/mcp")
  const server = new mcp.Server(
    { name: "fw", version: readVersion() },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  const calls = new RunningCalls()
  const tools = listTools(table, appDir).filter(({ isExtra }) => all || !isExtra)
  serveTools(mcp, server, tools, calls, io)
  serveDocs(mcp, server, io.cwd)
  server.onerror = (error) => io.stderr.write(`fw mcp: ${error.message}\n`)
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    for (const event of ["end", "close", "error"]) io.stdin.once(event, () => resolve())
    void waitForStop(io.signal).then(resolve)
  })
  const output = createWritable(io)
  const messages = (io.stdin as Readable).pipe(new MessageLines((line) => output.write(line)))
  await server.connect(new mcp.StdioServerTransport(messages, output))
  await closed
  await calls.end()
  await server.close()
}

function serveTools(mcp: SDK, server: SDKServer, tools: readonly MCPTool[], calls: RunningCalls, io: Io): void {
  server.setRequestHandler(mcp.ListToolsRequestSchema, () => ({ tools: tools.map(toTool) }))
  server.setRequestHandler(mcp.CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) {
      const names = tools.map(({ name }) => name).join(", ")
      throw new mcp.McpError(
        mcp.ErrorCode.InvalidParams,
        `there is no tool ${shortenValues(JSON.stringify(params.name))}: there are ${names}`,
      )
    }
    return calls.run(() => answerCall(tool, params.arguments ?? {}, createCallIo(io, extra, calls.signal)))
  })
}

/** Provides the pages of the documentation as resources (MCP 2025-06-18, Resources). */
function serveDocs(mcp: SDK, server: SDKServer, root: string): void {
  const refuse = (code: number, message: string) => new mcp.McpError(code, message)
  server.setRequestHandler(mcp.ListResourcesRequestSchema, async ({ params }) => {
    const part = await listDocs(root, params?.cursor)
    if (!part) throw refuse(mcp.ErrorCode.InvalidParams, "the cursor is not one of this server")
    return part
  })
  server.setRequestHandler(mcp.ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const text = await readDocsResource(root, uri)
    if (text === null) throw refuse(noResourceCode, `there is no page ${uri.slice(0, 200)}: fw_docs finds pages`)
    return { contents: [{ uri, mimeType: "text/markdown", text }] }
  })
}

function toTool(tool: MCPTool): Tool {
  const { name, title, description, effect } = tool
  return {
    name,
    title,
    description,
    inputSchema: createInputSchema(tool) as Tool["inputSchema"],
    annotations: {
      readOnlyHint: effect === "reads",
      // With `force`, existing files are overwritten.
      destructiveHint: effect === "writes" || effect === "exports" || effect === "calls",
      idempotentHint: effect === "reads" || effect === "exports" || effect === "runs",
      openWorldHint: effect === "installs",
    },
  }
}

/**
 * Returns the result of a call. A failure is a result too, so that the model can read it and react (MCP 2025-06-18,
 * Tools, Error Handling).
 */
async function answerCall(tool: MCPTool, given: Readonly<Record<string, unknown>>, io: Io): Promise<CallToolResult> {
  try {
    const { data, text } = await callTool(tool, given, io)
    return { structuredContent: data, content: [{ type: "text", text }] }
  } catch (error) {
    return {
      isError: true,
      content: [{ type: "text", text: JSON.stringify(limitProblems(toFailureData(error))) }],
    }
  }
}

/** Limits the problems of a failure, such as that of a scan, to the first ones. */
function limitProblems(failure: FailureData): FailureData {
  const { problems = [], message } = failure
  if (problems.length <= maxProblems) return failure
  const first = problems.slice(0, maxProblems)
  const text = first.map(({ message }) => message).join("\n")
  const more = `${text}\nand ${problems.length - maxProblems} more`
  return { ...failure, message: message.length > more.length ? more : message, problems: first }
}

/**
 * Returns the `Io` of a call. It has no terminal, output is reported as progress, and it aborts when the client
 * cancels the request.
 */
function createCallIo(io: Io, { signal, _meta, sendNotification }: RequestExtra, ending: AbortSignal): Io {
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

function createWritable({ stdout }: Io): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      stdout.write(chunk)
      done()
    },
  })
}
