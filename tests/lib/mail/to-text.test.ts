/** Tests of the text version of a mail. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { toText } from "../../../lib/mail/to-text.ts"

const rows: readonly (readonly [what: string, html: string, text: string])[] = [
  [
    "paragraphs have a line between them",
    "<h1>Hello</h1>\n  <p>One\n two</p><p>three</p>",
    "Hello\n\nOne two\n\nthree",
  ],
  ["lines", "<div>a<br>b</div><div>c</div>", "a\nb\n\nc"],
  ["items", "<ul><li>tea</li><li>milk</li></ul>after", "- tea\n\n- milk\n\nafter"],
  ["cells", "<table><tr><td>Tea</td><td>2</td></tr><tr><td>Milk</td><td>1</td></tr></table>", "Tea 2\n\nMilk 1"],
  [
    "a link has its address",
    '<a class="x" href="https://a.example/?a=1&amp;b=2">Open</a>',
    "Open (https://a.example/?a=1&b=2)",
  ],
  [
    "a link that shows its address has it once",
    '<a href="https://a.example/">https://a.example/</a>',
    "https://a.example/",
  ],
  ["a link to an address", "<a href='mailto:a@b.example'>Ada</a>", "Ada (a@b.example)"],
  ["a link within the mail, and one without an address", '<a href="#top">top</a> <a name="x">x</a>', "top x"],
  ["a picture has its text", '<img src="https://a.example/a.png" alt="The shop">', "The shop"],
  [
    "characters",
    "1 &lt; 2 &amp; 3&nbsp;&euro; &#8230;&#x41; &unknown; &#9999999;",
    "1 < 2 & 3 € …A &unknown; &#9999999;",
  ],
  [
    "what is not shown",
    "<!doctype html><html><head><title>t</title><style>p > a { color: red }</style></head><body>a<script>b</script></body>",
    "a",
  ],
  ["comments, also with markup", "a<!-- b -->c<!--[if mso]><table><tr><td>d</td></tr></table><![endif]-->e", "ace"],
  ["nothing", "", ""],
  ["what is not markup", "a < b > c <", "a < b > c <"],
]

for (const [what, html, text] of rows) test(what, () => assert.is(toText(html), `${text}\n`))

test.run()
