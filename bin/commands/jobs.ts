/** The commands `fw jobs …` and `fw task`, which start the project's program with the same arguments. */
import { formatJobs, type JobResult } from "../../adapters/jobs/program.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import type { CommandModule } from "../cli/spec.ts"
import { runProgramCommand } from "../dev/program-command.ts"
import { writeGenerated } from "../generate/generated.ts"
import { removeForeignFrames } from "../project/problems.ts"
import { createSourcePlugins } from "../validators/plugin.ts"

/** The arguments and flags of all these commands. */
interface Options {
  readonly name?: string | undefined
  readonly id?: string | undefined
  readonly payload?: string | undefined
  readonly state?: string | undefined
  readonly delay?: string | undefined
  readonly appDir: string
}

/**
 * Returns a command that starts the program.
 *
 * @param words the name of the command in the program.
 * @param positionals the options that are positional arguments there.
 */
export function createJobCommand(
  words: readonly string[],
  positionals: readonly ("name" | "id" | "payload")[] = [],
): CommandModule<Options, JobResult> {
  return {
    async run({ appDir, ...options }, io) {
      const { cwd } = io
      const project = { root: cwd, appDir }
      const { tree, calls } = await writeGenerated(project)
      if (!tree.jobs) throw jobFault("job_name.none")
      const values = positionals.map((key) => options[key]).filter((value) => value !== undefined)
      const flags = (["state", "delay", "id"] as const)
        .filter((key) => options[key] !== undefined && !positionals.includes(key as "id"))
        .map((key) => `--${key}=${options[key]}`)
      const args = [...words, "--json", ...flags, "--", ...values]
      const plugins = createSourcePlugins({ root: cwd, calls: calls.files })
      const command = { entry: ".fw/entry.node.ts", args, name: "the program", plugins }
      const say = (line: string) => io.stderr.write(`${line}\n`)
      const result = await runProgramCommand<JobResult>(project, command, io, say, ({ code, message, fix, at }) =>
        jobFault("job_command.answer", [message, fix], { code: code as never, ...(at && { at }) }),
      )
      const jobs = result.jobs?.map((job) => ({ ...job, error: job.error && removeForeignFrames(cwd, job.error) }))
      return { ...result, ...(jobs && { jobs }) }
    },
    print: formatJobs,
  }
}
