/** Runs the contract's cases of reading and answering with a context, in every way to send a request. */
import { test } from "uvu"
import { answersRefused } from "../support/contract/answers-refused.ts"
import { contextAnswers } from "../support/contract/context-answers.ts"
import { contextRequest } from "../support/contract/context-request.ts"
import { contextStore } from "../support/contract/context-store.ts"
import { contract } from "../support/contract/runner.ts"

contract([...contextRequest, ...contextStore, ...contextAnswers, ...answersRefused])

test.run()
