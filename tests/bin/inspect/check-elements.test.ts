/** Tests of the check of files for the browser in templates: paths and elements that do not exist. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { lintProject } from "../../../bin/inspect/project-sources.ts"
import { type Files, inProject } from "../../support/lib/scan/scan-project.ts"

const test = suite("files for the browser in templates")
const element = "export class CartElement extends HTMLElement {}\n"
const page = (markup: string) => ({ "app/page.tpl": `template Page() {\n  ${markup}\n}\n` })

async function findIn(files: Files): Promise<string[]> {
  const found = await inProject(files, (root) => lintProject({ root, appDir: "app" }))
  return found.map(({ code, file, line, message, fix }) => `${code} ${file}:${line} ${message} | ${fix}`)
}

const cases: Readonly<Record<string, readonly [Files, ...string[]]>> = {
  "paths that exist": [
    {
      ...page(`<script src="/assets/a.ts"></script><img src="/assets/img/b%20c.png" alt="">`),
      "assets/a.ts": "",
      "assets/img/b c.png": "",
    },
  ],
  "a path with another ending than the file": [
    { ...page(`<script src="/assets/cart.js"></script>`), "assets/cart.ts": "" },
    "broken_link app/page.tpl:2 there is no file assets/cart.js. The nearest is /assets/cart.ts | Write /assets/cart.ts, or add the file.",
  ],
  "a path in a project without entries": [
    page(`<script src="/assets/cart.ts"></script>`),
    "broken_link app/page.tpl:2 there is no file assets/cart.ts | Correct the path, or add the file.",
  ],
  "a file of another static directory": [
    {
      ...page(`<img src="/assets/a.png" alt="">`),
      "public/a.png": "",
      "main.ts": `import { App } from "fw"\nconst app = new App()\napp.static("/assets", "public")\nexport default app\n`,
    },
  ],
  "elements that exist": [{ ...page("<cart-element></cart-element>"), "app/parts/cart.element.ts": element }],
  "an element that no file defines": [
    { ...page("<card-element></card-element>"), "app/cart.element.ts": element },
    "unknown_element app/page.tpl:2 no file defines <card-element>. Did you mean <cart-element>? | Write <cart-element>, or define it in a file such as app/card.element.ts.",
  ],
  "an element that a script defines": [
    {
      ...page("<other-element></other-element>"),
      "app/cart.element.ts": element,
      "assets/other.ts": `customElements.define("other-element", class extends HTMLElement {})\n`,
    },
  ],
  "elements in a project that has no files of elements": [page("<my-element></my-element>")],
  "a file of an element that defines no element": [
    { ...page("<p>a</p>"), "app/cart.element.ts": "export class CartElement {}\n" },
    "element app/cart.element.ts:null CartElement is not an element: its class extends nothing | Write export class CartElement extends HTMLElement { … }.",
  ],
}

for (const [name, [files, ...expected]] of Object.entries(cases))
  test(`the check ${expected.length > 0 ? "reports" : "accepts"} ${name}`, async () =>
    assert.equal(await findIn(files), expected))

test.run()
