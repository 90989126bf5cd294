/** Runs the contract's cases of errors in proxies, middleware and handlers, in every way to send a request. */
import { test } from "uvu"
import { errorHeaderCases } from "../support/contract/error-headers.ts"
import { errorCases } from "../support/contract/errors.ts"
import { failureCases } from "../support/contract/failures.ts"
import { contract } from "../support/contract/runner.ts"

contract([...failureCases, ...errorCases, ...errorHeaderCases])

test.run()
