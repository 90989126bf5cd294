/** Converts errors of templates to errors of a command and to problems of `fw dev`. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { compile, type Diagnostic, mapMessages, type OutputMessage } from "../../template/index.ts"
import { projectFault } from "../messages/project.ts"
import type { Problem } from "./problems.ts"

/** Combines all template errors of a project into one error. */
export function templateError(diagnostics: readonly Diagnostic[]): FwError {
  const problems = diagnostics.map(({ file, line, column, message, fix, frame }) =>
    projectFault("template", [message, frame, fix], { at: { file, line, column } }),
  )
  return projectFault("templates", [problems], { problems })
}

/** Converts a diagnostic to a problem. */
export function toTemplateProblem({ file, line, column, message, fix, frame }: Diagnostic): Problem {
  return { file, line, column, message, frame, ...(fix ? { fix } : {}) }
}

/**
 * Converts a message of TypeScript or esbuild about a compiled template to the position in the `.tpl`.
 *
 * @param output the compiled module, relative to the project: `app/page.tpl.ts`.
 */
export function mapToTemplate(root: string, output: string, message: OutputMessage): Problem {
  const file = output.slice(0, -".ts".length)
  const compiled = compile(readFileSync(join(root, file), "utf8"), file)
  const [diagnostic] = mapMessages(compiled, [message])
  return diagnostic ? toTemplateProblem(diagnostic) : { message: message.text, file }
}
