/** `fw lsp`: serves templates and TypeScript to an editor. */

import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { serve } from "../lsp/serve.ts"
import type { lsp } from "../specs/lsp.ts"

/** Serves until the editor disconnects. */
export async function run({ appDir }: OptionsOf<typeof lsp>, io: Io): Promise<void> {
  await serve(io, appDir)
}
