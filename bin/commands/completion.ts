/** `fw completion`: the script by which a shell completes fw's command lines. Loaded by the table. */
import { bashScript } from "../completion/bash.ts"
import { fishScript } from "../completion/fish.ts"
import { entriesOf } from "../completion/words.ts"
import { zshScript } from "../completion/zsh.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/completion.ts"
import { commands } from "./table.ts"

/** A script. */
export interface CompletionData {
  readonly shell: string
  readonly script: string
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Makes the script of the table as it is. */
export async function run({ shell }: OptionsOf<typeof specs.completion>): Promise<CompletionData> {
  return { shell, script: scripts[shell as keyof typeof scripts](entriesOf(commands)) }
}

/** The script alone: it goes into a file. */
export function print({ script }: CompletionData): string {
  return script
}
