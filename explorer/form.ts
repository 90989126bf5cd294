/** The form that sends a request to an operation. */

import { bodyField } from "./body.ts"
import { clearCookies, cookieNames, credentialsView, proofFor } from "./credentials.ts"
import type { Api, Operation, Parameter } from "./document.ts"
import { type Child, h } from "./dom.ts"
import { exampleOf } from "./example.ts"
import { send } from "./relay.ts"
import { queryValues, requestOf } from "./request.ts"
import { showResponse } from "./response.ts"
import { type Sample, samples } from "./samples.ts"
import { typeName } from "./schema.ts"

/** Entered values are kept while another operation is shown. */
const kept = new Map<string, Map<string, string>>()

/**
 * Returns the form.
 *
 * @param refusal reason why requests cannot be sent, or null.
 */
export function requestForm(api: Api, operation: Operation, refusal: string | null): HTMLElement {
  const entered = kept.get(operation.id) ?? new Map<string, string>()
  kept.set(operation.id, entered)
  const body = bodyField(api, operation)
  const output = h("div", { class: "response", "aria-live": "polite" })
  const request = async () =>
    requestOf(operation, entered, body ? await body.read() : null, proofFor(api, operation))
  const button = h("button", { type: "submit", class: "send", disabled: refusal !== null }, "Send")
  const submit = sender(button, output, async (signal) => {
    await showResponse(output, await send(await request(), signal), { api, operation })
  })
  const copy = async ({ name, write }: Sample) => {
    const parameters = {
      path: enteredIn("path", operation, entered),
      query: enteredIn("query", operation, entered),
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
    credentialsView(api, operation),
    parameterFields(api, operation, entered),
    body?.element,
    h(
      "div",
      { class: "row" },
      button,
      samples.map((sample) =>
        h("button", { type: "button", onclick: () => copy(sample) }, `As ${sample.name}`),
      ),
      cookieNote(),
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

/** Returns what submits the form: the first click sends, the second stops it. Errors are shown in `output`. */
function sender(
  button: HTMLElement,
  output: HTMLElement,
  run: (signal: AbortSignal) => Promise<void>,
): (event: SubmitEvent) => Promise<void> {
  let running: AbortController | undefined
  return async (event) => {
    event.preventDefault()
    if (running) return running.abort()
    running = new AbortController()
    button.textContent = "Stop"
    try {
      await run(running.signal)
    } catch (error) {
      if (running.signal.aborted) output.append(h("p", { class: "quiet" }, "Stopped."))
      else showFailure(output, error)
    } finally {
      running = undefined
      button.textContent = "Send"
    }
  }
}

/** Returns the values that were entered for the parameters of one place, by name. */
function enteredIn(
  place: Parameter["in"],
  { parameters }: Operation,
  entered: ReadonlyMap<string, string>,
): Record<string, string | string[]> {
  const given = parameters.filter((one) => one.in === place && entered.get(`${place} ${one.name}`))
  return Object.fromEntries(
    given.map((one) => {
      const values = queryValues(one, entered.get(`${place} ${one.name}`) ?? "")
      return [one.name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}

function cookieNote(): Child {
  const names = cookieNames()
  if (names.length === 0) return null
  const forget = (event: Event) => {
    clearCookies()
    ;(event.currentTarget as HTMLElement).remove()
  }
  return h(
    "button",
    { type: "button", class: "plain", onclick: forget },
    `Delete cookies: ${names.join(", ")}`,
  )
}

function parameterFields(api: Api, { parameters }: Operation, entered: Map<string, string>): Child {
  if (parameters.length === 0) return null
  return h(
    "fieldset",
    {},
    h("legend", {}, "Parameters"),
    parameters.map((one) => field(api, one, entered)),
  )
}

function field(api: Api, parameter: Parameter, entered: Map<string, string>): HTMLElement {
  const { name, in: place, required, schema = {} } = parameter
  const key = `${place} ${name}`
  const whole = api.resolve(schema)
  const keep = (event: Event) => entered.set(key, (event.target as HTMLInputElement).value)
  if (!entered.has(key) && place === "path") entered.set(key, pathExample(api, parameter))
  const value = entered.get(key) ?? ""
  const attributes = { name: key, oninput: keep, required: required && place === "path", autocomplete: "off" }
  const choices = whole.enum ?? (whole.type === "boolean" ? [true, false] : undefined)
  const input = choices
    ? h(
        "select",
        attributes,
        h("option", { value: "" }),
        choices.map((one) =>
          h("option", { value: String(one), selected: value === String(one) }, String(one)),
        ),
      )
    : h("input", {
        ...attributes,
        value,
        placeholder: whole.default === undefined ? null : String(whole.default),
      })
  const about = `${place}${required ? "" : ", optional"}`
  const label = h(
    "span",
    {},
    h("code", {}, name),
    " ",
    h("span", { class: "quiet" }, `${typeName(schema)}, ${about}`),
  )
  return h("div", { class: "field" }, h("label", {}, label, input))
}

function pathExample(api: Api, { schema, example }: Parameter): string {
  const value = example ?? exampleOf(api, schema)
  return value === "text" || value === null || value === undefined ? "1" : String(value)
}
