/** The code of helpers that read texts: dates, integers, form fields, and the formats of JSON Schema. */
import type { TextFormat } from "../openapi/types/text-formats.ts"

/** The helpers by name, as in `helpers`. */
export const textHelpers: Readonly<Record<string, { readonly text: string; readonly uses?: readonly string[] }>> = {
  // RFC 3339 §5.6 and §5.7. A leap second becomes the following second, because Date does not have leap seconds. A
  // time whose year in UTC does not have four digits is refused, because JSON would contain it as +010000-….
  parseDate: {
    text: `function two(x, at) {
  const [a, b] = [x.charCodeAt(at) - 48, x.charCodeAt(at + 1) - 48]
  return a >= 0 && a <= 9 && b >= 0 && b <= 9 ? a * 10 + b : Number.NaN
}
function isDay(year, month, day) {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false
  if (day < 29) return true
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
}
function parseDate(x) {
  if (typeof x !== "string" || x.length < 20) return undefined
  if (x[4] !== "-" || x[7] !== "-" || x[13] !== ":" || x[16] !== ":" || (x[10] !== "T" && x[10] !== "t")) return undefined
  const year = two(x, 0) * 100 + two(x, 2)
  const [month, day] = [two(x, 5), two(x, 8)]
  const [hour, minute, second] = [two(x, 11), two(x, 14), two(x, 17)]
  let end = 19
  let milliseconds = 0
  if (x[19] === ".") {
    for (let scale = 100, digit; (digit = x.charCodeAt(end + 1) - 48) >= 0 && digit <= 9; end++) {
      milliseconds += digit * scale
      scale = Math.floor(scale / 10)
    }
    if (end++ === 19) return undefined
  }
  let offset = 0
  if (x[end] !== "Z" && x[end] !== "z") {
    if ((x[end] !== "+" && x[end] !== "-") || x[end + 3] !== ":" || x.length !== end + 6) return undefined
    const [hours, minutes] = [two(x, end + 1), two(x, end + 4)]
    if (!(hours <= 23 && minutes <= 59)) return undefined
    offset = (hours * 60 + minutes) * (x[end] === "-" ? -1 : 1)
  } else if (x.length !== end + 1) return undefined
  if (!(hour <= 23 && minute <= 59 && second <= 60 && year >= 0) || !isDay(year, month, day)) return undefined
  if (second === 60 && (hour * 60 + minute - offset + 1440) % 1440 !== 1439) return undefined
  if (year >= 100) {
    const time = Date.UTC(year, month - 1, day, hour, minute - offset, second, milliseconds)
    return time < 253402300800000 ? new Date(time) : undefined
  }
  // Date.UTC() would read years below 100 as years of the 20th century.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offset, second, milliseconds)
  return date.getUTCFullYear() >= 0 ? date : undefined
}`,
  },
  parseFormDate: {
    uses: ["parseDate"],
    text: `function parseFormDate(x) {
  return parseDate(typeof x === "string" && /^\\d{4}-\\d\\d-\\d\\d$/.test(x) ? x + "T00:00:00Z" : x)
}`,
  },
  parseBigint: {
    text: `function parseBigint(x) {
  return typeof x === "string" && x.length <= 1001 && /^-?\\d{1,1000}$/.test(x) ? BigInt(x) : undefined
}`,
  },
  parseNumber: {
    text: `function parseNumber(x) {
  if (typeof x !== "string" || !/^-?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?$/.test(x)) return undefined
  const number = Number(x)
  return Number.isFinite(number) ? number : undefined
}`,
  },
  parseBoolean: {
    text: `function parseBoolean(x) {
  return x === "true" || x === "on" ? true : x === "false" ? false : undefined
}`,
  },
  // The words are those of c.queryBool().
  parseFlag: {
    text: `function parseFlag(x) {
  if (typeof x !== "string") return undefined
  return /^(?:true|1|yes|on)$/i.test(x) ? true : /^(?:false|0|no|off)$/i.test(x) ? false : undefined
}`,
  },
  isFile: {
    text: `function isFile(x) {
  return typeof x === "object" && x !== null && typeof x.arrayBuffer === "function" && typeof x.size === "number"
}`,
  },
  // An empty input counts as missing, and a name that was sent once has a single value.
  field: {
    text: `function isEmpty(x) {
  return x === "" || (typeof x === "object" && x !== null && x.name === "" && x.size === 0)
}
function field(x) {
  const given = Array.isArray(x) ? x.filter((one) => !isEmpty(one)) : isEmpty(x) ? [] : [x]
  return given.length < 2 ? given[0] : given
}`,
  },
  textField: {
    uses: ["field"],
    text: `function textField(x) {
  const given = field(x)
  return given === undefined && (x === "" || (Array.isArray(x) && x[0] === "")) ? "" : given
}`,
  },
  listField: {
    uses: ["field"],
    text: `function listField(x) {
  const given = field(x)
  return given === undefined || Array.isArray(given) ? given : [given]
}`,
  },
  "is date-time": { uses: ["parseDate"], text: "const isDateTime = (x) => parseDate(x) !== undefined" },
  "is date": {
    uses: ["parseDate"],
    text: `function isDate(x) {
  return /^\\d{4}-\\d\\d-\\d\\d$/.test(x) && isDay(Number(x.slice(0, 4)), Number(x.slice(5, 7)), Number(x.slice(8)))
}`,
  },
  "is time": { uses: ["parseDate"], text: 'const isTimeText = (x) => parseDate("2000-01-01T" + x) !== undefined' },
  "is duration": {
    text: "const isDuration = (x) => /^P(?!$)(?:\\d+W|(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?)$/.test(x)",
  },
  "is email": {
    text: "const isEmail = (x) => /^[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\\d](?:[a-z\\d-]*[a-z\\d])?\\.)+[a-z\\d](?:[a-z\\d-]*[a-z\\d])?$/i.test(x)",
  },
  "is hostname": {
    text: "const isHostname = (x) => x.length <= 253 && /^[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?(?:\\.[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?)*\\.?$/i.test(x)",
  },
  "is ipv4": {
    text: "const isIPv4 = (x) => /^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}$/.test(x)",
  },
  // RFC 4291 §2.2: eight groups. One run of zeros may be left out, and the last two groups may be an IPv4 address.
  "is ipv6": {
    uses: ["is ipv4"],
    text: `function isIPv6(x) {
  if (x.length > 45) return false
  const halves = x.split("::")
  if (halves.length > 2) return false
  let count = 0
  for (const [i, half] of halves.entries()) {
    const groups = half === "" ? [] : half.split(":")
    for (const [n, group] of groups.entries()) {
      const isLast = i === halves.length - 1 && n === groups.length - 1
      if (isLast && isIPv4(group)) count += 2
      else if (/^[\\da-f]{1,4}$/i.test(group)) count++
      else return false
    }
  }
  return halves.length === 2 ? count < 8 : count === 8
}`,
  },
  // RFC 3986 §3. Each part ends at a character that it cannot contain, so no part is read twice.
  "is uri": {
    text: "const isURI = (x) => /^[a-z][a-z\\d+.-]*:(?:\\/\\/(?:(?:[\\w.~!$&'()*+,;=:-]|%[\\da-f]{2})*@)?(?:\\[[\\da-f:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2})*)(?::\\d*)?(?:\\/(?:[\\w.~!$&'()*+,;=:@-]|%[\\da-f]{2})*)*|\\/?(?:(?:[\\w.~!$&'()*+,;=:@-]|%[\\da-f]{2})+(?:\\/(?:[\\w.~!$&'()*+,;=:@-]|%[\\da-f]{2})*)*)?)(?:\\?(?:[\\w.~!$&'()*+,;=:@/?-]|%[\\da-f]{2})*)?(?:#(?:[\\w.~!$&'()*+,;=:@/?-]|%[\\da-f]{2})*)?$/i.test(x)",
  },
  "is uuid": { text: "const isUUID = (x) => /^[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}$/i.test(x)" },
  "is byte": {
    text: "const isByte = (x) => x.length % 4 === 0 && /^[A-Za-z\\d+/]*={0,2}$/.test(x)",
  },
}

/** The name of the function that checks each text format. */
export const formatHelpers: Readonly<Record<TextFormat, string>> = {
  "date-time": "isDateTime",
  date: "isDate",
  time: "isTimeText",
  duration: "isDuration",
  email: "isEmail",
  hostname: "isHostname",
  ipv4: "isIPv4",
  ipv6: "isIPv6",
  uri: "isURI",
  uuid: "isUUID",
  byte: "isByte",
}
