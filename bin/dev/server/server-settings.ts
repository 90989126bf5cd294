/** Creates the settings of the server processes of a session. */
import type { Io } from "../../cli/terminal.ts"
import { createServerEnv, type Project } from "../../project/project.ts"
import type { BackgroundWork } from "../background-work.ts"
import type { Upstream } from "../pass-request.ts"
import type { Reporter } from "../problems/reporter.ts"
import type { KeptRequests } from "../requests/kept-requests.ts"
import { createChildTerminal } from "./child-terminal.ts"
import type { ServerSettings } from "./server-process.ts"

/** The parts of a session that its server processes use. */
export interface SessionParts {
  readonly project: Project
  readonly io: Io
  readonly reporter: Reporter
  readonly background: BackgroundWork
  readonly requests: KeptRequests
  /** Returns the server that answers requests at the moment. */
  readonly current: () => Upstream | undefined
}

/**
 * Returns the settings for the next process. Environment variables may change, so each process has its own settings.
 *
 * @param port the port of `fw dev`.
 */
export function createServerSettings(
  { project, io, reporter, background, requests, current }: SessionParts,
  port: number,
): ServerSettings {
  return {
    root: project.root,
    ...createChildTerminal(io, { ...createServerEnv(project, io.env), PORT: String(port) }),
    write: (stream, text) => reporter.writeOutput(stream, text),
    onBug: (problem, pages, request = 0) => {
      requests.find(request)?.errors.push(problem)
      reporter.showBug(problem, pages)
    },
    onCalls: (file, known) => background.readCalls(file, known),
    onAnswer: async (answer, from, request = 0) => {
      const findings = await background.checkAnswer(answer, current() === from)
      const stored = requests.find(request)
      if (findings && stored) stored.findings = findings
    },
    onTrace: ({ request, part, count, pattern }) => {
      const stored = requests.find(request)
      if (!stored) return
      if (part) stored.parts.push(part)
      stored.count = count
      stored.pattern ??= pattern
    },
    onWarning: reporter.addProgramWarning.bind(reporter),
  }
}
