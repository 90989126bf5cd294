/** Tests of empty values on the command line, as an empty variable of a shell gives them. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Command, defineCommand, type Group, isGroup, type Spec } from "../../../bin/cli/spec.ts"
import { commands } from "../../../bin/table.ts"
import { fw } from "../../support/bin/cli/command.ts"

interface Case {
  readonly path: readonly string[]
  readonly spec: Spec
}

/** Returns every command of fw with the words that call it. */
function createCases(entry: Group | Command, path: readonly string[] = []): Case[] {
  if (!isGroup(entry)) return [{ path, spec: entry.spec }]
  return Object.entries(entry.commands).flatMap(([name, one]) => createCases(one, [...path, name]))
}

/** Returns the same commands, but each only says that it ran. */
function harmless(entry: Group): Group {
  const entries = Object.entries(entry.commands).map(([name, one]) => {
    const made = isGroup(one) ? harmless(one) : defineCommand(one.spec, async () => ({ run: async () => "ran" }))
    return [name, made] as const
  })
  return { ...entry, commands: Object.fromEntries(entries) as Group["commands"] }
}

const table = harmless(commands)
const cases = createCases(commands)

test("in every command, a flag that takes any text refuses an empty text", async () => {
  const refused: string[] = []
  for (const { path, spec } of cases) {
    const words = (spec.arguments ?? []).filter(({ optional }) => !optional)
    const line = [...path, ...words.map(({ values }) => values?.[0] ?? "x")]
    for (const [name, flag] of Object.entries(spec.flags ?? {})) {
      if (flag.type !== "string" || flag.values) continue
      for (const given of [[`--${name}=`], [`--${name}`, ""]]) {
        const { code, stdout, stderr } = await fw([...line, ...given], {}, table)
        assert.equal({ code, stdout }, { code: 2, stdout: "" }, [...line, ...given].join(" "))
        assert.match(stderr, `error: --${name} needs a value`)
      }
      refused.push([...path, name].join(" "))
    }
  }
  assert.ok(refused.includes("dev host") && refused.includes("build output"))
})

test("in every command, an argument that is a list of files refuses an empty name", async () => {
  const several = cases.filter(({ spec }) => spec.arguments?.some((argument) => argument.several))
  assert.ok(several.some(({ path }) => path.join() === "format"))
  for (const { path } of several) {
    const { code, stdout, stderr } = await fw([...path, "a.ts", ""], {}, table)
    assert.equal({ code, stdout }, { code: 2, stdout: "" }, path.join(" "))
    assert.match(stderr, `error: fw ${path.join(" ")} needs <`)
  }
})

test.run()
