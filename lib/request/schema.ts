/**
 * The part of Standard Schema v1 that `c.bind(schema)` uses. Every library that implements it works: zod, valibot,
 * arktype and others.
 */
import { getDevHooks } from "../dev/hooks.ts"
import { HttpError, type Issue } from "../errors.ts"
import { describeType, shortenText } from "../text.ts"
import { channels } from "../trace/operations.ts"

/**
 * A schema of any library that implements Standard Schema v1.
 *
 * @example
 * const name: StandardSchema<string> = {
 *   "~standard": {
 *     version: 1,
 *     vendor: "shop",
 *     validate: (value) => (typeof value === "string" ? { value } : { issues: [{ message: "not a string" }] }),
 *   },
 * }
 * app.post("/name", async (c) => c.string(200, await c.bind(name)))
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** The result of validating a value. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/**
 * Checks that a value implements Standard Schema v1. @throws TypeError if it does not, as the schemas of older
 * libraries.
 */
export function checkSchema(schema: unknown, call = "c.bind()"): asserts schema is StandardSchema {
  const standard = (schema as Partial<StandardSchema> | null)?.["~standard"]
  if (typeof standard?.validate !== "function")
    throw new TypeError(
      `${call} takes a schema that follows Standard Schema v1 (Zod 3.24, Valibot 1, ArkType 2 or later), not ${describeType(schema)}`,
    )
}

function runSchema<Output>(schema: StandardSchema<Output>, value: unknown) {
  return schema["~standard"].validate(value)
}

/** Validates the body of a request. @throws HttpError 400 with the `issues` that the schema has found. */
export async function validate<Output>(schema: StandardSchema<Output>, value: unknown): Promise<Output> {
  const result = await watchValidation("body", runSchema, schema, value)
  if (!result.issues) return result.value
  throw createInvalidError("the body is not valid", result.issues, value)
}

/**
 * Validates a part of a request, and publishes the result for tracing.
 */
export function watchValidation<Data, Output>(
  part: "body" | "form" | "query",
  check: (schema: StandardSchema<Output>, data: Data) => SchemaResult<Output> | Promise<SchemaResult<Output>>,
  schema: StandardSchema<Output>,
  data: Data,
): SchemaResult<Output> | Promise<SchemaResult<Output>> {
  return channels.validation.isWatched ? traceValidation(part, check, schema, data) : check(schema, data)
}

function traceValidation<Data, Output>(
  ...[part, check, schema, data]: Parameters<typeof watchValidation<Data, Output>>
): Promise<SchemaResult<Output>> {
  return channels.validation.run(part, async (operation) => {
    const result = await check(schema, data)
    operation.issues = result.issues
    return result
  })
}

/**
 * Returns the error for data that a schema refused. The keys in its issues are plain, so that they can be sent as JSON.
 */
export function createInvalidError(message: string, issues: readonly Issue[], data: unknown): HttpError {
  const plainIssues = issues.map(({ message, path }) => (path ? { message, path: path.map(toPathKey) } : { message }))
  const error = new HttpError(400, message, { issues: plainIssues })
  getDevHooks()?.onInvalid?.(error, data)
  return error
}

/** Returns an issue as a line of text, such as `address.city: must not be empty`. */
export function formatIssue({ message, path = [] }: Issue): string {
  return path.length > 0 ? `${path.map((key) => String(toPathKey(key))).join(".")}: ${message}` : message
}

function toPathKey(key: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  const plain = typeof key === "object" ? key.key : key
  return typeof plain === "number" ? plain : shortenText(String(plain))
}
