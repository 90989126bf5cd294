/** The explanation of an answer of 400 to 499 of the program, for the page that shows it or whose script asked for it. */
import type { HttpError, Issue } from "../../lib/errors.ts"
import { isEmpty, type Sent } from "../../lib/request/fields.ts"
import { isSecret } from "../../lib/request/forms.ts"
import { ownFrame, type Problem } from "../project/problems.ts"
import { type Bugs, requestText } from "./bug.ts"
import type { ErrorViewer, FailedRequest } from "./request-errors.ts"

/** Statuses that are probably not what the developer of a page wants. With others, such as 401, programs answer people. */
const explained: ReadonlySet<number> = new Set([400, 403, 404, 405, 413, 415])
/** Most fields to list, and most characters of a value. */
const mostFields = 12
const longestValue = 40
/** Longest text of the header. Node accepts 16 kB of headers together. */
const longestNote = 6000

const readFormFix =
  "A page shows the form again with such messages if the route calls c.readForm() in place of c.bindForm(): docs/reference/forms.md."

/** Returns the function that explains a program's refusals. */
export function explainRefusals(root: string, bugs: Bugs): ErrorViewer["explain"] {
  return (error, request, given) => {
    if (!explained.has(error.status)) return ""
    const place = ownFrame(root, error.stack ?? "")
    const rest = refusalProblem(error, request, given)
    const problem = place ? bugs.at(place, rest) : rest
    const text = encodeURIComponent(JSON.stringify(problem))
    if (text.length <= longestNote) return text
    const { frame: _, ...short } = problem
    const message = short.message.slice(0, longestNote / 12)
    return encodeURIComponent(JSON.stringify({ ...short, message }))
  }
}

/** Returns the problem of a refusal, without its place. */
export function refusalProblem(error: HttpError, request: FailedRequest, given: unknown): Problem {
  const { status, message, issues = [] } = error
  const fields = issues.slice(0, mostFields).map((issue) => issueText(issue, given))
  const rest = issues.length > mostFields ? [`… and ${issues.length - mostFields} more`] : []
  const sent = given instanceof Map ? [sentText(given)] : []
  const fix = fixOf(error, given)
  return {
    message: [`${status}: ${message}`, ...fields, ...rest, ...sent].join("\n"),
    ...(fix && { fix }),
    request: requestText(request),
  }
}

/** Returns an issue, with the value that it is about. */
function issueText({ message, path = [] }: Issue, given: unknown): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part))
  if (keys.length === 0) return message
  return `${keys.join(".")}: ${message}. ${valueText(keys, given)}`.trimEnd()
}

function valueText(keys: readonly string[], given: unknown): string {
  let value: unknown = given
  for (const [at, key] of keys.entries()) {
    if (at === 0 && given instanceof Map) value = fieldOf(given, key)
    else if (Array.isArray(value) || (typeof value === "object" && value !== null))
      value = (value as Record<string, unknown>)[key]
    else if (at === 0) return ""
  }
  if (value === undefined) return "It was not sent."
  if (value === "") return "It was sent empty."
  // Passwords are not shown, also not to their developer, who may share a picture of the page.
  if (keys.some(isSecret)) return ""
  if (value instanceof File) return `It was the file ${JSON.stringify(value.name)}.`
  const text = JSON.stringify(value) ?? ""
  return `It was ${text.length > longestValue ? `${text.slice(0, longestValue)}…` : text}.`
}

/** Returns the value of a field, or all of them if it was sent several times. */
function fieldOf(sent: Sent, name: string): unknown {
  const values = sent.get(name)
  const [first] = values ?? []
  if (values && values.length > 1) return values
  return first !== undefined && isEmpty(first) ? "" : first
}

function sentText(sent: Sent): string {
  const names = [...sent.keys()].slice(0, mostFields)
  return names.length === 0 ? "No field was sent." : `Sent fields: ${names.join(", ")}.`
}

/** Fixes for bodies of another type than a reader expects. */
const bodyFixes: readonly (readonly [refused: RegExp, fix: string])[] = [
  [
    /^expected application\/json, got a body of (?:multipart|application\/x-www-form)/,
    "c.readForm() and c.bindForm() read a form.",
  ],
  [
    /^expected application\/json, got a body /,
    'A script says what it sends: fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) }).',
  ],
  [/got a body of application\/json/, "c.bind() reads JSON."],
]

function fixOf({ message, issues = [] }: HttpError, given: unknown): string {
  const body = bodyFixes.find(([refused]) => refused.test(message))
  if (body) return body[1]
  if (!(given instanceof Map)) return ""
  const missing = issues
    .map(({ path: [first] = [] }) => String(typeof first === "object" ? first.key : (first ?? "")))
    .find((name) => name !== "" && !given.has(name))
  const isForm = message === "the form is not valid"
  const name =
    isForm && missing ? `A browser sends only fields that have a name: <input name="${missing}">. ` : ""
  return `${name}${isForm ? readFormFix : ""}`
}
