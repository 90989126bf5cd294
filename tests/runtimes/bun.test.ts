/** Runs the contract on Bun, over real sockets. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("bun", () => startProgram("bun", "bun"))
test.run()
