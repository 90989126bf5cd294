/** The view of one operation: its description, parameters and responses, and the form that sends a request. */

import type { Api, ApiResponse, Content, Operation, Parameter } from "./document.ts"
import { type Child, h, prose } from "./dom.ts"
import { exampleOf } from "./example.ts"
import { requestForm } from "./form.ts"
import { paint } from "./paint.ts"
import { limitsOf, schemaView, typeName } from "./schema.ts"

/**
 * Returns the view.
 *
 * @param refusal reason why requests cannot be sent, or null.
 */
export function operationView(api: Api, operation: Operation, refusal: string | null): HTMLElement {
  const { method, path, summary, description, deprecated } = operation
  const about = h(
    "div",
    { class: "about" },
    h(
      "p",
      { class: "row path" },
      badge(method),
      h("code", {}, breakable(path)),
      deprecated && h("span", { class: "tag" }, "deprecated"),
    ),
    h("h1", {}, summary || `${method} ${path}`),
    prose(description),
    securityNote(operation),
    parameterList(api, operation),
    bodySection(api, operation),
    h("h2", {}, "Responses"),
    operation.responses.map((response, i) => responseView(api, response, i === 0)),
  )
  return h("article", { class: "operation" }, about, requestForm(api, operation, refusal))
}

/** Returns the method as a coloured label. */
export function badge(method: string): HTMLElement {
  return h("span", { class: `badge ${method.toLowerCase()}` }, method)
}

/** Allows line breaks after the slashes of a long path. */
export function breakable(path: string): Child {
  return path.split(/(?=\/)/).flatMap((part) => [part, h("wbr")])
}

function securityNote({ security }: Operation): Child {
  const named = security.filter((needs) => needs.length > 0)
  if (named.length === 0) return null
  const ways = named.map((needs) => needs.join(" and ")).join(", or ")
  const optional = named.length < security.length
  return h(
    "p",
    { class: "quiet" },
    `${optional ? "Optional" : "Requires"} authentication: `,
    h("code", {}, ways),
  )
}

function parameterList(api: Api, { parameters }: Operation): Child {
  if (parameters.length === 0) return null
  const items = parameters.map((one) => parameterItem(api, one))
  return [h("h2", {}, "Parameters"), h("ul", { class: "properties" }, items)]
}

function parameterItem(
  api: Api,
  { name, in: place, required, deprecated, description, schema }: Parameter,
): HTMLElement {
  const whole = schema ? api.resolve(schema) : {}
  const limits = limitsOf(whole)
  const row = h(
    "div",
    { class: "row" },
    h("code", { class: "name" }, name),
    h("code", { class: "type" }, typeName(schema)),
    h("span", { class: "quiet" }, required ? place : `${place}, optional`),
    deprecated && h("span", { class: "tag" }, "deprecated"),
  )
  return h("li", {}, row, limits && h("p", { class: "quiet" }, limits), prose(description))
}

function bodySection(api: Api, { body }: Operation): Child {
  if (!body) return null
  return [
    h("h2", {}, body.required ? "Body" : "Body (optional)"),
    prose(body.description),
    contentView(api, body.content),
  ]
}

function responseView(
  api: Api,
  { status, description, content, headers }: ApiResponse,
  open: boolean,
): HTMLElement {
  const names = Object.entries(headers)
  return h(
    "details",
    { class: "case", open },
    h(
      "summary",
      { class: "row" },
      h("strong", { class: `status s${status[0]}` }, status),
      h("span", {}, description),
    ),
    names.length > 0 &&
      h(
        "ul",
        { class: "properties" },
        names.map(([name, header]) =>
          h("li", {}, h("code", { class: "name" }, name), prose(header.description)),
        ),
      ),
    contentView(api, content),
    names.length === 0 && Object.keys(content).length === 0 && h("p", { class: "quiet" }, "No body."),
  )
}

function contentView(api: Api, content: Content): Child {
  return Object.entries(content).map(([type, { schema, example }]) => {
    const isJSON = /json/.test(type)
    const value = isJSON ? (example ?? exampleOf(api, schema)) : undefined
    const text = value === undefined || value === null ? "" : JSON.stringify(value, null, 2)
    return h(
      "div",
      { class: "content" },
      h("p", { class: "quiet" }, type),
      schemaView(api, schema),
      text.length > 4 &&
        h("details", {}, h("summary", {}, "Example"), h("pre", { tabindex: 0 }, paint(text, "json"))),
    )
  })
}
