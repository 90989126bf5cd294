/** `fw completion`: prints the script with which a shell completes fw's commands and flags. */

import type { OptionsOf } from "../cli/spec.ts"
import { bashScript } from "../completion/bash.ts"
import { fishScript } from "../completion/fish.ts"
import { entriesOf } from "../completion/words.ts"
import { zshScript } from "../completion/zsh.ts"
import type * as specs from "../specs/completion.ts"
import { commands } from "./table.ts"

/** A completion script, and the shell that it is for. */
export interface CompletionData {
  readonly shell: string
  readonly script: string
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Makes the script from the table of commands. */
export async function run({ shell }: OptionsOf<typeof specs.completion>): Promise<CompletionData> {
  return { shell, script: scripts[shell as keyof typeof scripts](entriesOf(commands)) }
}

/** Returns only the script, because it is redirected into a file. */
export function print({ script }: CompletionData): string {
  return script
}
