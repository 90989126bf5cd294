/**
 * Tests of modules that import each other in a circle: which of their values are missing when a module is loaded.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findCircleWarnings } from "../../../bin/dev/bundle/import-circles.ts"
import { type Esbuild, loadEsbuild } from "../../../bin/project/esbuild.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("circles of imports")

let root: string
let esbuild: Esbuild

test.before(async () => {
  root = makeProject({})
  esbuild = await loadEsbuild(root)
})

test.after(async () => {
  await esbuild.stop()
})

const a =
  "export const one = 1\nexport class Base {}\nexport function early() {}\nexport interface Shape { id: number }\n"
const circle = { importer: "lib/b.ts", target: "lib/a.ts", path: ["lib/a.ts", "lib/b.ts"] }

const missing: readonly (readonly [code: string, name: string])[] = [
  ["export const two = { one }", "one"],
  ["export const two = one + 1", "one"],
  ["export const two = [1, one]", "one"],
  ["export const two = `x${one}`;export const three = one.x", "one"],
  ["export class Two extends Base {}", "Base"],
  ["export const two = new Base()", "Base"],
  ["if (one) console.log(1)", "one"],
  ["export const f = (x: number) => x, two = f(one)", "one"],
  ["export default one", "one"],
]
for (const [code, name] of missing) {
  test(`a missing value is reported: ${code}`, async () => {
    write(root, {
      "lib/a.ts": a,
      "lib/b.ts": `import { Base, early, one, type Shape } from "./a.ts"\n\n${code}\n`,
    })
    const [problem, more] = await findCircleWarnings(root, esbuild, [circle])
    assert.is(more, undefined)
    assert.match(problem?.message ?? "", `${name} is not there yet when lib/b.ts is loaded`)
    assert.match(problem?.message ?? "", "lib/a.ts → lib/b.ts → lib/a.ts")
    assert.equal([problem?.file, problem?.line], ["lib/b.ts", 1])
  })
}

const fine = [
  "export const two = () => one",
  "export const two = () => ({ one }), three = 3",
  "export const two = async (x = one) => { await x; return one }",
  "export function two(x = one) { return [x, one, Base] }",
  "export const two = { get x() { return one }, y() { return one }, async *z() { yield one }, ['w']() { return one } }",
  "export class Two { x = one; y() { return new Base() } }",
  "export const two = early()",
  "export const two: Shape = { id: 1 }",
  "export { one }",
  "export { Base } from './a.ts'",
  "export const two = { one: 1 }, three = two.one",
  "export const f = (one: number) => one, g = one => one",
  "for (const one of [1]) console.log(one)",
  "export type Two = typeof one",
  "export const two = { async one() { return one } }",
  "export const two = { get one() { return one }, set one(v) { one.x = v } }",
  "export const two = { *one() { yield one }, async *Base() { yield Base } }",
  "export const two = { one() { return one }, ['one']() { return one } }",
  "export class Two { one() { return one } static async Base() { return Base } }",
  "for (const { one } of [{ one: 1 }]) console.log(one)",
  "for (const [one] of [[1]]) console.log(one)",
  "try { early() } catch (one) { console.log(one) }",
  "try { early() } catch ({ one }) { console.log(one) }",
  "one: for (const x of [1]) { if (x) break one }",
  "export const { one: two } = { one: 1 }",
  "export const two = { x: { one: 2 } }.x.one",
  "export namespace Two { export const one = 1; export const two = one }",
  "export enum Two { one = 1, two = one }",
  "{ let one = 1; one++ }",
]
for (const code of fine) {
  test(`a value that is set in time is not reported: ${code}`, async () => {
    write(root, {
      "lib/a.ts": a,
      "lib/b.ts": `import { Base, early, one, type Shape } from "./a.ts"\n\n${code}\n`,
    })
    assert.equal(await findCircleWarnings(root, esbuild, [circle]), [])
  })
}

test("a value with the same name in a package or in another file is not reported", async () => {
  write(root, { "lib/a.ts": a, "lib/b.ts": 'import { one } from "./other.ts"\nexport const two = one\n' })
  assert.equal(await findCircleWarnings(root, esbuild, [circle]), [])
})

test.run()
