/** Tests of environment variables: which values stop the program at start. */
import "./support/env.ts"
import { FwError } from "fw"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { readCount, readSecret } from "../lib/auth/env.ts"

const test = suite("env")
const name = "SECRET_OF_A_TEST"

/** Calls a function with variables set, and returns its result or error. */
function within<T>(variables: Readonly<Record<string, string>>, run: () => T): T | FwError {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  try {
    return run()
  } catch (error) {
    assert.instance(error, FwError)
    return error as FwError
  } finally {
    for (const key of Object.keys(variables)) delete process.env[key]
    Object.assign(process.env, before)
  }
}

test("a secret of 32 bytes or more is accepted everywhere", () => {
  for (const text of ["x".repeat(32), "é".repeat(16), "x".repeat(500)]) {
    for (const NODE_ENV of ["", "production"]) {
      assert.equal(
        within({ [name]: text, NODE_ENV }, () => readSecret(name)),
        new TextEncoder().encode(text),
      )
    }
  }
})

test("a short secret is refused everywhere, and the message does not repeat it", () => {
  for (const text of ["s3cret", "x".repeat(31)]) {
    for (const NODE_ENV of ["", "production"]) {
      const error = within({ [name]: text, NODE_ENV }, () => readSecret(name)) as FwError
      assert.match(error.message, `${name} has ${text.length} bytes`)
      assert.not.ok(error.toString().includes(text))
    }
  }
})

test("a missing secret is refused in production, and generated at each start elsewhere", () => {
  for (const variables of [{ NODE_ENV: "production" }, { GO_ENV: "production" }]) {
    assert.instance(
      within(variables, () => readSecret(name)),
      FwError,
    )
  }
  const [one, other] = [1, 2].map(() => within({ NODE_ENV: "" }, () => readSecret(name)) as Uint8Array)
  assert.is(one?.length, 32)
  assert.not.equal(one, other)
})

test("numbers outside of their limits are refused", () => {
  const read = (text: string) => within({ [name]: text }, () => readCount(name, 7, [2, 90]))
  for (const [text, value] of [
    ["", 7],
    ["2", 2],
    ["90", 90],
    ["007", 7],
  ] as const)
    assert.is(read(text), value)
  for (const text of ["1", "91", "-3", "3.5", "1e1", "0x10", " 3", "x", "9".repeat(30)])
    assert.instance(read(text), FwError, text)
})

test.run()
