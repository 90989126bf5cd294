/** The error reference of programs that a command runs. */
import { programMessages } from "../programs.ts"
import { entriesOf } from "./entry.ts"

export const programs = entriesOf(programMessages, {
  git: [
    "A warning of `fw new`: the project was created, but the first commit was not.",
    {
      git: ["git commit ended with exit code 128", "shop"],
      "git.missing": ["shop"],
      "git.repository": ["git init ended with exit code 1", "shop"],
    },
  ],
  git_name: ["A warning of `fw new`: git needs a name and an address for a commit.", { git_name: ["shop"] }],
  program_failed: [
    "A program that fw runs, such as npm, reported an error. The message has its last lines, without passwords and tokens.",
    { program_failed: ["npm install", "ended with exit code 1", "npm error code E404", undefined] },
  ],
  program_missing: ["A program that fw runs is not found.", { program_missing: ["git", undefined] }],
  program_start: [
    "A program that fw runs is there, but the system cannot start it.",
    {
      program_start: ["npm", "spawn EACCES", "/usr/bin/npm", undefined],
      "program_start.directory": ["npm", "/home/ada/shop"],
    },
  ],
  registry: [
    "fw downloads packages from the registry that npm uses, with the token that npm has for it.",
    { registry: [] },
  ],
})
