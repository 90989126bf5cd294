/** The fields of a form or a query as one object, and the result of a schema for it. */
import type { Issue } from "../errors.ts"
import type { SchemaResult, StandardSchema } from "./schema.ts"

/** The values that were sent under each name, in the order in which they came. */
export type SentFields = ReadonlyMap<string, readonly FieldEntry[]>

/** A value that a form has under a name. */
type FieldEntry = string | File

type FieldValue = FieldEntry | readonly FieldEntry[]

/** Groups the entries of a form or a query by name. */
export function groupFields(entries: Iterable<[string, FieldEntry]>): SentFields {
  const sent = new Map<string, FieldEntry[]>()
  for (const [name, value] of entries) {
    const values = sent.get(name)
    if (values) values.push(value)
    else sent.set(name, [value])
  }
  return sent
}

/**
 * Validates fields. A form carries less information than JSON: an empty input may be an empty text or no value, and one
 * checked box of several is sent like a single value. So the schema decides, as far as possible:
 *
 * - a field that was left empty is absent; where the schema refuses that, a text is `""`, and a file is an empty file.
 * - a name that was sent once is one value; where the schema refuses that, it is a list of one.
 * - a name that was sent several times is a list.
 */
export async function validateFields<Output>(
  schema: StandardSchema<Output>,
  sent: SentFields,
): Promise<SchemaResult<Output>> {
  // A validator that fw made of a type knows where text, a list or nothing is wanted.
  if (schema["~standard"].vendor === "fw") return schema["~standard"].validate(toSentValues(sent))
  const first = await schema["~standard"].validate(toValues(sent, new Set()))
  if (!first.issues) return first
  const refusedNames = new Set(first.issues.map(getIssueField).filter((name) => sent.get(name)?.length === 1))
  if (refusedNames.size === 0) return first
  const second = await schema["~standard"].validate(toValues(sent, refusedNames))
  if (!second.issues) return second
  // If the field is still refused as a list, the list did not help: the issues must be about what was sent.
  const stillRefused = new Set(second.issues.map(getIssueField))
  const keptNames = new Set(
    [...refusedNames].filter((name) => isEmptyField(sent.get(name)?.[0]) || !stillRefused.has(name)),
  )
  return keptNames.size === refusedNames.size ? second : schema["~standard"].validate(toValues(sent, keptNames))
}

/** Returns every value as it was sent, also empty ones. */
function toSentValues(sent: SentFields): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = Object.create(null)
  for (const [name, given] of sent) values[name] = given.length > 1 ? given : (given[0] as FieldEntry)
  return values
}

/** @param refused names whose plain values the schema refused. */
function toValues(sent: SentFields, refused: ReadonlySet<string>): Record<string, FieldValue> {
  // Without a prototype, a field that is named `__proto__` is a field like any other.
  const values: Record<string, FieldValue> = Object.create(null)
  for (const [name, given] of sent) {
    const [value] = given
    if (value === undefined) continue
    if (given.length > 1) values[name] = given
    else if (!isEmptyField(value)) values[name] = refused.has(name) ? given : value
    else if (refused.has(name)) values[name] = value
  }
  return values
}

/** Returns true if an input was left empty. A file input without a file sends one without name and bytes. */
export function isEmptyField(value: FieldEntry | undefined): boolean {
  if (value === undefined || typeof value === "string") return !value
  return value.name === "" && value.size === 0
}

/** The field that an issue is about; `""` for one about the form as a whole. */
export function getIssueField({ path }: Issue): string {
  const key = path?.[0]
  return String(typeof key === "object" ? key.key : (key ?? ""))
}
