/** A request from what the person entered: its target, headers and body, and the same as a command line. Used by the form. */
import type { Proof } from "./credentials.ts"
import type { Operation, Parameter } from "./document.ts"

/** What will be sent. The target begins with a slash and is below the server's own path. */
export interface Outgoing {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Blob | null
}

/** What was entered, by `in name`; several values for a list in a query. */
export type Entered = ReadonlyMap<string, string>

/** Puts a request together. */
export function requestOf(operation: Operation, entered: Entered, body: Blob | null, proof: Proof): Outgoing {
  const value = ({ in: place, name }: Parameter) => entered.get(`${place} ${name}`) ?? ""
  const given = (place: Parameter["in"]) =>
    operation.parameters.filter((parameter) => parameter.in === place && value(parameter) !== "")
  let path = operation.path
  for (const parameter of operation.parameters.filter((one) => one.in === "path"))
    path = path.replace(`{${parameter.name}}`, pathValue(parameter, value(parameter)))
  const query = new URLSearchParams(proof.query.map(([name, text]) => [name, text]))
  for (const parameter of given("query"))
    for (const text of queryValues(parameter, value(parameter))) query.append(parameter.name, text)
  const cookies = [...proof.cookies, ...given("cookie").map((one) => [one.name, value(one)] as const)]
  const headers = [...given("header").map((one) => [one.name, value(one)] as const), ...proof.headers]
  if (cookies.length > 0) headers.push(["cookie", cookies.map((pair) => pair.join("=")).join("; ")])
  if (body?.type) headers.push(["content-type", body.type])
  const search = query.toString()
  return { method: operation.method, target: search ? `${path}?${search}` : path, headers, body }
}

/** A catch-all's slashes part segments: OpenAPI has no word for that, so the document has an extension. */
function pathValue(parameter: Parameter, value: string): string {
  const whole = parameter["x-catch-all"] === true
  return whole ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value)
}

/** A list is one `name=value` for each, the default of a query in OpenAPI; a line holds one. */
function queryValues({ schema }: Parameter, value: string): string[] {
  const isList = schema?.type === "array" || schema?.items !== undefined
  return isList
    ? value
        .split(/\r?\n|,/)
        .map((text) => text.trim())
        .filter(Boolean)
    : [value]
}

/** The request as a command line of curl. */
export async function curlOf(server: string, { method, target, headers, body }: Outgoing): Promise<string> {
  const words = ["curl"]
  if (method !== "GET") words.push(method === "HEAD" ? "--head" : `-X ${method}`)
  words.push(quoted(server.replace(/\/$/, "") + target))
  const isForm = body?.type.startsWith("multipart/") ?? false
  for (const [name, value] of headers)
    if (!isForm || name !== "content-type") words.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (isForm) words.push("-F name=@file")
  else if (body && body.size > 0)
    words.push(body.size > 4000 ? "--data-binary @file" : `--data-binary ${quoted(await body.text())}`)
  return words.join(" \\\n  ")
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
