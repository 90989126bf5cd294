/** Tests of several attributes of one element: each is printed as if it were alone, whatever the others print. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { load } from "../fixtures/template/render.ts"

type Render = (values: readonly unknown[]) => { toString(): string }

const common = ["x", "", `"&'<>`, 0, 7.5, 10n, true, false, null, undefined]
/** Attributes for each way to convert a value to text, and the values that they take. */
const attributes: Readonly<Record<string, readonly unknown[]>> = {
  title: common,
  href: [...common, new URL("https://shop.example/"), "javascript:x"],
  class: ["a", "", `"&'<>`, false, null, undefined, [], ["a", ["b", false]]],
  style: [{ color: "red" }, {}, { color: "expression(1)" }, false, null, undefined],
  "aria-hidden": common,
  "hx-boost": ["true", "", "x", true, false, null, undefined],
  "hx-vals": [{ a: '"' }, {}, false, null, undefined],
  "hx-config": [{ a: '"' }, {}, false, null, undefined],
}
const names = Object.keys(attributes)

async function renders(bodies: Readonly<Record<string, string>>): Promise<Record<string, Render>> {
  const source = Object.entries(bodies).map(([name, body]) => `template ${name}(v: readonly any[]) {${body}}`)
  return (await load(source.join("\n"))) as Record<string, Render>
}

const single = await renders(Object.fromEntries(names.map((name, at) => [`One${at}`, `<a ${name}={v[0]}></a>`])))
/** Returns the text of one attribute with the space before it; "" if nothing is printed. */
const print = (name: string, value: unknown): string => {
  const text = String(single[`One${names.indexOf(name)}`]?.([value]))
  assert.ok(text.startsWith("<a") && text.endsWith("></a>"), text)
  return text.slice(2, -"></a>".length)
}

/** Forms with three attributes, and what is printed between them. */
const forms: Readonly<Record<string, readonly [body: string, between: readonly [string, string]]>> = {
  Plain: ["<a A={v[0]} B={v[1]} C={v[2]}>t</a>", ["", ""]],
  Literals: [`<a A={v[0]} rel="r" B={v[1]} lang="d" C={v[2]}>t</a>`, [' rel="r"', ' lang="d"']],
  Names: ["<a A={v[0]} hidden B={v[1]} inert C={v[2]}>t</a>", [" hidden", " inert"]],
  Branch: ["{if (v) {<a A={v[0]} B={v[1]} C={v[2]}>t</a>}}", ["", ""]],
  Loop: ["{for (const w of [v]) {<a A={w[0]} B={w[1]} C={w[2]}>t</a>}}", ["", ""]],
}

const pairs = names.flatMap((first) => names.filter((name) => name !== first).map((second) => [first, second] as const))

for (const [form, [body, [after, next]]] of Object.entries(forms)) {
  test(`three attributes of one element print the same as each attribute alone: ${form}`, async () => {
    const written = pairs.map(([first, second]) => body.replace("A=", `${first}=`).replace("B=", `${second}=`))
    const templates = await renders(Object.fromEntries(written.map((one, at) => [`T${at}`, one.replace("C=", "alt=")])))
    for (const [at, [a, b]] of pairs.entries())
      for (const first of attributes[a] ?? [])
        for (const second of attributes[b] ?? [])
          for (const third of ["x", 1, true, undefined]) {
            const last = print("title", third).replace("title", "alt")
            const expected = `<a${print(a, first)}${after}${print(b, second)}${next}${last}>t</a>`
            assert.is(String(templates[`T${at}`]?.([first, second, third])), expected, `${a}, ${b}`)
          }
  })
}

test.run()
