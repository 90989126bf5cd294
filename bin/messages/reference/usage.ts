/** The error reference of command lines. */
import { usageMessages } from "../usage.ts"
import { entriesOf } from "./entry.ts"

export const usage = entriesOf(usageMessages, {
  unknown_command: [
    "`fw --help` lists the commands.",
    {
      unknown_command: ["fw genrate", 'Did you mean "fw generate"?'],
      "unknown_command.help": ["port_in_us", "port_in_use"],
    },
  ],
  unknown_flag: [
    "`--help` after a command lists its flags.",
    { unknown_flag: ["fw dev", "--prot", 'Did you mean "--port"?'] },
  ],
  repeated_flag: ["Only flags that take a list may be given again.", { repeated_flag: ["port"] }],
  missing_value: [
    "The flag takes a value, which comes after a space or an equals sign.",
    { missing_value: ["port", "<port>"] },
  ],
  invalid_value: [
    "The value does not fit the flag or the argument. The message lists what fits.",
    {
      "invalid_value.boolean": ["--json", "maybe"],
      "invalid_value.number": ["--port", "80000", 0, 65_535],
      "invalid_value.word": ["--format", "yml", ["json", "yaml"], "yaml"],
      "invalid_value.workers": ["many", 1024],
      "invalid_value.list": ["--methods", "GET,,POST"],
      "invalid_value.target": [20_000, 16_384],
      "invalid_value.method": ["GTE", "GET"],
    },
  ],
  missing_command: [
    "The name is the name of a group of commands.",
    {
      missing_command: ["fw css", ["install", "build", "watch", "info"]],
      "missing_command.dashes": ["fw css"],
    },
  ],
  missing_argument: [
    "The command needs an argument. `--help` after the command shows how it is written.",
    { missing_argument: ["fw generate route", "path"], "missing_argument.request": [] },
  ],
  unexpected_argument: [
    "There are more arguments than the command takes. An argument that begins with a hyphen comes after `--`.",
    {
      unexpected_argument: ["fw new", ["[name]"], "shop2"],
      "unexpected_argument.explain": ["GET"],
    },
  ],
  usage: [
    "Two flags do not go together, or a flag does not fit the command.",
    {
      "usage.build_stdout": ["--output", "bin/app"],
      "usage.build_machine": ["--os", "workers"],
      "usage.build_image": ["--target"],
      "usage.build_image_system": ["darwin"],
      "usage.build_without": [],
      "usage.build_base": [],
      "usage.explain_unlinked": [],
      "usage.watch_json": [],
      "usage.watch_stdout": [],
    },
  ],
})
