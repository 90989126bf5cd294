/**
 * Tests that the alerts and the dashboard in the documents use metrics that exist. tests/slow/metrics.test.ts tests
 * that Prometheus accepts them.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

const read = (path: string) => readFileSync(join(root, "docs", path), "utf8")
const guide = read("guides/metrics-and-alerts.md")
/** The names of Prometheus metrics that the table explains. */
const known = [...read("operations/metrics.md").matchAll(/`([a-z0-9]+(?:_[a-z0-9]+){2,})`/g)].map(
  ([, name]) => name as string,
)

const expressions = {
  "the guide": guide,
  "the dashboard": JSON.stringify(
    JSON.parse(read("operations/grafana.json")).panels.flatMap((panel: { targets: unknown }) => panel.targets),
  ),
}
for (const [where, text] of Object.entries(expressions)) {
  test(`${where} uses only metrics that the page explains`, () => {
    const names = [...text.matchAll(/\b(?:http_server|messaging|fw|nodejs|process|v8js)_\w+(?=\{)/g)].map(
      ([name]) => name,
    )
    assert.ok(names.length > 4)
    const base = (name: string) =>
      name.replace(/_(?:bucket|sum|count)$/, "").replace(/_delay_(?:max|p\d\d)_/, "_delay_p99_")
    assert.equal(
      names.filter((name) => !known.includes(base(name))),
      [],
    )
  })
}

test.run()
