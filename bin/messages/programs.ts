/** Messages about programs that a command runs: npm, git, esbuild, the executable builder. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"

export const programMessages = {
  git: (reason: string, name: string) => [
    reason,
    `Fix this, then commit the files that are staged:\n    ${formatCd(name)}git commit -m "Start"`,
  ],
  "git.missing": (name: string) => [
    "git is not installed, so the project has no repository",
    `Install git, then run:${formatCommit(name)}`,
  ],
  "git.repository": (reason: string, name: string) => [
    `the project has no repository: ${reason}`,
    `Fix this, then run:${formatCommit(name)}`,
  ],
  git_name: (name: string) => [
    "git does not know who you are, so nothing was committed",
    [
      "Set your name, then commit the files that are staged:",
      '  git config --global user.name "Your Name"',
      "  git config --global user.email you@example.com",
      `  ${formatCd(name)}git commit -m "Start"`,
    ].join("\n  "),
  ],
  program_failed: (name: string, how: string, output: string, advice?: string) => [
    `${name} ${how}${output && `:\n${output}`}`,
    advice ?? "Fix what it reports, then run this again.",
  ],
  program_missing: (name: string, advice?: string) => [
    `${name} is not installed, or not in PATH`,
    advice ?? `Install ${name}, or add its directory to PATH.`,
  ],
  program_start: (name: string, reason: string, program: string, advice?: string) => [
    `${name} does not start: ${reason}`,
    advice ?? `Check that ${program} is a program that this user may run.`,
  ],
  "program_start.directory": (name: string, directory: string) => [
    `${name} cannot run in ${directory}: there is no such directory`,
    "Create the directory, or run this in another one.",
  ],
  registry: () => [
    "npm is configured for a registry that is not an http or https URL",
    "Correct it. This command shows it: npm config get registry",
  ],
} satisfies Messages

/** Creates an error about a program that a command runs. */
export const programFault = createFaults(programMessages)

/** Returns the start of a command line that enters a new project; empty for `.`, the current directory. */
export function formatCd(name: string): string {
  return name === "." ? "" : `cd ${name} && `
}

function formatCommit(name: string): string {
  return `\n    ${formatCd(name)}git init && git add --all && git commit -m "Start"`
}
