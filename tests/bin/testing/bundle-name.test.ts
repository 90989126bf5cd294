/**
 * Tests of the names of test bundles: Node accepts them as paths, and they can be converted back to the path of the
 * test.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findBundledTest, toBundleName } from "../../../bin/testing/bundle-name.ts"

const paths = [
  "tests/a.test.ts",
  "app/users/[id]/page.test.tsx",
  "app/(admin)/[[...slug]]/a.test.ts",
  "lib/100%/{a,b}/why?.test.js",
  "lib/größe 2+(x)/@(y)/!(z)/*.test.mts",
]

for (const path of paths)
  test(`the bundle name of ${path} has no pattern characters, and can be converted back`, () => {
    const name = toBundleName(path)
    assert.not.match(name, /[*?{}[\]()!@+]/)
    for (const root of ["", "/home/ada/shop/"]) assert.is(findBundledTest(`${root}.fw/tests/123/${name}.mjs`), path)
  })

test("other paths are not taken for bundles of tests", () => {
  for (const path of ["", "/shop/tests/a.test.ts", "/shop/.fw/tests/a.mjs", "/shop/x.fw/tests/1/a.mjs"])
    assert.is(findBundledTest(path), undefined, path)
})

test.run()
