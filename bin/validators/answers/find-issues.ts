/** Checks a value against the types of an answer, with the same validators as for requests. */

import type { StandardSchema } from "../../../lib/request/schema.ts"
import type { NamedType, TypeData } from "../../openapi/document/model.ts"
import { createValidator } from "../validator.ts"
import { writeValidators } from "../write-validators.ts"
import { listPlainTypes, type PlainType } from "./wire-types.ts"

/** A part of a value that does not match. */
export interface AnswerIssue {
  /** How it differs: `expected a string, got null`. The value itself is not shown. */
  readonly message: string
  readonly path: readonly unknown[]
}

type Validate = (value: unknown) => { readonly issues?: readonly AnswerIssue[] | undefined }

/** The largest number of validators to store. */
const maxValidators = 1000
/** The validators of this process by name. A name depends only on the structure of the type. */
const validatorCache = new Map<string, Promise<Validate>>()

/**
 * Returns the issues of a value; none if it matches one of the types. Otherwise, the issues of the type that is
 * nearest to the value.
 *
 * @param named the named types. They and `types` are types of JSON, see toWireType().
 */
export async function findIssues(
  value: unknown,
  types: readonly TypeData[],
  named: readonly NamedType[],
): Promise<readonly AnswerIssue[]> {
  const byID = new Map(named.map(({ id, type }) => [id, type]))
  const members = groupTypes(listPlainTypes(types, byID))
  const found: (readonly AnswerIssue[])[] = []
  for (const type of members.length > 0 ? members : types) {
    const validate = await findValidator(type, named)
    const { issues = [] } = validate(value)
    if (issues.length === 0) return []
    found.push(issues)
  }
  return found.sort((a, b) => measureDistance(a) - measureDistance(b))[0] ?? []
}

/**
 * Returns each object, list and tuple type separately, and all other types as one union, whose message is `expected
 * "a" or "b"`.
 */
function groupTypes(types: readonly PlainType[]): TypeData[] {
  const leaves = types.filter(({ kind }) => !["object", "array", "tuple"].includes(kind))
  const others = types.filter((type) => !leaves.includes(type))
  return leaves.length === 0 ? others : [...others, { kind: "union", members: leaves }]
}

/** Returns how far a value is from a type. If the value is of another kind, it is farthest. */
function measureDistance(issues: readonly AnswerIssue[]): number {
  return issues.length + (issues.some(({ path }) => path.length === 0) ? 1000 : 0)
}

function findValidator(type: TypeData, named: readonly NamedType[]): Promise<Validate> {
  const validator = createValidator(type, "json", named)
  const known = validatorCache.get(validator.name)
  if (known) return known
  const [oldest] = validatorCache.keys()
  if (validatorCache.size >= maxValidators && oldest !== undefined) validatorCache.delete(oldest)
  const validate = loadValidator(validator.name, writeValidators([validator]))
  validatorCache.set(validator.name, validate)
  return validate
}

async function loadValidator(name: string, code: string): Promise<Validate> {
  const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`
  const module = (await import(url)) as Readonly<Record<string, StandardSchema>>
  const { validate } = (module[name] as StandardSchema)["~standard"]
  return (value) => validate(value) as ReturnType<Validate>
}
