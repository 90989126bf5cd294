/** Calls a tool: makes a request of the arguments, lets the app answer it, and makes the result of the answer. */
import type { App } from "../app.ts"
import type { Context } from "../context.ts"
import { buildLink } from "../links.ts"
import { setSignal } from "../request/body-streams.ts"
import { shortenText } from "../text.ts"
import type { ResolvedMCPOptions } from "./options.ts"
import type { Tool } from "./tool.ts"

/** The result of a call (MCP 2025-11-25, CallToolResult). */
export interface CallResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[]
  readonly structuredContent?: object
  readonly isError?: true
}

/** The result of a call, and the app's answer that it was made from. */
export interface CallOutcome {
  readonly result: CallResult
  /** Missing if no request could be made from the arguments. */
  readonly answer?: Response
}

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>

/** What a call needs besides the tool and the arguments. */
export interface CallContext {
  readonly app: App
  /** The context of the request that contains the call. */
  readonly c: Context
  readonly options: Pick<ResolvedMCPOptions, "headers" | "answerLimit">
}

/** Returns a result that consists of text. */
export function createTextResult(text: string, isError = false): CallResult {
  return { content: [{ type: "text", text }], ...(isError && { isError }) }
}

/**
 * Calls a tool. If the arguments do not fit, that is a result too, because the language model can then correct them.
 */
export async function callTool(tool: Tool, args: Arguments, context: CallContext): Promise<CallOutcome> {
  const problem = findWrongArguments(tool, args)
  if (problem) return { result: createTextResult(problem, true) }
  let request: Request
  try {
    request = buildRequest(tool, args, context)
  } catch (error) {
    // JSON.stringify() overflows the stack with some thousand levels of nesting. `c.bind()` refuses such a body too.
    if (error instanceof RangeError) return { result: createTextResult("the arguments have too many levels", true) }
    // Thrown for a value that cannot be in a path.
    if (!(error instanceof TypeError)) throw error
    const inPath = tool.parameters.filter((parameter) => parameter.in === "path")
    return { result: createTextResult(`not a part of a path: ${joinNames(inPath)}`, true) }
  }
  const { app, c, options } = context
  const waitUntil = (work: Promise<unknown>) => c.waitUntil(work)
  const answer = await app.fetch(request, { clientIP: c.clientIP, env: c.env, waitUntil })
  return { result: await readResult(tool, answer, options.answerLimit), answer }
}

/** Returns why no request can be made from the arguments; null if one can be made. */
function findWrongArguments({ description, parameters, body }: Tool, args: Arguments): string | null {
  const unknownProblem = findUnknownArguments(description, args)
  if (unknownProblem !== null) return unknownProblem
  // Only what the request itself needs is checked here. The route checks the rest.
  const inPath = parameters.filter((parameter) => parameter.in === "path")
  const requiredNames = [...inPath.map(({ argument }) => argument), ...(body?.argument ? [body.argument] : [])]
  const missingNames = requiredNames.filter((name) => args[name] === undefined)
  if (missingNames.length > 0) return `missing arguments: ${missingNames.join(", ")}`
  const wrongParameters = parameters.filter(({ argument, in: place }) => !isParameterValue(args[argument], place))
  return wrongParameters.length > 0 ? `not a text, a number or a boolean: ${joinNames(wrongParameters)}` : null
}

/** Returns a message about arguments that the tool does not have; null if it has all of them. */
export function findUnknownArguments({ inputSchema }: Tool["description"], args: Arguments): string | null {
  const knownNames = Object.keys(Object(inputSchema.properties))
  const unknownNames = Object.keys(args).filter((name) => !knownNames.includes(name))
  if (unknownNames.length === 0) return null
  const names = shortenText(unknownNames.map((name) => JSON.stringify(name)).join(", "))
  return `unknown arguments: ${names}. This tool takes ${knownNames.join(", ") || "no arguments"}.`
}

function joinNames(parameters: Tool["parameters"]): string {
  return parameters.map(({ argument }) => argument).join(", ")
}

function isParameterValue(value: unknown, place: "path" | "query"): boolean {
  if (value === undefined) return true
  if (place === "query" && (value === null || Array.isArray(value)))
    return [value].flat().every((item) => item === null || isScalar(item))
  return isScalar(value)
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value)
}

