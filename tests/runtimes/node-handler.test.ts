/**
 * Runs the server cases of the contract with `nodeHandler` in a server of the program, over real sockets, with and
 * without FW_FAST=false.
 */
import { test } from "uvu"
import { servedCases } from "../support/contract/all.ts"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-handler", () => startProgram("node", "handler"), { cases: servedCases, sockets: false })
drive("node-handler with FW_FAST=false", () => startProgram("node", "handler", { FW_FAST: "false" }), {
  cases: servedCases,
  sockets: false,
})
test.run()
