/**
 * Tests that the tokenizer of modules needs a number of steps that is proportional to their length, also where `<`
 * may begin an element or type parameters.
 */
import { test } from "uvu"
import { FwError } from "../../lib/errors.ts"
import { tokenize } from "../../lib/scan/tokens.ts"
import { assertLinear, repeated } from "../support/growth/growth.ts"

/** Returns the tokens, or the error for text that is not code. */
function run(text: string): unknown {
  try {
    return tokenize(text, { file: "a.tsx", allowsJSX: true })
  } catch (error) {
    if (error instanceof FwError) return error
    throw error
  }
}

test("a module with elements is split into tokens in linear time", async () => {
  await assertLinear("tokenize", run, [
    repeated("<A,>("),
    repeated("<A>("),
    repeated("<A>(", "", "</A>"),
    repeated("type F = <A>(a: A) => A\n", "", "</A>"),
    repeated("<A>{", "", "</A>"),
    repeated("<A>'{/*'", "", "</A>"),
    repeated("<A b={", "", "</A>"),
    repeated("<A b='"),
    repeated("</"),
    repeated("<a>x</a>"),
    repeated("<a>", "", "</a>"),
    repeated("<a><b>", "", "</a>"),
    repeated(`\`$${"{"}<a>{`, "", "</a>"),
  ])
})

test.run()
