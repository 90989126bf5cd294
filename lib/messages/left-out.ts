/** The message of a part that a bundle leaves out. A bundle without any other message has it: it says which flag to change. */
import type { Messages } from "../catalogue.ts"

export const leftOutMessages = {
  left_out: (flag: string) => [
    `this bundle was built with FW_${flag}=false, but uses what that leaves out`,
    `Write // FW_${flag} in main.ts for fw build, or do not define it.`,
  ],
} satisfies Messages
