/** `fw completion`: prints the script with which a shell completes fw's commands and flags. */

import type { CommandModule, Group, OptionsOf } from "../cli/spec.ts"
import { renderBashScript } from "../completion/bash.ts"
import { listEntries } from "../completion/entries.ts"
import { renderFishScript } from "../completion/fish.ts"
import { renderZshScript } from "../completion/zsh.ts"
import type * as specs from "../specs/completion.ts"

/** A completion script, and the shell that it is for. */
export interface CompletionData {
  readonly shell: string
  readonly script: string
}

const scripts = { bash: renderBashScript, zsh: renderZshScript, fish: renderFishScript } as const

/** Returns the command that makes the script from a table of commands. Only the script is printed, because it is redirected into a file. */
export function createCompletionCommand(
  table: Group,
): CommandModule<OptionsOf<typeof specs.completion>, CompletionData> {
  return {
    run: async ({ shell }) => ({ shell, script: scripts[shell as keyof typeof scripts](listEntries(table)) }),
    print: ({ script }) => script,
  }
}
