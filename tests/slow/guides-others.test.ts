/** Every second guide has the results that it shows. tests/slow/guides.test.ts has the others. */
import { test } from "uvu"
import { walkGuides } from "../support/docs/guides/walk-guides.ts"

walkGuides(1)
test.run()
