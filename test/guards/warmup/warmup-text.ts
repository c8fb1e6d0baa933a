import type { Guard } from "../guard.ts";

const TEXT = "test/domain/warmup/text.test.ts";
const WRITER = "test/domain/warmup/writer.test.ts";
const SIGNATURE = "test/domain/warmup/signature.test.ts";

export const WARMUP_TEXT: Guard[] = [
  {
    guard: "All turns of a warmup conversation name the same details, because the opening alone draws them",
    file: "domain/warmup/text.ts",
    text: "const details = detailsOf(openingId, phrases, scenario);",
    instead: "const details = detailsOf(openingId + String(turn), phrases, scenario);",
    test: "test/domain/warmup/text.deep.test.ts",
    only: "stay consistent through all four turns",
  },
  {
    guard: "An answer of a warmup conversation has the subject of its opening, not one that its own turn draws",
    file: "domain/warmup/text.ts",
    text: 'phrase(scenario.subject, { openingId, turn: 1, part: "subject" }, details)',
    instead: 'phrase(scenario.subject, { openingId, turn, part: "subject" }, details)',
    test: TEXT,
    only: "an answer has the subject",
  },
  {
    guard: "The words of a warmup mail are drawn for each mail, so that no two are equal",
    file: "domain/warmup/text.ts",
    text: "const seed = { recipientId: place.openingId,",
    instead: 'const seed = { recipientId: "",',
    test: "test/domain/warmup/text.deep.test.ts",
    only: "openings in en",
  },
  {
    guard: "A display name that is broken over lines is one line in an email",
    file: "domain/warmup/writer.ts",
    text: '.replace(/[\\p{Cc}\\p{Z}]+/gu, " ")',
    instead: "",
    test: WRITER,
  },
  {
    guard: "Invisible characters and marks of direction leave a name",
    file: "domain/warmup/writer.ts",
    text: '.replace(INVISIBLE, "")',
    instead: "",
    test: WRITER,
  },
  {
    guard: "Only letters make the name of a person: no tags, addresses, templates or numbers",
    file: "domain/warmup/writer.ts",
    text: "!words.every((word) => PERSONS_WORD.test(word)) || ",
    instead: "",
    test: WRITER,
  },
  {
    guard: "A name of thousands of characters is no one's",
    file: "domain/warmup/writer.ts",
    text: "if (words.length === 0 || name.length > LONGEST_NAME) return null;",
    instead: "if (words.length === 0) return null;",
    test: WRITER,
  },
  {
    guard: "A firm's name that is signed with holds no address of a page",
    file: "domain/warmup/writer.ts",
    text: "isShort && words.every((word) => FIRMS_WORD.test(word))",
    instead: "isShort",
    test: WRITER,
  },
  {
    guard: "A warmup mail leads nowhere: links of a signature are words",
    file: "domain/warmup/text.ts",
    text: '.replace(/<\\/?a\\b[^>]*>/g, "")',
    instead: "",
    test: SIGNATURE,
  },
  {
    guard: "A signature carries no attributes, in which marks could hide",
    file: "domain/warmup/text.ts",
    text: '.replace(/<(\\/?[a-z][a-z0-9]*)\\b[^>]*?(\\s\\/)?>/g, "<$1$2>")',
    instead: "",
    test: SIGNATURE,
  },
  {
    guard: "A signature that needs a lead or an unsubscription gives way to the name",
    file: "domain/warmup/text.ts",
    text: 'if (missingVariables.length > 0 || usedVariables.includes("unsubscribeLink")) return null;',
    instead: "void [missingVariables, usedVariables];",
    test: SIGNATURE,
  },
  {
    guard: "A signature longer than an email, or with an address hidden in an address, gives way to the name",
    file: "domain/warmup/text.ts",
    text: " || text.length > LONGEST || ADDRESS.test(bare)",
    instead: "",
    test: SIGNATURE,
  },
];
