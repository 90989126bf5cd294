/** Builds a request from the values that the user has entered. */
import type { CredentialValues } from "./credentials.ts"
import type { Operation, Parameter } from "./document.ts"
import type { OutgoingRequest } from "./outgoing-request.ts"

/**
 * The entered values, by their place and name, such as `query page`. A list has its values on lines, or separated by
 * commas.
 */
export type EnteredValues = ReadonlyMap<string, string>

/** Builds the request of an operation. `proof` are the credentials to send with it. */
export function buildRequest(
  operation: Operation,
  entered: EnteredValues,
  body: Blob | null,
  proof: CredentialValues,
): OutgoingRequest {
  const value = ({ in: place, name }: Parameter) => entered.get(`${place} ${name}`) ?? ""
  const listEntered = (place: Parameter["in"]) =>
    operation.parameters.filter((parameter) => parameter.in === place && value(parameter) !== "")
  let path = operation.path
  for (const parameter of operation.parameters.filter((one) => one.in === "path"))
    path = path.replace(`{${parameter.name}}`, encodePathValue(parameter, value(parameter)))
  const query = new URLSearchParams(proof.query.map(([name, text]) => [name, text]))
  for (const parameter of listEntered("query"))
    for (const text of splitQueryValues(parameter, value(parameter))) query.append(parameter.name, text)
  const cookies = [...proof.cookies, ...listEntered("cookie").map((one) => [one.name, value(one)] as const)]
  const headers = [...listEntered("header").map((one) => [one.name, value(one)] as const), ...proof.headers]
  if (cookies.length > 0) headers.push(["cookie", cookies.map((pair) => pair.join("=")).join("; ")])
  if (body?.type) headers.push(["content-type", body.type])
  const search = query.toString()
  return { method: operation.method, target: search ? `${path}?${search}` : path, headers, body }
}

/**
 * Encodes a parameter of a path. A catch-all keeps its slashes. OpenAPI cannot express that, so the document has an
 * extension for it.
 */
function encodePathValue(parameter: Parameter, value: string): string {
  const isCatchAll = parameter["x-catch-all"] === true
  return isCatchAll ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value)
}

/**
 * Returns the values of a list, which are on lines or separated by commas. Each becomes a `name=value`, as OpenAPI does
 * by default. Any other parameter has one value.
 */
export function splitQueryValues({ schema }: Parameter, value: string): string[] {
  const isList = schema?.type === "array" || schema?.items !== undefined
  return isList
    ? value
        .split(/\r?\n|,/)
        .map((text) => text.trim())
        .filter(Boolean)
    : [value]
}
