/** `import "fw/workers/messages"`: errors for developers in whole sentences, in a worker. */
import { platform } from "#platform"
import { messages } from "../../lib/messages.ts"

platform.features.messages ??= messages
