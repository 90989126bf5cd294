/** Tests of the text version of a mail. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { toText } from "../../../lib/mail/to-text.ts"

const rows: readonly (readonly [what: string, html: string, text: string])[] = [
  [
    "paragraphs with an empty line between them",
    "<h1>Hello</h1>\n  <p>One\n two</p><p>three</p>",
    "Hello\n\nOne two\n\nthree",
  ],
  ["line breaks", "<div>a<br>b</div><div>c</div>", "a\nb\n\nc"],
  ["the items of a list", "<ul><li>tea</li><li>milk</li></ul>after", "- tea\n\n- milk\n\nafter"],
  [
    "the cells of a table",
    "<table><tr><td>Tea</td><td>2</td></tr><tr><td>Milk</td><td>1</td></tr></table>",
    "Tea 2\n\nMilk 1",
  ],
  [
    "a link with its address",
    '<a class="x" href="https://a.example/?a=1&amp;b=2">Open</a>',
    "Open (https://a.example/?a=1&b=2)",
  ],
  [
    "the address of a link once if the text of the link is the address",
    '<a href="https://a.example/">https://a.example/</a>',
    "https://a.example/",
  ],
  ["a link to an email address", "<a href='mailto:a@b.example'>Ada</a>", "Ada (a@b.example)"],
  [
    "only the text of a link within the mail, or of one without an address",
    '<a href="#top">top</a> <a name="x">x</a>',
    "top x",
  ],
  ["the text of a picture", '<img src="https://a.example/a.png" alt="The shop">', "The shop"],
  [
    "characters in place of their names and numbers",
    "1 &lt; 2 &amp; 3&nbsp;&euro; &#8230;&#x41; &unknown; &#9999999;",
    "1 < 2 & 3 € …A &unknown; &#9999999;",
  ],
  [
    "no text that browsers do not show",
    "<!doctype html><html><head><title>t</title><style>p > a { color: red }</style></head><body>a<script>b</script></body>",
    "a",
  ],
  [
    "no comments, also none with markup",
    "a<!-- b -->c<!--[if mso]><table><tr><td>d</td></tr></table><![endif]-->e",
    "ace",
  ],
  ["an empty line for an empty mail", "", ""],
  ["text that only looks like markup", "a < b > c <", "a < b > c <"],
]

for (const [what, html, text] of rows) test(`toText() prints ${what}`, () => assert.is(toText(html), `${text}\n`))

test.run()
