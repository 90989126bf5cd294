/**
 * The list of words and constructions that this project does not use, with what to write instead, and their exceptions.
 * Read by scripts/words.mjs, which is a part of `npm run check`. CONTRIBUTING.md has the reasons.
 */

/**
 * Files and folders that are checked. A folder counts with everything below it. Add a folder as soon as it is clean.
 */
export const scope = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "README.md",
  "adapters",
  "bench",
  "bin",
  "docs",
  "examples",
  "explorer",
  "lib",
  "scaffold",
  "scripts",
  "tests",
]

/** Files in these folders that are not written by us, or that quote the banned words on purpose. */
export const ignored = [
  /(?:^|\/)(?:node_modules|dist|\.fw|fixtures|vendor)\//,
  // The list itself.
  /^scripts\/plain-english\.mjs$/,
  // Its test.
  /^tests\/(?:\w+\/)?words\.test\.ts$/,
]

/**
 * @typedef {object} Rule
 * @property {RegExp} find the banned form
 * @property {string} write what to write instead
 * @property {readonly string[]} bad texts that the rule finds
 * @property {readonly RegExp[]} [except] forms that are right although `find` matches a part of them
 * @property {readonly string[]} [good] texts that the rule leaves alone, at least one for each exception
 * @property {"doc"} [only] looks at the first words of doc comments only
 */

