/**
 * Schemas for calls without one: `c.bind<Task>()` is checked against `Task` in a program that fw has prepared. `fw build` and
 * `fw test` pass a validator to the call itself; a server process of `fw dev` sets a finder. In other programs nothing is checked.
 */
import { devHooks } from "../dev/hooks.ts"
import { misuse } from "../errors/fault.ts"
import type { StandardSchema } from "./schema.ts"

let hasWarned = false

/**
 * Returns the validator of a call of `c.bind()`. Without one the body is only parsed, which is reported once.
 */
export function findPreparedSchema(call: string): Promise<StandardSchema | undefined> | undefined {
  const found = devHooks()?.findValidator?.(call)
  if (found) return found
  if (!hasWarned) console.warn(`fw: ${misuse("unprepared", call).message}`)
  hasWarned = true
  return undefined
}

/** Returns the validator of a call that reads fields. @throws TypeError without one: each field would be text. */
export async function getRequiredSchema(call: string): Promise<StandardSchema> {
  const schema = await devHooks()?.findValidator?.(call)
  if (!schema) throw misuse("unprepared.fields", call)
  return schema
}
