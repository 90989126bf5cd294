/** The part `messages`: the sentences of errors for the developer. */
import { applicationMessages } from "../messages/application.ts"
import { patternMessages } from "../messages/patterns.ts"

export { middlewareMessages } from "../messages/middleware.ts"
export { misuses } from "../messages/misuses.ts"

/** The messages about the registration and the configuration of a program. */
export const coreMessages = { ...applicationMessages, ...patternMessages }
