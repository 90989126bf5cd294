/** Generates `.fw/jobs.ts`: the object `jobs`, whose types contain the payload of every job file. */
import { getModuleFile, type RouteTree } from "../../lib/tree.ts"
import { generatedHeader, quote } from "./generated-text.ts"

/** The module that exports `jobs`, relative to the project. */
export const jobsFile = ".fw/jobs.ts"

/**
 * Returns the text of `.fw/jobs.ts`; undefined for a project without job files. The module imports only types, so
 * it loads no job file.
 */
export function renderJobsModule({ jobs }: RouteTree): string | undefined {
  if (!jobs) return undefined
  const imports = jobs.map(
    ({ file }, i) => `import type { Job as Job${i} } from ${quote(`../${getModuleFile(file)}`)}\n`,
  )
  const rows = jobs.map(({ name }, i) => `  readonly ${quote(name)}: PayloadOf<typeof Job${i}>\n`)
  return `${generatedHeader}import { createJobs, type Jobs, type PayloadOf } from "fw/jobs"
${imports.join("")}
/** The payload of each job, by its name. */
export interface JobPayloads {
${rows.join("")}}

/** Adds jobs. */
export const jobs: Jobs<JobPayloads> = createJobs()
`
}
