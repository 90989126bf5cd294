/** The message for a part that a bundle leaves out. Bundles without the other messages have this one too. */
import type { Messages } from "./message.ts"

export const leftOutMessages = {
  left_out: (part: string) => [
    `this program was bundled without the part ${part}, but uses it`,
    `Remove ${part} from --without of fw build, or the condition fw-without-${part} from your bundler.${
      part === "logger" ? " Or write new App({ logger: false })." : ""
    }`,
  ],
} satisfies Messages
