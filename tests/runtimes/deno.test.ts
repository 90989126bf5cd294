/** Runs the contract on Deno, over real sockets. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("deno", () => startProgram("deno", "deno"))
test.run()
