/** The message about a part that a bundle has left out. Every bundle includes it, even if it has no other messages. */
import type { Messages } from "./message.ts"

export const leftOutMessages = {
  left_out: (part: string) => [
    `this program was bundled without the part ${part}, but uses it`,
    `Remove ${part} from --without of fw build, or the condition fw-without-${part} from your bundler.${
      part === "logger" ? " Or write new App({ logger: false })." : ""
    }`,
  ],
} satisfies Messages
