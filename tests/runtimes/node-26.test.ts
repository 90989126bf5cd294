/** Runs the contract on Node 26, over real sockets, and its server cases also with FW_FAST=false. */
import { test } from "uvu"
import { servedCases } from "../support/contract/all.ts"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-26", () => startProgram("node-26", "node"))
drive("node-26 with FW_FAST=false", () => startProgram("node-26", "node", { FW_FAST: "false" }), { cases: servedCases })
test.run()
