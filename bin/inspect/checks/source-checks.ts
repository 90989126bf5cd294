/** Runs a check on all sources of one type in a project. The results for unchanged sources are reused. */
import { toPosition } from "../../../lib/scan/tokens.ts"
import type { LinkSource } from "../links/project-links.ts"
import { createError, createWarning, type Finding } from "./finding.ts"

/** A problem of a source. */
export interface SourceProblem {
  readonly code: string
  /** Offset in the source. */
  readonly offset: number
  readonly message: string
  readonly fix: string
  /** True for an error. Other problems are warnings. */
  readonly isError?: true
}

/** Returns the problems of one source. */
type FindProblems = (text: string, file: string) => readonly SourceProblem[]

/** Returns the findings in the sources of a project. */
export type SourceCheck = (sources: readonly LinkSource[]) => Promise<Finding[]>

interface CheckedSource {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** How many sources are read before other events of the process are handled. */
const maxSourcesPerTurn = 10

/** Returns a check of the sources whose names match. */
function createSourceCheck(pattern: RegExp, find: FindProblems): SourceCheck {
  const checkedSources = new Map<string, CheckedSource>()
  return async (sources) => {
    const found: Finding[] = []
    let newCount = 0
    for (const { file, text } of sources.filter((source) => pattern.test(source.file))) {
      let checkedSource = checkedSources.get(file)
      if (checkedSource?.text !== text) {
        if (++newCount % maxSourcesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve))
        const findings = find(text, file).map(({ code, offset, message, fix, isError }) =>
          (isError ? createError : createWarning)(code, { file, ...toPosition(text, offset) }, message, fix),
        )
        checkedSource = { text, findings }
        checkedSources.set(file, checkedSource)
      }
      found.push(...checkedSource.findings)
    }
    return found
  }
}

/**
 * Returns a check of a project's templates.
 *
 * @param find returns the problems of one template.
 */
export function createTemplateCheck(find: FindProblems): SourceCheck {
  return createSourceCheck(/\.tpl$/, find)
}

/**
 * Returns a check of a project's modules, except browser code.
 *
 * @param find returns the problems of one module.
 */
export function createModuleCheck(find: FindProblems): SourceCheck {
  return createSourceCheck(/^(?!static\/).*\.[cm]?[jt]sx?$/, find)
}
