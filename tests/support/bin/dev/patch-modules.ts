/** Cases of edits to dependencies between modules, with the answer of the project after each one. */
/** Files of a project by name; null deletes a file. */
export type Files = Readonly<Record<string, string | null>>

/** A project whose main.ts exports a function by default, edits, and the result of the function after each edit. */
export interface Case {
  readonly files: Readonly<Record<string, string>>
  /** Each edit with the modules that are patched; the list is empty if everything is bundled again. */
  readonly edits: readonly (readonly [files: Files, answer: unknown, patched: readonly string[]])[]
}

/** Returns a main module whose function returns the value of an expression. */
export const main = (answer: string, rest = "") => `${rest}\nexport default async () => (${answer})\n`

const many = Array.from({ length: 16 }, (_, i) => i)

export const moduleCases: Readonly<Record<string, Case>> = {
  "a function body can change": {
    files: { "main.ts": main("1") },
    edits: [
      [{ "main.ts": main("2") }, 2, ["main.ts"]],
      [{ "main.ts": main("3 as number") }, 3, ["main.ts"]],
    ],
  },
  "a changed module and all modules that import it are patched, and others are not": {
    files: {
      "main.ts": main("[a(), b()]", 'import { a } from "./lib/a.ts"\nimport { b } from "./lib/b.ts"'),
      "lib/a.ts": 'import { word } from "./word.ts"\nexport const a = () => word',
      "lib/b.ts": "export const b = () => 1",
      "lib/word.ts": 'export const word = "one"',
    },
    edits: [
      [{ "lib/word.ts": 'export const word = "two"' }, ["two", 1], ["lib/a.ts", "lib/word.ts", "main.ts"]],
      [{ "lib/b.ts": "export const b = () => 2" }, ["two", 2], ["lib/a.ts", "lib/b.ts", "lib/word.ts", "main.ts"]],
    ],
  },
  "two modules share one instance of a third, patched or not": {
    files: {
      "main.ts": main(
        "[a(), b(), [...all]]",
        'import { a } from "./a.ts"\nimport { b } from "./b.ts"\nimport { all } from "./state.ts"',
      ),
      "a.ts": 'import { all } from "./state.ts"\nexport const a = () => all.add("a").size',
      "b.ts": 'import { all } from "./state.ts"\nexport const b = () => all.add("b").size',
      "state.ts": "export const all = new Set<string>()",
    },
    edits: [
      [
        { "a.ts": 'import { all } from "./state.ts"\nexport const a = () => all.add("A").size' },
        [1, 2, ["A", "b"]],
        ["a.ts", "main.ts"],
      ],
      [
        { "state.ts": 'export const all = new Set(["s"])' },
        [2, 3, ["s", "A", "b"]],
        ["a.ts", "b.ts", "main.ts", "state.ts"],
      ],
    ],
  },
  "bindings are live, also through a re-export and a namespace": {
    files: {
      "main.ts": main(
        "[n, (add(), n), m, all.n, all.default]",
        'import { add, n } from "./n.ts"\nimport { n as m } from "./again.ts"\nimport * as all from "./n.ts"',
      ),
      "again.ts": 'export { n } from "./n.ts"',
      "n.ts": "export let n = 0\nexport const add = () => { n += 1 }\nexport { n as default }",
    },
    edits: [
      [
        {
          "main.ts": main(
            "[n, (add(), add(), n), m, all.n, all.default]",
            'import { add, n } from "./n.ts"\nimport { n as m } from "./again.ts"\nimport * as all from "./n.ts"',
          ),
        },
        [0, 2, 2, 2, 2],
        ["main.ts"],
      ],
      [
        { "n.ts": "export let n = 5\nexport const add = () => { n += 1 }\nexport { n as default }" },
        [5, 7, 7, 7, 7],
        ["again.ts", "main.ts", "n.ts"],
      ],
    ],
  },
  "modules run in the same order as in a bundle": {
    files: {
      "main.ts": main("log", 'import { log } from "./log.ts"\nimport "./b.ts"\nimport "./a.ts"\nlog.push("main")'),
      "log.ts": "export const log: string[] = []",
      "a.ts": 'import "./c.ts"\nimport { log } from "./log.ts"\nlog.push("a")',
      "b.ts": 'import { log } from "./log.ts"\nlog.push("b")\nexport {}',
      "c.ts": 'import { log } from "./log.ts"\nlog.push("c")',
    },
    edits: [
      [
        { "b.ts": 'import { log } from "./log.ts"\nlog.push("B")\nexport {}' },
        ["B", "c", "a", "main"],
        ["b.ts", "main.ts"],
      ],
      [
        { "a.ts": 'import "./c.ts"\nimport { log } from "./log.ts"\nlog.push("A")' },
        ["B", "c", "A", "main"],
        ["a.ts", "b.ts", "main.ts"],
      ],
    ],
  },
  "modules that import each other can be patched": {
    files: {
      "main.ts": main("1 + even(3)", 'import { even } from "./even.ts"'),
      "even.ts":
        'import { odd } from "./odd.ts"\nexport function even(n: number): number { return n === 0 ? 10 : odd(n - 1) }',
      "odd.ts":
        'import { even } from "./even.ts"\nexport const one = even(0)\nexport function odd(n: number): number { return n === 0 ? 20 : even(n - 1) }',
    },
    edits: [
      [{ "main.ts": main("2 + even(3)", 'import { even } from "./even.ts"') }, 22, ["main.ts"]],
      [
        {
          "odd.ts":
            'import { even } from "./even.ts"\nexport const one = even(0)\nexport function odd(n: number): number { return n === 0 ? one : even(n - 1) }',
        },
        12,
        [],
      ],
    ],
  },
  "export * works from a module that stays and in a module that changes": {
    files: {
      "main.ts": main("a + b", 'import { a, b } from "./all.ts"'),
      "all.ts": 'export * from "./a.ts"\nexport * from "./b.ts"\nexport const a = 1',
      "a.ts": "export const a = 10",
      "b.ts": "export const b = 100",
    },
    edits: [
      [{ "main.ts": main("b - a", 'import { a, b } from "./all.ts"') }, 99, ["main.ts"]],
      [{ "b.ts": "export const b = 200" }, 199, []],
    ],
  },
  "an await at the top of a module works, also when it is removed": {
    files: { "main.ts": main("a", 'import { a } from "./a.ts"'), "a.ts": "export const a = 1" },
    edits: [
      [{ "a.ts": "export const a = await Promise.resolve(2)" }, 2, []],
      [{ "a.ts": "export const a = await Promise.resolve(3)" }, 3, []],
      [{ "a.ts": "export const a = 4" }, 4, []],
      [{ "a.ts": "export const a = 5" }, 5, ["a.ts", "main.ts"]],
      [{ "main.ts": main("a + b", 'import { a } from "./a.ts"\nconst b = await 1') }, 6, []],
      [{ "main.ts": main("a", 'import { a } from "./a.ts"') }, 5, []],
    ],
  },
  "imports at run time find the patched module": {
    files: {
      "main.ts": main('(await import("./late.ts")).late', "export {}"),
      "late.ts": "export const late = 1",
      "other.ts": 'export const other = async () => (await import("node:path")).sep',
    },
    edits: [
      [{ "late.ts": "export const late = 2" }, 2, []],
      [{ "main.ts": main("other()", 'import { other } from "./other.ts"') }, "/", []],
      [
        { "other.ts": 'export const other = async () => (await import("node:path")).posix.sep + 1' },
        "/1",
        ["main.ts", "other.ts"],
      ],
      [{ "other.ts": 'export const other = async () => (await import("./late.ts")).late' }, 2, []],
    ],
  },
  "a new import and a changed import work": {
    files: {
      "main.ts": main("a", 'import { a } from "./a.ts"'),
      "a.ts": "export const a = 1\nexport const b = 2\nexport type T = string",
      "c.ts": "export const c = 3",
    },
    edits: [
      [{ "main.ts": main("a + b", 'import { a, b } from "./a.ts"') }, 3, ["main.ts"]],
      [{ "main.ts": main("a + c", 'import { a } from "./a.ts"\nimport { c } from "./c.ts"') }, 4, []],
      [{ "main.ts": main("c", 'import { c } from "./c.ts"') }, 3, ["main.ts"]],
      // A module that nothing imports any more may be deleted.
      [{ "a.ts": null }, 3, []],
    ],
  },
  "a change of many modules makes a new bundle": {
    files: {
      "main.ts": `${many.map((i) => `import { v as v${i} } from "./m${i}.ts"`).join("\n")}\nexport default () => ${many.map((i) => `v${i}`).join("+")}\n`,
      "v.ts": "export const v = 1",
      ...Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`m${i}.ts`, 'export { v } from "./v.ts"'])),
    },
    edits: [
      [{ "m0.ts": 'import { v as w } from "./v.ts"\nexport const v = w + 1' }, 17, ["m0.ts", "main.ts"]],
      [{ "v.ts": "export const v = 2" }, 33, []],
    ],
  },
}
