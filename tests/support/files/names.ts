/** Names that files may have in every engine, and names that they may not have. */

const long = (count: number) => "n".repeat(count)

export const goodNames: readonly string[] = [
  ...[
    "a",
    "a.b.c",
    "photos/7.png",
    "a b/c d.txt",
    "ünïcode/日本 🎉.txt",
    "100%",
    "a+b",
    "a&b=c;d,e",
    "x'(x)!",
    "$@{}^[]#",
  ],
  ...["a..b", "--", "_", ".well-known/x", long(180), `${`${long(99)}/`.repeat(9)}${long(100)}`],
]

export const badNames: readonly unknown[] = [
  ...["", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", ".a", "a/.b", ".env", ".git/config"],
  ...["a\\b", "..\\a", "a\u0000", "a\nb", "a\u007f", "a\ud800", "\ufffe"],
  // Two spellings of one letter would be two files in S3, and one on a Mac.
  "a\u0308",
  // Windows reads these names as another file, a device or a stream.
  ...["a:b", "a.", "a ", "con", "CON.txt", "a/nul", "lpt1", "PROGRA~1", "a?", "a*", 'a"', "a<", "a|"],
  ...[long(181), "ü".repeat(91), `${long(100)}/`.repeat(10)],
  ...[undefined, null, 7, {}, ["a"]],
]
