/** The specs of `fw jobs` and `fw task`. */
import { defineSpec } from "../cli/spec.ts"
import { appDirFlag } from "./flags.ts"

const state = { type: "string", values: ["waiting", "running", "failed"], description: "Only these" } as const
const appDir = { "app-dir": appDirFlag } as const
const payload = { name: "payload", description: "The payload as JSON. Default: none", optional: true } as const
const name = { name: "name", description: "The job, such as mail/welcome" } as const

export const list = defineSpec({
  summary: "Count the jobs, or list those of a name or a state",
  arguments: [{ ...name, optional: true }],
  flags: { state, ...appDir },
  examples: ["fw jobs list", "fw jobs list mail/welcome --state failed"],
})

export const show = defineSpec({
  summary: "Show a job: its payload, its progress, and the error of its last attempt",
  arguments: [{ name: "id", description: "The number of the job" }],
  flags: appDir,
})

export const add = defineSpec({
  summary: "Add a job",
  arguments: [name, payload],
  flags: {
    delay: { type: "string", value: "seconds", description: "Seconds before which it does not run" },
    ...appDir,
  },
  examples: [`fw jobs add mail/welcome '{"email":"ada@shop.example"}'`],
})

export const retry = defineSpec({
  summary: "Run failed jobs again, with all their attempts",
  arguments: [{ name: "id", description: "The number of the job. Default: all that have failed", optional: true }],
  flags: appDir,
})

export const pause = defineSpec({
  summary: "Start no more jobs of a name, in all processes",
  arguments: [name],
  flags: appDir,
})

export const resume = defineSpec({ summary: "Start the jobs of a paused name again", arguments: [name], flags: appDir })

export const clear = defineSpec({
  summary: "Remove jobs that do not run",
  arguments: [{ ...name, optional: true }],
  flags: { ...appDir, state, id: { type: "string", value: "id", description: "Only the job with this number" } },
  examples: ["fw jobs clear --state failed"],
})

export const schedule = defineSpec({ summary: "Show the next ten times of all schedules", flags: appDir })

export const task = defineSpec({
  summary: "Run a job now, in the foreground, without adding it",
  description: "For one-off work. The exit code is 1 if the job fails. It is not tried again.",
  arguments: [name, payload],
  flags: appDir,
  examples: ["fw task reports/nightly"],
})
