/**
 * Creates the functions that take the place of a part which a bundle leaves out. The core imports each part by a name
 * such as `#parts/forms`. With the package condition `fw-without-forms`, that name leads to `without-forms.ts`, whose
 * functions throw.
 */
import { createFaults } from "../errors/catalogue.ts"
import { leftOutMessages } from "../messages/left-out.ts"

const leftOutFault = /* @__PURE__ */ createFaults(leftOutMessages)

/** Returns a function in place of a function of a part. @throws FwError `left_out` when it is called. */
export function createLeftOut(part: string): () => never {
  return () => {
    throw leftOutFault("left_out", [part])
  }
}
