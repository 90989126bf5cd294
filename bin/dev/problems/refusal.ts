/** Explains a 4xx answer of the program, for the page that shows it or whose script requested it. */

import type { HttpError, Issue } from "../../../lib/errors.ts"
import { isEmptyField, type SentFields } from "../../../lib/request/fields.ts"
import { isSecretField } from "../../../lib/request/forms.ts"
import { formatIssue } from "../../../lib/request/schema.ts"
import { shortenText } from "../../../lib/text.ts"
import { findOwnFrame, type Problem } from "../../project/problems.ts"
import { type BugProblems, formatRequest } from "./bug-problems.ts"
import type { ErrorViewer, FailedRequest } from "./request-errors.ts"

/**
 * Statuses that the developer probably did not want. Other statuses, such as 401, are mostly meant for the user.
 */
const explainedStatuses: ReadonlySet<number> = new Set([400, 403, 404, 405, 413, 415])
/** The largest number of fields to list, and the longest value to show, in characters. */
const maxFields = 12
const maxValueLength = 40
/** The longest explanation, in characters. It is sent in a header, and Node accepts 16 kB for all headers together. */
const maxNoteLength = 6000

const readFormFix =
  "A page shows the form again with such messages if the route calls c.readForm() in place of c.bindForm(): docs/reference/forms.md."

/** Returns the function that explains refusals of the program. */
export function createRefusalExplainer(root: string, bugs: BugProblems): ErrorViewer["explain"] {
  return (error, request, data) => {
    if (!explainedStatuses.has(error.status)) return ""
    const location = findOwnFrame(root, error.stack ?? "")
    const shortProblem = toRefusalProblem(error, request, data)
    const problem = location ? bugs.toProblemAt(location, shortProblem) : shortProblem
    const text = encodeURIComponent(JSON.stringify(problem))
    if (text.length <= maxNoteLength) return text
    const { frame: _, ...problemWithoutFrame } = problem
    const message = problemWithoutFrame.message.slice(0, maxNoteLength / 12)
    return encodeURIComponent(JSON.stringify({ ...problemWithoutFrame, message }))
  }
}

/** Returns a refusal as a problem without a position. */
export function toRefusalProblem(error: HttpError, request: FailedRequest, data: unknown): Problem {
  const { status, message, issues = [] } = error
  const fields = issues.slice(0, maxFields).map((issue) => describeIssue(issue, data))
  const rest = issues.length > maxFields ? [`… and ${issues.length - maxFields} more`] : []
  const sentFields = data instanceof Map ? [formatSentFields(data)] : []
  const fix = findFix(error, data)
  return {
    message: [`${status}: ${message}`, ...fields, ...rest, ...sentFields].join("\n"),
    ...(fix && { fix }),
    request: formatRequest(request),
  }
}

/** Returns an issue of the validation, with the value that it is about. */
function describeIssue({ message, path = [] }: Issue, data: unknown): string {
  if (path.length === 0) return message
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part))
  return `${formatIssue({ message, path })}. ${formatValue(keys, data)}`.trimEnd()
}

function formatValue(keys: readonly string[], data: unknown): string {
  let value: unknown = data
  for (const [at, key] of keys.entries()) {
    if (at === 0 && data instanceof Map) value = findField(data, key)
    else if (Array.isArray(value) || (typeof value === "object" && value !== null))
      value = (value as Record<string, unknown>)[key]
    else if (at === 0) return ""
  }
  if (value === undefined) return "It was not sent."
  if (value === "") return "It was sent empty."
  // Passwords are not shown, even to the developer, who may share a screenshot of the page.
  if (keys.some(isSecretField)) return ""
  if (value instanceof File) return `It was the file ${JSON.stringify(value.name)}.`
  const text = JSON.stringify(value) ?? ""
  return `It was ${shortenText(text, maxValueLength)}.`
}

/** Returns the value of a field, or a list if the field was sent several times. */
function findField(sent: SentFields, name: string): unknown {
  const values = sent.get(name)
  const [first] = values ?? []
  if (values && values.length > 1) return values
  return first !== undefined && isEmptyField(first) ? "" : first
}

function formatSentFields(sent: SentFields): string {
  const names = [...sent.keys()].slice(0, maxFields)
  return names.length === 0 ? "No field was sent." : `Sent fields: ${names.join(", ")}.`
}

/** Fixes for bodies that have another content type than the handler expects. */
const bodyFixes: readonly (readonly [messagePattern: RegExp, fix: string])[] = [
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

function findFix({ message, issues = [] }: HttpError, data: unknown): string {
  const body = bodyFixes.find(([messagePattern]) => messagePattern.test(message))
  if (body) return body[1]
  if (!(data instanceof Map)) return ""
  const missing = issues
    .map(({ path: [first] = [] }) => String(typeof first === "object" ? first.key : (first ?? "")))
    .find((name) => name !== "" && !data.has(name))
  const isForm = message === "the form is not valid"
  const nameFix = isForm && missing ? `A browser sends only fields that have a name: <input name="${missing}">. ` : ""
  return `${nameFix}${isForm ? readFormFix : ""}`
}
