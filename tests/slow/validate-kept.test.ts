/** Checks that are made again and again by a program that stays open: the same findings as from a new one. */
import { execFileSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { KeptChecks } from "../../bin/inspect/kept-checks.ts"
import { validateProject } from "../../bin/inspect/validate.ts"
import { program } from "../support/bin/cli/command.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"

const kept = suite("kept checks")

const tsconfig = (more: object = {}) =>
  JSON.stringify({
    compilerOptions: {
      module: "nodenext",
      target: "es2022",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: [],
      ...more,
    },
    include: ["app", "lib", "types"],
  })
const route = (value: string, more = "") =>
  `import type { Context } from "fw"\n${more}export function Get(c: Context) { return c.json(200, ${value}) }\n`
const page = (expression: string) =>
  `import { size } from "../lib/size.ts"\n\ntemplate Page() {\n  <p>{${expression}}</p>\n}\n`

const base = {
  "package.json": '{ "name": "kept", "type": "module" }',
  "tsconfig.json": tsconfig(),
  "lib/size.ts": "export const size: number = 1\n",
  "lib/single.ts": "export const single = 1\n",
  "app/api/one/route.ts": route("size", 'import { size } from "../../../lib/size.ts"\n'),
  "app/api/two/route.ts": route("1"),
}

/**
 * Changes, and the number of errors after each. A new program costs half a second of processor time, so the findings are
 * compared with its own only after the changes in `compared`: before a change that could hide what an earlier one left out of date.
 */
const changes: ReadonlyArray<readonly [title: string, files: Record<string, string | null>, errors: number]> =
  [
    ["nothing", {}, 0],
    ["an error in a route", { "app/api/two/route.ts": `${route("1")}const n: number = "x"\n` }, 1],
    [
      "another error in another file: the first one is still there",
      { "lib/single.ts": "export const single: string = 1\n" },
      2,
    ],
    [
      "both are corrected",
      { "app/api/two/route.ts": route("2"), "lib/single.ts": "export const single = 1\n" },
      0,
    ],
    ["a module that others import", { "lib/size.ts": "export const extent = 1\n" }, 1],
    ["it is as before", { "lib/size.ts": "export const size: number = 1\n" }, 0],
    [
      "a handler of the wrong type",
      { "app/api/two/route.ts": "export function Get(c: number) { return c }\n" },
      1,
    ],
    ["it is deleted", { "app/api/two/route.ts": null }, 0],
    ["a new file that nothing imports", { "lib/new.ts": "export const n: number = true\n" }, 1],
    ["a new route", { "app/api/three/route.ts": `${route("3")}const n: number = "x"\n` }, 2],
    ["the new file is deleted", { "lib/new.ts": null }, 1],
    ["a syntax error", { "lib/single.ts": "export const single = ;\n" }, 2],
    ["it is corrected", { "lib/single.ts": "export const single = 1\n" }, 1],
    ["a declaration for all files", { "types/all.d.ts": "declare const everywhere: number\n" }, 1],
    ["which is used", { "lib/single.ts": "export const single: string = everywhere\n" }, 2],
    ["and which changes", { "types/all.d.ts": "declare const everywhere: string\n" }, 1],
    ["a template", { "app/page.tpl": page("size.toFixed()") }, 1],
    ["an error in it", { "app/page.tpl": page("size.wrong()") }, 2],
    ["it is corrected", { "app/page.tpl": page("size.toFixed(1)") }, 1],
    ["what it imports changes", { "lib/size.ts": 'export const size = "1"\n' }, 2],
    [
      "it is deleted, and the import is right again",
      { "app/page.tpl": null, "lib/size.ts": base["lib/size.ts"] },
      1,
    ],
    ["less strict options", { "tsconfig.json": tsconfig({ strict: false }) }, 1],
    ["an error under them", { "lib/single.ts": "export const single: number = ''\n" }, 2],
    ["strict options", { "tsconfig.json": tsconfig() }, 2],
  ]

/** Titles of the changes after which a new program must find the same. */
const compared = new Set([
  "another error in another file: the first one is still there",
  "a module that others import",
  "a handler of the wrong type",
  "a new route",
  "a syntax error",
  "which is used",
  "an error in it",
  "what it imports changes",
  "an error under them",
  "strict options",
])

kept("after every change, the findings are those of a new program", async () => {
  const root = makeProject(base, ["fw", "typescript"])
  const checks = new KeptChecks(root)
  const findings = async (own: KeptChecks | null) =>
    (await validateProject({ root, appDir: "app" }, { kept: own })).findings
  try {
    for (const [title, files, errors] of changes) {
      for (const [file, text] of Object.entries(files))
        if (text === null) rmSync(join(root, file))
        else write(root, { [file]: text })
      const again = await findings(checks)
      assert.is(again.length, errors, `${title}: ${JSON.stringify(again)}`)
      if (compared.has(title)) assert.equal(again, await findings(null), title)
    }
    assert.ok(checks.isOpen)
  } finally {
    await checks.close()
  }
  assert.not.ok(checks.isOpen)
})

kept("a program that is not used is closed", async () => {
  const root = makeProject(base, ["fw", "typescript"])
  const checks = new KeptChecks(root, 1)
  await validateProject({ root, appDir: "app" }, { kept: checks })
  while (checks.isOpen || typeScripts(process.pid).length > 0) await tick()
  assert.equal((await validateProject({ root, appDir: "app" }, { kept: checks })).findings, [])
  await checks.close()
})

/** The ids of the processes of TypeScript's API below another one. */
function typeScripts(parent: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).split("\n")
  return lines.flatMap((line) => {
    const [, pid, ppid, state = "", args = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    const isOurs = Number(ppid) === parent && args.includes("--api") && !state.startsWith("Z")
    return isOurs ? [Number(pid)] : []
  })
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 10))

function runs(pid: number): boolean {
  const state = /^State:\s+(\S)/m.exec(textOf(`/proc/${pid}/status`))?.[1]
  return state !== undefined && state !== "Z"
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

for (const end of ["a client that leaves", "SIGKILL"] as const) {
  kept(
    `calls of an MCP tool share one process of TypeScript, which ends with the server: ${end}`,
    async () => {
      const root = makeProject(base, ["fw", "typescript"])
      const client = new Client({ name: "test", version: "1.0.0" })
      const args = [program, "mcp", "serve", "--workdir", root]
      const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" })
      await client.connect(transport)
      // One that stays open would keep this process from ending.
      try {
        const validate = async () => {
          const { structuredContent } = await client.callTool({ name: "fw_validate", arguments: {} })
          return (structuredContent as { errors: number }).errors
        }
        const server = transport.pid as number
        assert.is(await validate(), 0)
        const before = typeScripts(server)
        assert.is(before.length, 1)
        write(root, { "lib/single.ts": "export const single: string = 1\n" })
        assert.is(await validate(), 1)
        assert.equal(typeScripts(server), before)
        if (end === "SIGKILL") process.kill(server, "SIGKILL")
        else await client.close()
        while (runs(before[0] as number)) await tick()
      } finally {
        await client.close()
      }
    },
  )
}

kept.run()
