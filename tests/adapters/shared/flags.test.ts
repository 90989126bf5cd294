/** The compile-time flags in a program that no bundler has set them in. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { defineFlags } from "../../../adapters/shared/flags.ts"

function flagsOfScope(): string[] {
  return Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith("FW_"))
}

test("flags are defined as undefined, and a program that lists its globals does not find them", () => {
  const before = flagsOfScope()
  Reflect.set(globalThis, "FW_FORWARDING", false)
  const enumerable = Object.keys(globalThis)
  try {
    defineFlags()
    for (const name of flagsOfScope())
      if (name !== "FW_FORWARDING") assert.is(Reflect.get(globalThis, name), undefined)
    assert.ok("FW_ON_ERROR" in globalThis)
    assert.is(Reflect.get(globalThis, "FW_FORWARDING"), false)
    assert.equal(Object.keys(globalThis), enumerable)
  } finally {
    for (const name of flagsOfScope()) if (!before.includes(name)) Reflect.deleteProperty(globalThis, name)
  }
})

test.run()
