/**
 * Runs the server cases of the contract on Node 24, over real sockets. The oldest and the newest Node also run them
 * with FW_FAST=false.
 */
import { test } from "uvu"
import { servedCases } from "../support/contract/all.ts"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-24", () => startProgram("node-24", "node"), { cases: servedCases })
test.run()
