import { isRoleAddress, partsOfName } from "../values/address.ts";

/** The name, address and signature that a mailbox's emails show. */
export interface WarmupWriter {
  name: string | null;
  email: string;
  signatureHtml: string | null;
}

/** The most characters of a name in a greeting. A person with a longer name is greeted without a name. */
const LONGEST_NAME = 60;
const MOST_WORDS = 6;
/** How many characters of a display name are read. */
const MOST_READ = 200;

const INVISIBLE =
  /\p{Cf}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\p{Variation_Selector}|\u{20E3}/gu;
/**
 * The part of a display name after the person's name, such as a company or a department, as in `Ann Miller | Acme` or
 * `Ann Miller (Acme)`.
 */
const BEHIND_NAME = /\s[-–—@]\s.*|\s(?:from|at|von|bei|de chez|chez)\s.*|[|(/·•].*/u;
const INITIALS = /^(?:\p{L}\.)+$/u;
/** A word of a person's name. It has no dot inside, because mail programs would read it as a web address. */
const PERSONS_WORD = /^(?:(?:\p{L}\.)+|\p{L}[\p{L}\p{M}'’-]*\.?)$/u;
const FIRMS_WORD = /^(?:&|(?:\p{L}\.)+|[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&-]*\.?)$/u;
const LONG_NUMBER = /\d{4}/;
const TITLE = /^(?:dr|prof|mr|mrs|ms|miss|herr|frau|mag|dipl|ing|m|mme|mlle|me|sr|sra|srta|d|do?ña|don|lic)\.?$/iu;
const NO_PERSON =
  /^(?:team|equipe|équipe|equipo|support|sales|vertrieb|ventes|ventas|info|kontakt|contact|contacto|service|servicio|office|büro|newsletter|marketing|gmbh|ag|kg|ug|inc|ltd|llc|plc|corp|company|group|gruppe|groupe|grupo|sarl|sas|sa|sl|slu|srl|bv|noreply|no-reply|customer|kundenservice|admin)\.?$/iu;

/**
 * The name by which a person is greeted: the display name or, without one, the words of a local part such as
 * `ann.miller`. Null for anything that does not look like a person's name. It is one line of letters, without anything
 * that a mail program or a template would interpret.
 */
export function personsName(writer: WarmupWriter): { full: string; first: string } | null {
  const name = readName(writer.name);
  return personIn(name) ?? (name === "" || isFirm(name) ? personIn(spellOut(writer.email)) : null);
}

/**
 * The last line of an email without a signature: the name of the person, or of the company or team whose mailbox it is.
 * Null for none.
 */
export function signersName(writer: WarmupWriter): string | null {
  const name = readName(writer.name);
  return personIn(name)?.full ?? (isFirm(name) ? name : (personsName(writer)?.full ?? null));
}

function personIn(name: string): { full: string; first: string } | null {
  const words = nameWords(name);
  if (words.length === 0 || name.length > LONGEST_NAME) return null;
  if (
    words.length > MOST_WORDS ||
    !words.every((word) => PERSONS_WORD.test(word)) ||
    words.some((word) => NO_PERSON.test(word))
  )
    return null;
  const first = words.find((word) => !TITLE.test(word) && !INITIALS.test(word));
  return first === undefined
    ? null
    : { full: words.join(" "), first: TITLE.test(words[0] ?? "") && words.length === 2 ? name : first };
}

function isFirm(name: string): boolean {
  const words = nameWords(name);
  const isShort = words.length > 0 && words.length <= MOST_WORDS && name.length <= LONGEST_NAME;
  return isShort && words.every((word) => FIRMS_WORD.test(word)) && !LONG_NUMBER.test(name) && /\p{L}/u.test(name);
}

/**
 * A display name as one line of visible characters. What follows the name is left out, and `Miller, Ann` is reversed.
 */
function readName(name: string | null): string {
  const line = (name ?? "").slice(0, MOST_READ).toWellFormed().normalize("NFC").replace(INVISIBLE, "");
  const [own] = line
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(/^["'\s]+|["'\s]+$/g, "")
    .split(BEHIND_NAME);
  return partsOfName((own ?? "").trim()).fullName;
}

/**
 * The name in the local part of an address: Ann Miller for `ann.miller@`. A single word does not count, because it may
 * be anything, and neither does a role such as `sales`.
 */
function spellOut(email: string): string {
  const words = email.slice(0, email.lastIndexOf("@")).replace(/\+.*$/, "").split(/[._-]/);
  const isName =
    words.length === 2 &&
    words.every((word) => /^\p{L}{2,20}$/u.test(word) && !isRoleAddress(`${word.toLowerCase()}@`));
  return isName ? words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join(" ") : "";
}

function nameWords(name: string): string[] {
  return name.split(" ").filter((word) => word !== "");
}
