/** `fw completion`: prints the script with which a shell completes fw's commands and flags. */

import type { CommandModule, Group, OptionsOf } from "../cli/spec.ts"
import { bashScript } from "../completion/bash.ts"
import { fishScript } from "../completion/fish.ts"
import { entriesOf } from "../completion/words.ts"
import { zshScript } from "../completion/zsh.ts"
import type * as specs from "../specs/completion.ts"

/** A completion script, and the shell that it is for. */
export interface CompletionData {
  readonly shell: string
  readonly script: string
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Returns the command that makes the script from a table of commands. Only the script is printed, because it is redirected into a file. */
export function completing(table: Group): CommandModule<OptionsOf<typeof specs.completion>, CompletionData> {
  return {
    run: async ({ shell }) => ({ shell, script: scripts[shell as keyof typeof scripts](entriesOf(table)) }),
    print: ({ script }) => script,
  }
}
