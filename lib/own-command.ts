/** Names the commands of this program in messages, such as `fw jobs list`. */

let start = "fw"

/** Sets what the user types before a command of a built program: `./shop`. */
export function setCommandStart(text: string): void {
  start = text
}

/** Returns a command of this program as the user types it: `fw jobs list`, or `./shop jobs list`. */
export function toOwnCommand(command: string): string {
  return `${start} ${command}`
}
