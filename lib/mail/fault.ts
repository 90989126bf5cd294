/** Creates errors about mails. */
import { createFaults } from "../errors/catalogue.ts"
import { mailMessages } from "../messages/mail.ts"

/** Makes an error from the catalogue, by the name of its message. */
export const mailFault = /* @__PURE__ */ createFaults(mailMessages)
