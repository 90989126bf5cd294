/** Converts payloads of jobs to JSON and back, and validates them against the type that `Job()` takes. */
import { getDevHooks } from "../dev/hooks.ts"
import { formatIssue } from "../request/schema.ts"
import type { JobDefinition } from "./definition.ts"
import { jobFault } from "./fault.ts"

/** Maximum size of a payload. */
const maxPayloadBytes = 1_000_000
/** Maximum number of problems in a message. */
const maxIssues = 3

/**
 * Returns a payload as JSON; an empty text if there is none. @throws FwError `job_payload` if it does not fit its type.
 */
export async function writePayload(definition: JobDefinition, payload: unknown): Promise<string> {
  const { name } = definition
  let text: string | undefined
  try {
    text = payload === undefined ? "" : JSON.stringify(payload)
  } catch (error) {
    throw jobFault("job_payload.json", [name, (error as Error).message], { cause: error })
  }
  if (text === undefined) throw jobFault("job_payload.json", [name, `it is a ${typeof payload}`])
  // UTF-8 needs at most four bytes per character. Only a text that may be too long is encoded to count its bytes.
  const bytes = text.length * 4 > maxPayloadBytes ? new TextEncoder().encode(text).length : text.length
  if (bytes > maxPayloadBytes) throw jobFault("job_payload.large", [name, bytes, maxPayloadBytes])
  await readPayload(definition, text)
  return text
}

/** Returns the payload for a job's function. @throws FwError `job_payload` if it does not fit its type. */
export async function readPayload(definition: JobDefinition, text: string): Promise<unknown> {
  const payload: unknown = text === "" ? undefined : JSON.parse(text)
  const schema = definition.schema ?? (await getDevHooks()?.findPayloadValidator?.(definition.file))
  if (!schema) return payload
  const result = await schema["~standard"].validate(payload === undefined ? {} : { payload })
  if (!result.issues) return (result.value as { readonly payload?: unknown }).payload
  // The paths begin with `payload`.
  const issues = result.issues
    .slice(0, maxIssues)
    .map(({ message, path }) => formatIssue({ message, path: path?.slice(1) }))
  throw jobFault("job_payload", [definition.name, issues.join("; ")])
}
