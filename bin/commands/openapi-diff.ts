/** `fw openapi diff`: lists the changes between two versions of an API, and which of them break clients. */
import { Progress } from "../cli/progress.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { toolFault } from "../messages/tools.ts"
import { type Change, type Severity, severities } from "../openapi/diff/change.ts"
import { compareDocuments } from "../openapi/diff/documents.ts"
import { type NamedDocument, readNamedDocument } from "../openapi/diff/sources.ts"
import type * as specs from "../specs/openapi.ts"

/** The compared versions of an API, and the changes between them. */
export interface OpenAPIDiffData {
  /** The compared versions: a file, a git revision, or `the project`. */
  readonly old: string
  readonly new: string
  /** Number of changes for each severity. */
  readonly counts: Readonly<Record<Severity, number>>
  /** The changes, the most severe first. */
  readonly changes: readonly Change[]
}

interface Result {
  readonly data: OpenAPIDiffData
  readonly failed: boolean
}

/**
 * Compares the two versions.
 *
 * @throws FwError `spec` for a name that is neither a file nor a revision.
 */
export async function run(
  { old, new: next, failOn, appDir }: OptionsOf<typeof specs.diff>,
  { cwd, env, signal, stderr }: Pick<Io, "cwd" | "env" | "signal" | "stderr">,
): Promise<Result> {
  const options = { cwd, env, signal, appDir }
  const progress = new Progress({ stdout: stderr, env })
  const read = (name: string | undefined) =>
    progress.runStep(
      `Reading ${name ?? "the project"}`,
      () => readNamedDocument(name, options),
      () => null,
    )
  const before = await read(old)
  const after = await read(next)
  const changes = compareVersions(before, after)
  const counts = Object.fromEntries(
    severities.map((severity) => [severity, changes.filter((one) => one.severity === severity).length]),
  ) as Record<Severity, number>
  const failingSeverities: readonly string[] =
    failOn === undefined ? [] : severities.slice(0, severities.indexOf(failOn) + 1)
  return {
    data: { old: before.name, new: after.name, counts, changes },
    failed: changes.some(({ severity }) => failingSeverities.includes(severity)),
  }
}

/** Compares the documents. They may be written by hand and contain types that OpenAPI does not allow. */
function compareVersions(before: NamedDocument, after: NamedDocument): Change[] {
  try {
    return compareDocuments(before.document, after.document)
  } catch (cause) {
    if (cause instanceof TypeError) throw toolFault("spec.parts", [before.name, after.name], { cause })
    throw cause
  }
}

/** Returns the result for `--json` and MCP. */
export function data(result: Result): OpenAPIDiffData {
  return result.data
}

/** Returns 1 if a change has the severity of `--fail-on` or a higher one. */
export function exitCode({ failed }: Result): number {
  return failed ? 1 : 0
}

/** Returns the changes as text, grouped by operation, and their number. */
export function print({ data }: Result, { style }: Pick<View, "style">): string {
  const { changes, counts } = data
  if (changes.length === 0) return `${style.green("No change")} from ${data.old} to ${data.new}\n`
  const color = { breaking: style.red, warning: style.yellow, info: style.dim }
  const groups = new Map<string, string[]>()
  for (const { severity, method, path, place, message } of changes) {
    const operation = method === "" ? "The document" : `${method} ${path}`
    const line = `  ${color[severity](severity.padEnd(8))}  ${place === "" ? "" : `${place}: `}${message}\n`
    groups.set(operation, [...(groups.get(operation) ?? []), line])
  }
  const texts = [...groups].map(([operation, lines]) => `${style.bold(operation)}\n${lines.join("")}`)
  const total = severities.map((severity) => `${counts[severity]} ${severity}`).join(", ")
  return `${texts.join("\n")}\n${total}\n`
}
