/**
 * Runs every second guide and checks that it has the results that it shows. tests/slow/guides.test.ts runs the
 * others.
 */
import { test } from "uvu"
import { walkGuides } from "../support/docs/guides/walk-guides.ts"

walkGuides(1)
test.run()
