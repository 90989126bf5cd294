/** Shortens values in messages that come from users or programs. */

/** The longest value in a message, in characters. */
const maxValueLength = 200

/** Matches a text in quotes or a word. */
const valuePattern = /"[^"\\]*(?:\\.[^"\\]*)*"|\S+/g

/** Shortens values with more than 200 characters to their start and end. */
export function shortenValues(message: string): string {
  if (message.length <= maxValueLength) return message
  return message.replace(valuePattern, (value) => {
    if (value.length <= maxValueLength) return value
    return `${value.slice(0, maxValueLength - 21)}…${value.slice(-20)}`
  })
}
