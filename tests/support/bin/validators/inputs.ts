/** Reads the types of a small project as types of requests, one for each row of a table. */

import { readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { NamedType, Notice, Warning } from "../../../../bin/openapi/document/model.ts"
import { type InputFrom, InputTypes } from "../../../../bin/openapi/types/input-types.ts"
import { openTypes } from "../../../../bin/tools/typescript/program.ts"
import { createValidator, type Validator } from "../../../../bin/validators/validator.ts"
import { writeValidators } from "../../../../bin/validators/write-validators.ts"
import { makeProject } from "../dev/dev-project.ts"

/** A type as TypeScript source, and the part of the request that it describes. */
export interface InputRow {
  readonly type: string
  readonly from?: InputFrom
}

/** The validators of some types, in their order. */
export interface ReadInputs {
  readonly validators: readonly Validator[]
  readonly problems: ReadonlyArray<readonly Warning[]>
  readonly notices: readonly Notice[]
  readonly named: readonly NamedType[]
}

/**
 * Reads types.
 *
 * @param shared source of `types.ts`, whose exports the rows may use.
 * @param packages a folder with packages that it may import.
 */
export async function readInputs(shared: string, rows: readonly InputRow[], packages?: string): Promise<ReadInputs> {
  const names = [
    ...shared.matchAll(
      /^export (?:declare )?(?:interface|type|class|abstract class|enum|const enum|namespace|const) (\w+)/gm,
    ),
  ].map(([, name]) => name)
  const lines = rows.map(({ type }, i) => `export declare const value${i}: ${type}`)
  const files = {
    "types.ts": shared,
    "rows.ts": [`import { ${names.join(", ")} } from "./types.ts"`, ...lines, ""].join("\n"),
  }
  const root = makeProject(files, ["fw", "typescript"])
  if (packages !== undefined)
    for (const name of readdirSync(packages))
      if (!name.startsWith(".")) symlinkSync(join(packages, name), join(root, "node_modules", name))
  const program = await openTypes(root, { files: ["rows.ts"] })
  if ("untyped" in program) throw new Error(String(program.untyped))
  try {
    const inputs = new InputTypes(program)
    const { kinds, checker } = program
    const shapes: [InputRow, Validator["type"]][] = []
    const problems: (readonly Warning[])[] = []
    program.getFile("rows.ts")?.forEachChild((statement) => {
      if (statement.kind !== kinds.VariableStatement) return
      const [declaration] = (
        statement as unknown as {
          declarationList: { declarations: (typeof statement & { name: typeof statement })[] }
        }
      ).declarationList.declarations
      const type = declaration && checker.getTypeAtLocation(declaration.name)
      const row = rows[shapes.length]
      if (!type || !declaration || !row) throw new Error("no type")
      shapes.push([row, inputs.convert(type, declaration, row.from)])
      problems.push(inputs.listProblems(type, row.from))
    })
    const { namedTypes, notices } = inputs
    return {
      validators: shapes.map(([row, shape]) => createValidator(shape, row.from ?? "json", namedTypes)),
      problems,
      notices,
      named: namedTypes,
    }
  } finally {
    program.close()
  }
}

/** A generated validator, as a program imports it. */
export interface WrittenValidator {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: "fw"
    validate(
      value: unknown,
    ): { value: unknown; issues?: undefined } | { issues: { message: string; path: PropertyKey[] }[] }
  }
}

/** Generates validators and imports them. */
export async function importValidators(validators: readonly Validator[]): Promise<WrittenValidator[]> {
  const root = makeProject({ "validators.mjs": writeValidators(validators) }, [])
  const module = (await import(pathToFileURL(join(root, "validators.mjs")).href)) as Record<string, WrittenValidator>
  return validators.map(({ name }) => module[name] as WrittenValidator)
}
