/** The text formats that are checked. All other formats are only descriptions. */

/** A valid value of each format, for messages. */
export const formatExamples = {
  "date-time": "2027-01-31T09:30:00Z",
  date: "2027-01-31",
  time: "09:30:00Z",
  duration: "P1DT12H",
  email: "ada@example.com",
  hostname: "shop.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/a",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  byte: "aGVsbG8=",
} as const

/** A text format that is checked. */
export type TextFormat = keyof typeof formatExamples

/** Returns true for the name of a format that is checked. */
export function isTextFormat(name: string): name is TextFormat {
  return Object.hasOwn(formatExamples, name)
}
