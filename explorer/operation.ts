/** The view of one operation: its description, parameters and responses, and the form that sends a request. */

import type { Api, ApiResponse, Content, Operation, Parameter } from "./document.ts"
import { type Child, h, renderProse } from "./dom.ts"
import { createExample } from "./example.ts"
import { createRequestForm } from "./form.ts"
import { paintJSON } from "./paint.ts"
import { createSchemaView, describeLimits, formatTypeName } from "./schema.ts"

/**
 * Creates the view of an operation.
 *
 * @param refusal the reason why requests cannot be sent; null if they can.
 */
export function createOperationView(api: Api, operation: Operation, refusal: string | null): HTMLElement {
  const { method, path, summary, description, deprecated } = operation
  const about = h(
    "div",
    { class: "about" },
    h(
      "p",
      { class: "row path" },
      createBadge(method),
      h("code", {}, breakAtSlashes(path)),
      deprecated && h("span", { class: "tag" }, "deprecated"),
    ),
    h("h1", {}, summary || `${method} ${path}`),
    renderProse(description),
    createSecurityNote(operation),
    createParameterList(api, operation),
    createBodySection(api, operation),
    h("h2", {}, "Responses"),
    operation.responses.map((response, i) => createResponseView(api, response, i === 0)),
  )
  return h("article", { class: "operation" }, about, createRequestForm(api, operation, refusal))
}

/** Returns the method as a coloured label. */
export function createBadge(method: string): HTMLElement {
  return h("span", { class: `badge ${method.toLowerCase()}` }, method)
}

/** Returns a path that may be broken into lines after its slashes. */
export function breakAtSlashes(path: string): Child {
  return path.split(/(?=\/)/).flatMap((part) => [part, h("wbr")])
}

function createSecurityNote({ security }: Operation): Child {
  const alternatives = security.filter((needs) => needs.length > 0)
  if (alternatives.length === 0) return null
  const ways = alternatives.map((needs) => needs.join(" and ")).join(", or ")
  const isOptional = alternatives.length < security.length
  return h("p", { class: "quiet" }, `${isOptional ? "Optional" : "Requires"} authentication: `, h("code", {}, ways))
}

function createParameterList(api: Api, { parameters }: Operation): Child {
  if (parameters.length === 0) return null
  const items = parameters.map((one) => createParameterItem(api, one))
  return [h("h2", {}, "Parameters"), h("ul", { class: "properties" }, items)]
}

function createParameterItem(
  api: Api,
  { name, in: place, required, deprecated, description, schema }: Parameter,
): HTMLElement {
  const resolvedSchema = schema ? api.resolve(schema) : {}
  const limits = describeLimits(resolvedSchema)
  const row = h(
    "div",
    { class: "row" },
    h("code", { class: "name" }, name),
    h("code", { class: "type" }, formatTypeName(schema)),
    h("span", { class: "quiet" }, required ? place : `${place}, optional`),
    deprecated && h("span", { class: "tag" }, "deprecated"),
  )
  return h("li", {}, row, limits && h("p", { class: "quiet" }, limits), renderProse(description))
}

function createBodySection(api: Api, { body }: Operation): Child {
  if (!body) return null
  return [
    h("h2", {}, body.required ? "Body" : "Body (optional)"),
    renderProse(body.description),
    createContentView(api, body.content),
  ]
}

function createResponseView(
  api: Api,
  { status, description, content, headers }: ApiResponse,
  open: boolean,
): HTMLElement {
  const names = Object.entries(headers)
  return h(
    "details",
    { class: "case", open },
    h("summary", { class: "row" }, h("strong", { class: `status s${status[0]}` }, status), h("span", {}, description)),
    names.length > 0 &&
      h(
        "ul",
        { class: "properties" },
        names.map(([name, header]) => h("li", {}, h("code", { class: "name" }, name), renderProse(header.description))),
      ),
    createContentView(api, content),
    names.length === 0 && Object.keys(content).length === 0 && h("p", { class: "quiet" }, "No body."),
  )
}

function createContentView(api: Api, content: Content): Child {
  return Object.entries(content).map(([type, { schema, example }]) => {
    const isJSON = /json/.test(type)
    const value = isJSON ? (example ?? createExample(api, schema)) : undefined
    const text = value === undefined || value === null ? "" : JSON.stringify(value, null, 2)
    return h(
      "div",
      { class: "content" },
      h("p", { class: "quiet" }, type),
      createSchemaView(api, schema),
      text.length > 4 &&
        h("details", {}, h("summary", {}, "Example"), h("pre", { tabindex: 0 }, paintJSON(text, "json"))),
    )
  })
}
