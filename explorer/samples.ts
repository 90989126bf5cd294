/** A request as code to copy: a curl command, `fetch`, and a client typed by the document. */
import type { Outgoing } from "./outgoing.ts"

/** Values that a sample needs in addition to the request. */
export interface SampleContext {
  /** Absolute URL of the first server; empty if the document names none. */
  readonly server: string
  /** The operation's path as in the document, with the entered parameters. */
  readonly path: string
  readonly parameters: Readonly<
    Record<"path" | "query", Readonly<Record<string, string | readonly string[]>>>
  >
}

/** A kind of sample. */
export interface Sample {
  readonly name: string
  write(context: SampleContext, request: Outgoing): Promise<string>
}

/** The samples, in the order in which they are offered. */
export const samples: readonly Sample[] = [
  { name: "curl", write: ({ server }, request) => curlOf(server, request) },
  { name: "fetch", write: ({ server }, request) => fetchOf(server, request) },
  { name: "openapi-fetch", write: clientOf },
]

/** Longest body to include in a sample. */
const longest = 4000

/** Returns the request as a curl command. */
export async function curlOf(server: string, { method, target, headers, body }: Outgoing): Promise<string> {
  const words = ["curl"]
  if (method !== "GET") words.push(method === "HEAD" ? "--head" : `-X ${method}`)
  words.push(quoted(server.replace(/\/$/, "") + target))
  const isForm = body?.type.startsWith("multipart/") ?? false
  for (const [name, value] of headers)
    if (!isForm || name !== "content-type") words.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (isForm) words.push("-F name=@file")
  else if (body && body.size > 0)
    words.push(body.size > longest ? "--data-binary @file" : `--data-binary ${quoted(await body.text())}`)
  return words.join(" \\\n  ")
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Returns the request as a call of `fetch`. In a browser, cookies are sent without the header; elsewhere the
 * header is needed.
 */
async function fetchOf(server: string, { method, target, headers, body }: Outgoing): Promise<string> {
  const isForm = body?.type.startsWith("multipart/") ?? false
  const options: string[] = []
  if (method !== "GET") options.push(`method: ${JSON.stringify(method)}`)
  const sent = headers.filter(([name]) => !isForm || name !== "content-type")
  if (sent.length > 0) options.push(`headers: ${literal(Object.fromEntries(sent), 1)}`)
  if (isForm) options.push("body: form")
  else if (body && body.size > 0) options.push(`body: ${await bodyText(body)}`)
  const url = JSON.stringify(server.replace(/\/$/, "") + target)
  const form = isForm ? "const form = new FormData()\n" : ""
  const given = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join("")}}` : ""
  return `${form}const response = await fetch(${url}${given})`
}

async function bodyText(body: Blob): Promise<string> {
  if (body.size > longest) return "file"
  const text = await body.text()
  const value = /json/.test(body.type) ? parsed(text) : undefined
  return value === undefined ? JSON.stringify(text) : `JSON.stringify(${literal(value, 1)})`
}

/** Returns the request with openapi-fetch, whose types openapi-typescript generates from the document. */
async function clientOf(
  { server, path, parameters }: SampleContext,
  { method, headers, body }: Outgoing,
): Promise<string> {
  const params = Object.fromEntries(
    Object.entries(parameters).filter(([, given]) => Object.keys(given).length > 0),
  )
  const own = headers.filter(([name]) => name !== "content-type")
  const options: string[] = []
  if (Object.keys(params).length > 0) options.push(`params: ${literal(params, 1)}`)
  if (own.length > 0) options.push(`headers: ${literal(Object.fromEntries(own), 1)}`)
  if (body && body.size > 0) {
    const value = /json/.test(body.type) && body.size <= longest ? parsed(await body.text()) : undefined
    options.push(value === undefined ? "body" : `body: ${literal(value, 1)}`)
  }
  const given = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join("")}}` : ""
  return [
    "// npx openapi-typescript openapi.json -o api.d.ts",
    'import createClient from "openapi-fetch"',
    'import type { paths } from "./api.d.ts"',
    "",
    `const client = createClient<paths>({ baseUrl: ${JSON.stringify(server)} })`,
    `const { data, error } = await client.${method}(${JSON.stringify(path)}${given})`,
  ].join("\n")
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a value as JavaScript, indented for its depth. */
function literal(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
    .replaceAll("\n", `\n${"  ".repeat(depth)}`)
}