/** @type {readonly Rule[]} */
export const rules = [
  // Words of another century.
  { find: /\bmend(?:s|ed|ing|able)?\b/i, write: "fix", bad: ["Mend the file", "how to mend it", "mended"] },
  {
    find: /\b(?:tells?|telling|told)\b/i,
    write: "say, show, report or return",
    bad: ["it tells what is wrong", "was told", "telling the client"],
    except: [/\b(?:tells?|told)\b[^.;]{0,60}\bapart\b/i],
    good: ["so that the two can be told apart", "the table"],
  },
  { find: /\banew\b/i, write: "again", bad: ["built anew"], good: ["a new file"] },
  {
    find: /\bbeside\b/i,
    write: "next to, besides or apart from",
    bad: ["a file beside it"],
    good: ["besides the file"],
  },
  {
    find: /\balone\b/i,
    write: "only, or on its own",
    bad: ["over HTTPS alone"],
    except: [/\b(?:leaves?|left|leaving|lets?) (?:\S+ ){0,4}alone\b/i, /\bstand-alone\b/i],
    good: ["leave the file alone", "leaves what a person wrote alone", "a stand-alone program"],
  },
  { find: /\b(?:lends?|lent|lending)\b/i, write: "give, or pass", bad: ["lends its socket"] },
  { find: /\bhurr(?:y|ies|ied)\b/i, write: "be quick, or end early", bad: ["it hurries"] },
  { find: /\btame[sd]?\b/i, write: "limit, or make safe", bad: ["tamed"], good: ["the same"] },
  { find: /\bdeeds?\b/i, write: "action", bad: ["a deed"], good: ["indeed"] },
  {
    find: /\b(?:where|there|here)(?:by|in|of|upon|with|to|from|fore|on|unto|abouts)\b/i,
    write: "a new sentence, or so, in it, of it",
    bad: ["whereby it ends", "thereof", "herein", "wherein"],
    except: [/\btherefore\b/i],
    good: ["therefore it waits", "there is one"],
  },
  {
    find: /\b(?:hence(?:forth)?|thence|whence|hither(?:to)?|thither|whilst|amongst|albeit|nigh|ere|nought|aught|heeds?|heeded|yonder|betimes|unto|upon)\b/i,
    write: "today's word: so, from there, while, among, although, before, nothing, respects, on",
    bad: ["whence it came", "whilst it runs", "upon a save", "it heeds the header"],
  },
  { find: /\blest\b/i, write: "so that … not", bad: ["lest it fails"] },
  { find: /\bbe (?:it|they) (?:a|an|the|of|from|in|by)\b/i, write: "whether it is", bad: ["be it a file"] },
  { find: /\bsave for\b/i, write: "except", bad: ["all save for one"] },
  { find: /\bin vain\b/i, write: "without success", bad: ["waits in vain"] },
  { find: /\bfor ever\b/i, write: "forever, or without end", bad: ["runs for ever"] },
  {
    find: /\b(?:speaks?|spoken|speaking) of\b/i,
    write: "mention, or be about",
    bad: ["the text speaks of it"],
  },
  {
    find: /\bparted\b/i,
    write: "separated, or split",
    bad: ["parted by commas"],
  },
  {
    find: /\b(?:if|as|what(?:ever)?) (?:it|they|he|she|one) likes?\b/i,
    write: "optional, or any",
    bad: ["if it likes"],
  },
  { find: /\bbelongs? into\b/i, write: "belongs in", bad: ["it belongs into parts"] },
  { find: /\baffairs?\b/i, write: "the decision of …, or ignore it", bad: ["that is its own affair"] },

  {
    find: /\bstands?\b/i,
    write: "is, is written, or waits",
    bad: ["it stands in a row", "where they stand"],
    except: [/\bstands? (?:for|out)\b/i, /\bstand-(?:ins?|alone)\b/i],
    good: ["id stands for the name", "a stand-in for the request", "a stand-alone program"],
  },
  { find: /\bwhoever\b/i, write: "anyone who", bad: ["whoever reads it"] },
  {
    find: /(?:^ *|[.;:,] +(?:and )?)so too\b/i,
    write: "also, or the same is true of",
    bad: ["it stops; so too where it fails"],
    good: ["the message says so too"],
  },
  { find: /\bcomes? of\b/i, write: "result", bad: ["what comes of it"] },
  { find: /\bof (?:itself|themselves)\b/i, write: "by itself", bad: ["it ends of itself"] },
  {
    find: /\b(?:becomes?|became) of\b/i,
    write: "happen to, or result of",
    bad: ["what becomes of a job"],
  },
  { find: /\bof one's own\b/i, write: "your own", bad: ["a Response of one's own"] },
  { find: /\bat hand\b/i, write: "available, or there", bad: ["all of it is at hand"] },
  { find: /\bin the midst\b/i, write: "during, or in the middle", bad: ["in the midst of a request"] },
  { find: /\bas yet\b/i, write: "yet, or so far", bad: ["none as yet"] },
  { find: /\b(?:is|are) it to be\b/i, write: "should it be", bad: ["What is it to be?"] },

  // Metaphors.
  { find: /\brehears\w*/i, write: "warm up, or try", bad: ["a rehearsal", "rehearses"] },
  { find: /\bbackstage\b/i, write: "the name of the part", bad: ["the backstage"] },
  { find: /\bfarewell\b/i, write: "close, or last message", bad: ["its farewell"] },
  { find: /\bbreaths?\b/i, write: "pause, or turn of the event loop", bad: ["in one breath"] },
  { find: /\bhouses?\b/i, write: "project, or layout", bad: ["how the house is laid out"] },
  { find: /\bdoors?\b/i, write: "interface, port or entry", bad: ["a closed door"] },
  {
    find: /\bgates?\b/i,
    write: "queue, check or guard",
    bad: ["waits at the gate"],
    good: ["an API gateway"],
  },
  {
    find: /\bstages?\b/i,
    write: "step, or phase",
    bad: ["the next stage"],
    except: [
      /\bmulti-stage\b/i,
      /\b(?:Docker|image|HTTP API|API Gateway)\b[^.]*\bstages?\b/i,
      /\bstages?\b[^.]*\b(?:Dockerfile|image|HTTP API|API Gateway)\b/i,
    ],
    good: ["the second Docker stage", "a multi-stage image", "the stage name of an HTTP API"],
  },

  // Constructions.
  {
    find: /(?<!\bthere )\b(?:is|are|was|were|be|been) no (?!longer\b|more than\b|less than\b|later than\b|earlier than\b)\w+/i,
    write: '"is not a …"; "there is no …" is fine',
    bad: ["x is no port", "which is no valid method", "are no handlers"],
    good: ["there is no port", "it is no longer there", "is no more than 3"],
  },
  {
    find: /(?<!\bthere )\b(?:is|are) none\b/i,
    write: '"is not one"; "there is none" is fine',
    bad: ["a token that is none"],
    good: ["there is none"],
  },
  {
    find: /\b(?:one|two|three|once|line|file|module|process) an? (?:request|command|runtime|connection|client|file|folder|save|code|subject|topic|line|route|page|host|app|user|message|test)\b/i,
    write: "per",
    bad: ["one line a request", "one a request", "one file a command"],
    good: ["one per request"],
  },
  {
    find: /(?:^ *|[.;:(|] +|\b(?:to|for|from|by|of|with|on|and|but|as|than|that) )whom?\b(?![^.]*\?)/i,
    write: '"clients that …", "anyone who …"',
    bad: [
      "429 to who asks too often",
      "on whom it depends",
      "Who reads the file can sign in.",
      "A file: who reads it",
    ],
    except: [
      /\b(?:those|people|anyone|everyone|users?|clients?|developers?|readers?|somebody|someone|nobody|one) (?:to|for|from|by|of|with|and|but) who\b/i,
    ],
    good: ["anyone who asks", "Who may ask?", "for people of your team, for users and who they are"],
  },
  {
    find: /\b(?:with|in|its|these|those|own|more|few|of) words\b/i,
    write: "text, arguments or message",
    bad: ["failing with words", "these words are read"],
    good: ["in other words", "reserved words"],
  },
  {
    only: "doc",
    find: /^(?:What|Whether|Which|How|Who|Whose|Where|Whatever)\b/,
    write: "a noun or a verb first: Returns, Parses, True if, The place of",
    bad: ["Whether it is there.", "What a file holds.", "How long it takes."],
    good: ["Returns what a file holds.", "True if it is there."],
  },
]
