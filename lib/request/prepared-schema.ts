/**
 * Finds the validators for calls without a schema. `c.bind<Task>()` is checked against `Task` if fw has prepared the
 * program: `fw build` and `fw test` pass the validator to the call itself, and `fw dev` sets a function that finds it.
 * In other programs nothing is checked.
 */
import { getDevHooks } from "../dev/hooks.ts"
import { misuse } from "../errors/fault.ts"
import type { StandardSchema } from "./schema.ts"

let hasWarned = false

/**
 * Returns the validator for a call of `c.bind()`. If there is none, the body is only parsed, and that is reported once.
 */
export function findPreparedSchema(call: string): Promise<StandardSchema | undefined> | undefined {
  const validatorPromise = getDevHooks()?.findValidator?.(call)
  if (validatorPromise) return validatorPromise
  if (!hasWarned) console.warn(`fw: ${misuse("unprepared", call).message}`)
  hasWarned = true
  return undefined
}

/**
 * Returns the validator for a call that reads fields. @throws TypeError if there is none, because then every field
 * would be text.
 */
export async function getRequiredSchema(call: string): Promise<StandardSchema> {
  const schema = await getDevHooks()?.findValidator?.(call)
  if (!schema) throw misuse("unprepared.fields", call)
  return schema
}
