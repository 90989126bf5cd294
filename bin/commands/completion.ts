/** `fw completion`: prints the script with which a shell completes commands and flags of fw. */

import type { CommandModule, Group, OptionsOf } from "../cli/spec.ts"
import { renderBashScript } from "../completion/bash.ts"
import { listEntries } from "../completion/entries.ts"
import { renderFishScript } from "../completion/fish.ts"
import { renderZshScript } from "../completion/zsh.ts"
import type * as specs from "../specs/completion.ts"

/** A completion script and its shell. */
export interface CompletionData {
  readonly shell: string
  readonly script: string
}

const scripts = { bash: renderBashScript, zsh: renderZshScript, fish: renderFishScript } as const

/**
 * Returns the command that generates the script from a table of commands. It prints only the script, because users
 * redirect it into a file.
 */
export function createCompletionCommand(
  table: Group,
): CommandModule<OptionsOf<typeof specs.completion>, CompletionData> {
  return {
    run: async ({ shell }) => ({ shell, script: scripts[shell as keyof typeof scripts](listEntries(table)) }),
    print: ({ script }) => script,
  }
}
