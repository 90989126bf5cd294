/** Turns the fields of a form or a query into one object, and validates it. */
import type { Issue } from "../errors.ts"
import type { SchemaResult, StandardSchema } from "./schema.ts"

/** The values under each name, in the order in which they were sent. */
export type SentFields = ReadonlyMap<string, readonly FieldEntry[]>

/** One value of a field. */
type FieldEntry = string | File

type FieldValue = FieldEntry | readonly FieldEntry[]

/** Groups the entries of a form or a query by name. */
export function groupFields(entries: Iterable<[string, FieldEntry]>): SentFields {
  const fields = new Map<string, FieldEntry[]>()
  for (const [name, value] of entries) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return fields
}

/**
 * Validates fields. A form carries less information than JSON: an empty input may mean an empty text or no value, and
 * if one of several boxes is checked, it is sent like a single value. So the schema decides, as far as possible:
 *
 * - An empty field is missing. If the schema refuses that, it is `""`, or an empty file.
 * - A name that was sent once is one value. If the schema refuses that, it is a list with one item.
 * - A name that was sent several times is a list.
 */
export async function validateFields<Output>(
  schema: StandardSchema<Output>,
  sent: SentFields,
): Promise<SchemaResult<Output>> {
  // The validators that fw makes from types decide themselves between a text, a list and a missing value.
  if (schema["~standard"].vendor === "fw") return schema["~standard"].validate(toSentValues(sent))
  const firstResult = await schema["~standard"].validate(toValues(sent, new Set()))
  if (!firstResult.issues) return firstResult
  const refusedNames = new Set(firstResult.issues.map(getIssueField).filter((name) => sent.get(name)?.length === 1))
  if (refusedNames.size === 0) return firstResult
  const secondResult = await schema["~standard"].validate(toValues(sent, refusedNames))
  if (!secondResult.issues) return secondResult
  // If the schema refuses a field as a list too, the value is passed as it was sent, so that the issues are about that.
  const finallyRefusedNames = new Set(secondResult.issues.map(getIssueField))
  const keptNames = new Set(
    [...refusedNames].filter((name) => isEmptyField(sent.get(name)?.[0]) || !finallyRefusedNames.has(name)),
  )
  return keptNames.size === refusedNames.size ? secondResult : schema["~standard"].validate(toValues(sent, keptNames))
}

/** Returns all values as they were sent, including empty ones. */
function toSentValues(sent: SentFields): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = Object.create(null)
  for (const [name, entries] of sent) values[name] = entries.length > 1 ? entries : (entries[0] as FieldEntry)
  return values
}

/** Returns the values for a schema. @param refusedNames names whose single or missing value the schema has refused. */
function toValues(sent: SentFields, refusedNames: ReadonlySet<string>): Record<string, FieldValue> {
  // Without a prototype, a field with the name `__proto__` is like any other.
  const values: Record<string, FieldValue> = Object.create(null)
  for (const [name, entries] of sent) {
    const [value] = entries
    if (value === undefined) continue
    if (entries.length > 1) values[name] = entries
    else if (!isEmptyField(value)) values[name] = refusedNames.has(name) ? entries : value
    else if (refusedNames.has(name)) values[name] = value
  }
  return values
}

/**
 * Returns true if an input was left empty. For an empty file input, browsers send a file without a name and without
 * bytes.
 */
export function isEmptyField(value: FieldEntry | undefined): boolean {
  if (value === undefined || typeof value === "string") return !value
  return value.name === "" && value.size === 0
}

/** Returns the field that an issue is about; `""` if it is about the whole form. */
export function getIssueField({ path }: Issue): string {
  const key = path?.[0]
  return String(typeof key === "object" ? key.key : (key ?? ""))
}
