/** Shows a request as code: a curl command, a call of `fetch`, and a client with types from the document. */
import type { OutgoingRequest } from "./outgoing-request.ts"

/** What a sample needs in addition to the request. */
export interface SampleContext {
  /** The absolute URL of the first server; empty if the document names none. */
  readonly server: string
  /** The path of the operation as in the document. `parameters` are the values for it. */
  readonly path: string
  readonly parameters: Readonly<Record<"path" | "query", Readonly<Record<string, string | readonly string[]>>>>
}

/** A kind of sample. */
export interface Sample {
  readonly name: string
  write(context: SampleContext, request: OutgoingRequest): Promise<string>
}

/** The samples, in the order in which they are offered. */
export const samples: readonly Sample[] = [
  { name: "curl", write: ({ server }, request) => writeCurl(server, request) },
  { name: "fetch", write: ({ server }, request) => writeFetch(server, request) },
  { name: "openapi-fetch", write: writeClient },
]

/** Maximum length of a body in a sample. */
const maxBodyBytes = 4000

/** Returns the request as a curl command. */
export async function writeCurl(server: string, { method, target, headers, body }: OutgoingRequest): Promise<string> {
  const words = ["curl"]
  if (method !== "GET") words.push(method === "HEAD" ? "--head" : `-X ${method}`)
  words.push(quoteForShell(server.replace(/\/$/, "") + target))
  const isForm = body?.type.startsWith("multipart/") ?? false
  for (const [name, value] of headers)
    if (!isForm || name !== "content-type") words.push(`-H ${quoteForShell(`${name}: ${value}`)}`)
  if (isForm) words.push("-F name=@file")
  else if (body && body.size > 0)
    words.push(body.size > maxBodyBytes ? "--data-binary @file" : `--data-binary ${quoteForShell(await body.text())}`)
  return words.join(" \\\n  ")
}

/** Quotes a text for a POSIX shell. */
function quoteForShell(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Returns the request as a call of `fetch`. Browsers send cookies themselves and do not allow the header, but other
 * runtimes need it.
 */
async function writeFetch(server: string, { method, target, headers, body }: OutgoingRequest): Promise<string> {
  const isForm = body?.type.startsWith("multipart/") ?? false
  const options: string[] = []
  if (method !== "GET") options.push(`method: ${JSON.stringify(method)}`)
  const sentHeaders = headers.filter(([name]) => !isForm || name !== "content-type")
  if (sentHeaders.length > 0) options.push(`headers: ${writeLiteral(Object.fromEntries(sentHeaders), 1)}`)
  if (isForm) options.push("body: form")
  else if (body && body.size > 0) options.push(`body: ${await writeBody(body)}`)
  const url = JSON.stringify(server.replace(/\/$/, "") + target)
  const form = isForm ? "const form = new FormData()\n" : ""
  const optionsArgument = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join("")}}` : ""
  return `${form}const response = await fetch(${url}${optionsArgument})`
}

async function writeBody(body: Blob): Promise<string> {
  if (body.size > maxBodyBytes) return "file"
  const text = await body.text()
  const value = /json/.test(body.type) ? parseJSON(text) : undefined
  return value === undefined ? JSON.stringify(text) : `JSON.stringify(${writeLiteral(value, 1)})`
}

/** Returns the request as code for openapi-fetch. openapi-typescript generates the types from the document. */
async function writeClient(
  { server, path, parameters }: SampleContext,
  { method, headers, body }: OutgoingRequest,
): Promise<string> {
  const params = Object.fromEntries(Object.entries(parameters).filter(([, values]) => Object.keys(values).length > 0))
  const ownHeaders = headers.filter(([name]) => name !== "content-type")
  const options: string[] = []
  if (Object.keys(params).length > 0) options.push(`params: ${writeLiteral(params, 1)}`)
  if (ownHeaders.length > 0) options.push(`headers: ${writeLiteral(Object.fromEntries(ownHeaders), 1)}`)
  if (body && body.size > 0) {
    const value = /json/.test(body.type) && body.size <= maxBodyBytes ? parseJSON(await body.text()) : undefined
    options.push(value === undefined ? "body" : `body: ${writeLiteral(value, 1)}`)
  }
  const optionsArgument = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join("")}}` : ""
  return [
    "// npx openapi-typescript openapi.json -o api.d.ts",
    'import createClient from "openapi-fetch"',
    'import type { paths } from "./api.d.ts"',
    "",
    `const client = createClient<paths>({ baseUrl: ${JSON.stringify(server)} })`,
    `const { data, error } = await client.${method}(${JSON.stringify(path)}${optionsArgument})`,
  ].join("\n")
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a value as JavaScript. @param depth the indentation. */
function writeLiteral(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
    .replaceAll("\n", `\n${"  ".repeat(depth)}`)
}