/** Makes the request for a call. @throws TypeError for a value that cannot be in a path. */
function buildRequest(tool: Tool, args: Arguments, { c, options }: CallContext): Request {
  const headers = new Headers({ accept: "application/json, text/*;q=0.9, */*;q=0.1" })
  for (const name of ["authorization", "cookie", ...options.headers]) {
    const value = c.header(name)
    if (value !== "") headers.set(name, value)
  }
  const body = buildBody(tool, args, headers)
  const { signal } = c.request
  const request = new Request(new URL(buildTarget(tool, args), c.origin), {
    method: tool.method,
    headers,
    signal,
    ...(body !== undefined && { body }),
    redirect: "manual",
  })
  return setSignal(request, () => signal)
}

function buildTarget({ path, rest, parameters }: Tool, args: Arguments): string {
  const values: Record<string, unknown> = {}
  const query = new URLSearchParams()
  for (const { argument, name, in: place } of parameters) {
    const value = args[argument]
    if (place === "path") values[name] = typeof value === "boolean" ? String(value) : value
    else for (const item of [value].flat()) if (item !== undefined && item !== null) query.append(name, String(item))
  }
  const hasValues = Object.keys(values).length > 0
  return buildLink(path, hasValues ? [values, { query }] : [{ query }], rest)
}

function buildBody({ body, parameters }: Tool, args: Arguments, headers: Headers): string | undefined {
  if (!body) return undefined
  const rest = Object.entries(args).filter(([name]) => !parameters.some(({ argument }) => argument === name))
  const value = body.argument === undefined ? Object.fromEntries(rest) : args[body.argument]
  if (body.kind === "text") {
    headers.set("content-type", "text/plain")
    return String(value)
  }
  headers.set("content-type", body.kind === "json" ? "application/json" : "application/x-www-form-urlencoded")
  return body.kind === "json" ? JSON.stringify(value) : encodeForm(value)
}

function encodeForm(value: unknown): string {
  const form = new URLSearchParams()
  for (const [name, items] of Object.entries(Object(value)))
    for (const item of [items].flat())
      if (item !== undefined && item !== null) form.append(name, isScalar(item) ? String(item) : JSON.stringify(item))
  return form.toString()
}

/** Media types that a language model can read. */
const readableType =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|xml)\b|application\/(?:javascript|yaml))/i

async function readResult(tool: Tool, answer: Response, limit: number): Promise<CallResult> {
  const { status, headers } = answer
  const type = headers.get("content-type") ?? ""
  const hasSucceeded = status < 400
  const { outputSchema } = tool.description
  if (type !== "" && !readableType.test(type)) {
    await answer.body?.cancel()
    return createTextResult(`HTTP ${status}: the answer is ${type}, which is not text. It is not shown.`, true)
  }
  const { text, isCut } = await readText(answer, limit)
  if (isCut) {
    const outcome = hasSucceeded ? `The request succeeded (HTTP ${status})` : `HTTP ${status}`
    const note = `${outcome}, but the answer is too long. These are its first ${limit} characters. Ask for less.`
    return createTextResult(`${note}\n\n${text}`, true)
  }
  if (!hasSucceeded) return createTextResult(`HTTP ${status}\n${text}`, true)
  const location = headers.get("location")
  const empty = `HTTP ${status}: ${location ? `see ${location}` : "done. The answer has no content"}`
  if (text === "" || status >= 300) return createTextResult(empty, outputSchema !== undefined)
  const value = outputSchema ? parseObject(text) : undefined
  // For a tool with an output schema, clients accept only an object or an error.
  if (outputSchema && !value) return createTextResult(`the answer is not a JSON object:\n${text}`, true)
  return { ...createTextResult(text), ...(value && { structuredContent: value }) }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads at most `limit` characters of an answer, and then cancels its stream. */
async function readText(answer: Response, limit: number): Promise<{ text: string; isCut: boolean }> {
  const reader = answer.body?.getReader()
  if (!reader) return { text: await answer.text(), isCut: false }
  const decoder = new TextDecoder()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    if (text.length > limit) {
      await reader.cancel()
      return { text: text.slice(0, limit), isCut: true }
    }
    if (done) return { text, isCut: false }
  }
}
