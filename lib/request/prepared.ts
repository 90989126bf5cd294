/**
 * Schemas for calls without one: `c.bind<Task>()` is checked against `Task` in a program that fw has prepared. `fw build` and
 * `fw test` pass a validator to the call itself; a server process of `fw dev` sets a finder. In other programs nothing is checked.
 */
import { misuse } from "../fault.ts"
import type { StandardSchema } from "./schema.ts"

/**
 * Finds the validator of the call that runs, by its stack: it is called before anything is awaited.
 *
 * @param call such as `c.bind()`.
 * @returns a promise of it, which rejects if the types cannot be read; of undefined if the call's type accepts any JSON.
 */
export type ValidatorFinder = (call: string) => Promise<StandardSchema | undefined>

/** Shared by every copy of fw in the process, because the command's copy may differ from the project's. */
const key: unique symbol = Symbol.for("fw.validators")

type Holder = { [key]?: ValidatorFinder }

/** Sets the finder; undefined removes it. */
export function findValidators(finder: ValidatorFinder | undefined): void {
  const scope = globalThis as Holder
  if (finder) scope[key] = finder
  else delete scope[key]
}

let hasWarned = false

/**
 * Returns the validator of a call of `c.bind()`. Without one the body is only parsed, which is reported once.
 */
export function preparedSchema(call: string): Promise<StandardSchema | undefined> | undefined {
  const finder = (globalThis as Holder)[key]
  if (finder) return finder(call)
  if (!hasWarned) console.warn(`fw: ${misuse("unprepared", call).message}`)
  hasWarned = true
  return undefined
}

/** Returns the validator of a call that reads fields. @throws TypeError without one: each field would be text. */
export async function requiredSchema(call: string): Promise<StandardSchema> {
  const finder = (globalThis as Holder)[key]
  const schema = await finder?.(call)
  if (!schema) throw misuse("unprepared.fields", call)
  return schema
}
