/** The form with which the user sends a request. */

import { createBodyField } from "./body.ts"
import { clearCookies, collectCredentials, createCredentialsView, listCookieNames } from "./credentials.ts"
import type { Api, Operation, Parameter } from "./document.ts"
import { type Child, h } from "./dom.ts"
import { createExample } from "./example.ts"
import { relayRequest } from "./relay.ts"
import { buildRequest, splitQueryValues } from "./request.ts"
import { showResponse } from "./response.ts"
import { type Sample, samples } from "./samples.ts"
import { formatTypeName } from "./schema.ts"

/** Values that the user has entered, by operation. They stay while another operation is shown. */
const enteredByOperation = new Map<string, Map<string, string>>()

/**
 * Creates the form for requests of one operation.
 *
 * @param refusal the reason why requests cannot be sent; null if they can.
 */
export function createRequestForm(api: Api, operation: Operation, refusal: string | null): HTMLElement {
  const enteredValues = enteredByOperation.get(operation.id) ?? new Map<string, string>()
  enteredByOperation.set(operation.id, enteredValues)
  const body = createBodyField(api, operation)
  const output = h("div", { class: "response", "aria-live": "polite" })
  const request = async () =>
    buildRequest(operation, enteredValues, body ? await body.read() : null, collectCredentials(api, operation))
  const button = h("button", { type: "submit", class: "send", disabled: refusal !== null }, "Send")
  const submit = createSubmitHandler(button, output, async (signal) => {
    await showResponse(output, await relayRequest(await request(), signal), { api, operation })
  })
  const copy = async ({ name, write }: Sample) => {
    const parameters = {
      path: collectEntered("path", operation, enteredValues),
      query: collectEntered("query", operation, enteredValues),
    }
    try {
      const text = await write({ server: api.server, path: operation.path, parameters }, await request())
      output.replaceChildren(h("pre", { tabindex: 0, "aria-label": `As ${name}` }, text))
      await navigator.clipboard?.writeText(text).catch(() => {})
    } catch (error) {
      showFailure(output, error)
    }
  }
  return h(
    "form",
    { class: "request", onsubmit: submit },
    h("h2", {}, "Try it"),
    createCredentialsView(api, operation),
    createParameterFields(api, operation, enteredValues),
    body?.element,
    h(
      "div",
      { class: "row" },
      button,
      samples.map((sample) => h("button", { type: "button", onclick: () => copy(sample) }, `As ${sample.name}`)),
      createCookieNote(),
    ),
    refusal
      ? h("p", { class: "quiet" }, refusal)
      : h("p", { class: "quiet" }, "Requests go to ", h("code", {}, api.server)),
    output,
  )
}

function showFailure(output: HTMLElement, error: unknown): void {
  output.replaceChildren(h("p", { class: "failure" }, (error as Error).message))
}

/**
 * Returns the listener for the form. The first click sends the request, and a second click stops it. Errors are shown
 * in `output`.
 */
function createSubmitHandler(
  button: HTMLElement,
  output: HTMLElement,
  run: (signal: AbortSignal) => Promise<void>,
): (event: SubmitEvent) => Promise<void> {
  let controller: AbortController | undefined
  return async (event) => {
    event.preventDefault()
    if (controller) return controller.abort()
    controller = new AbortController()
    button.textContent = "Stop"
    try {
      await run(controller.signal)
    } catch (error) {
      if (controller.signal.aborted) output.append(h("p", { class: "quiet" }, "Stopped."))
      else showFailure(output, error)
    } finally {
      controller = undefined
      button.textContent = "Send"
    }
  }
}

/** Returns the values that the user has entered for the path, the query, the headers or the cookies, by name. */
function collectEntered(
  place: Parameter["in"],
  { parameters }: Operation,
  entered: ReadonlyMap<string, string>,
): Record<string, string | string[]> {
  const enteredParameters = parameters.filter((one) => one.in === place && entered.get(`${place} ${one.name}`))
  return Object.fromEntries(
    enteredParameters.map((one) => {
      const values = splitQueryValues(one, entered.get(`${place} ${one.name}`) ?? "")
      return [one.name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}

function createCookieNote(): Child {
  const names = listCookieNames()
  if (names.length === 0) return null
  const forget = (event: Event) => {
    clearCookies()
    ;(event.currentTarget as HTMLElement).remove()
  }
  return h("button", { type: "button", class: "plain", onclick: forget }, `Delete cookies: ${names.join(", ")}`)
}

function createParameterFields(api: Api, { parameters }: Operation, entered: Map<string, string>): Child {
  if (parameters.length === 0) return null
  return h(
    "fieldset",
    {},
    h("legend", {}, "Parameters"),
    parameters.map((one) => createField(api, one, entered)),
  )
}

function createField(api: Api, parameter: Parameter, entered: Map<string, string>): HTMLElement {
  const { name, in: place, required, schema = {} } = parameter
  const key = `${place} ${name}`
  const resolvedSchema = api.resolve(schema)
  const keep = (event: Event) => entered.set(key, (event.target as HTMLInputElement).value)
  if (!entered.has(key) && place === "path") entered.set(key, createPathExample(api, parameter))
  const value = entered.get(key) ?? ""
  const attributes = { name: key, oninput: keep, required: required && place === "path", autocomplete: "off" }
  const choices = resolvedSchema.enum ?? (resolvedSchema.type === "boolean" ? [true, false] : undefined)
  const input = choices
    ? h(
        "select",
        attributes,
        h("option", { value: "" }),
        choices.map((one) => h("option", { value: String(one), selected: value === String(one) }, String(one))),
      )
    : h("input", {
        ...attributes,
        value,
        placeholder: resolvedSchema.default === undefined ? null : String(resolvedSchema.default),
      })
  const about = `${place}${required ? "" : ", optional"}`
  const label = h(
    "span",
    {},
    h("code", {}, name),
    " ",
    h("span", { class: "quiet" }, `${formatTypeName(schema)}, ${about}`),
  )
  return h("div", { class: "field" }, h("label", {}, label, input))
}

function createPathExample(api: Api, { schema, example }: Parameter): string {
  const value = example ?? createExample(api, schema)
  return value === "text" || value === null || value === undefined ? "1" : String(value)
}
