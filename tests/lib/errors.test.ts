/** Errors at each link of the chain, on every way in. */
import { test } from "uvu"
import { errorHeaderCases } from "../support/contract/error-headers.ts"
import { errorCases } from "../support/contract/errors.ts"
import { failureCases } from "../support/contract/failures.ts"
import { contract } from "../support/contract/runner.ts"

contract([...failureCases, ...errorCases, ...errorHeaderCases])

test.run()
