/** Cookies set and read back, on every way in. */
import { test } from "uvu"
import { cookieCases } from "../../support/contract/cookies.ts"
import { contract } from "../../support/contract/runner.ts"
import { signedCookieCases } from "../../support/contract/signed-cookies.ts"

contract(cookieCases)
contract(signedCookieCases)

test.run()
