import { OWN } from "./source-view.ts";

/** Words that greet without a name: "Hi," is a greeting, but "Hi ," lacks a name. */
const GREETINGS = [
  ..."hi|hello|hey|hiya|howdy|greetings|good morning|good afternoon|good evening|good day".split("|"),
  ..."hallo|moin|servus|guten tag|guten morgen|guten abend|grüß gott|grüss gott|grüezi|grüß dich".split("|"),
  ..."bonjour|bonsoir|salut|coucou|rebonjour".split("|"),
  ..."hola|buenos días|buenos dias|buenas tardes|buenas".split("|"),
  ..."olá|ola|oi|bom dia|boa tarde|caro|cara|ciao|buongiorno|buonasera|salve|buondì".split("|"),
  ..."hoi|dag|beste|geachte|goedemorgen|goedemiddag|goedendag|goeiemorgen".split("|"),
  ..."cześć|czesc|witaj|dzień dobry|dzien dobry|hej|hejsan|god morgon|god dag|hei|moi|moikka|heippa|terve".split("|"),
  ..."dobrý den|ahoj|dobrý deň|merhaba|selam|günaydın|bună|bună ziua|szia|jó napot|zdravo|pozdrav|dragi|draga|milý|milá".split(
    "|",
  ),
  ..."привет|здравствуйте|добрый день|доброе утро|вітаю|привіт|добрий день|γεια σας|γεια σου|καλημέρα".split("|"),
];

/** Words that need a name after them. */
const ADDRESSES = [
  ..."dear|dearest|liebe|lieber|liebe\\(r\\)|liebe/r|lieber?\\*r|sehr geehrte|sehr geehrter|sehr geehrte\\(r\\)|sehr geehrte/r|werte|werter".split(
    "|",
  ),
  ..."cher|chère|chere|cher\\(e\\)|chèr\\(e\\)|estimado|estimada|estimado/a|estimad@|querido|querida|querido/a".split(
    "|",
  ),
  ..."caro/a|prezado|prezada|prezado\\(a\\)|prezado/a|gentile|egregio|gentilissimo|gentilissima".split("|"),
  ..."drogi|droga|szanowny|szanowna|kära|käre|bäste|kære|kjære|hyvä|vážený|vážená".split("|"),
  ..."sayın|sevgili|stimate|stimată|dragă|kedves|tisztelt|poštovani".split("|"),
  ..."уважаемый|уважаемая|дорогой|дорогая|шановний|шановна|дорогий|αγαπητέ|αγαπητή|αγαπητέ/ή".split("|"),
];

/** Titles that need a name after them. "Madam" and "Monsieur" need none. */
const TITLES = [
  ..."mr|mrs|ms|mx|mister|dr|prof|herr|frau|herrn|herr/frau|frau/herr|hr|fr|mme|mlle|sr|sra|srta|sig|sig\\.ra|dott|dott\\.ssa|dhr|mevr|mw".split(
    "|",
  ),
];

/** A greeting that lacks its name. */
export interface EmptyGreeting {
  text: string;
  index: number;
}

const anyOf = (words: readonly string[]) =>
  `(?:${words.toSorted((one, other) => other.length - one.length).join("|")})`;
const TITLED = `(?:[ \\u00a0]{1,3}${anyOf(TITLES)}\\.?)`;
const [GREETING, ADDRESS] = [anyOf(GREETINGS), anyOf(ADDRESSES)];
const SPACE = "[ \\t\\u00a0]";

/** "Hi ,", "Hello !" and "Hi Mr.,". A smiley or dots after a greeting do not count. */
const AFTER_GREETING = new RegExp(
  `^${GREETING}(?:${SPACE}{1,5}(?:[,，]|\\.(?!\\.)|[:;](?=\\s|$)|!)|${TITLED}${SPACE}{0,5}[,!:])`,
  "iu",
);
/** "Dear ,", "Dear," and "Sehr geehrter Herr ,", and a line that ends there. */
const AFTER_ADDRESS = new RegExp(
  `^(?:${ADDRESS}${TITLED}?${SPACE}{0,5}(?:[,，!:;]|[-–—](?=\\s|$))|(?:${ADDRESS}${TITLED}|dear|sehr geehrte[rs]?)$)`,
  "iu",
);
/** ", I saw your page": the name before the comma is missing. */
const NO_BEGINNING = /^[,;!?](?=[ \u00a0]\S)/;
/** French puts a space before these signs. */
const SPACED_SIGN = /[!:;?]$/;
const FRENCH_GREETING = /^(?:bonjour|bonsoir|salut|coucou|rebonjour)/i;
const FRENCH = /(?<![\p{L}])(?:je|vous|nous|votre|vos|notre|pour|avec|est|une|des|et|le|la|les)(?![\p{L}])/giu;
const FEWEST_FRENCH = 5;
const LEADING = /^[\s"'“„«*_>\u00a0]{0,20}/;

/** Finds greetings without a name at the beginning of a line. `text` is the text that readers see. */
export function findEmptyGreetings(text: string): EmptyGreeting[] {
  const isFrench = (text.match(FRENCH)?.length ?? 0) >= FEWEST_FRENCH;
  const found: EmptyGreeting[] = [];
  let index = 0;
  let isFirst = true;
  for (const line of text.split("\n")) {
    const lead = LEADING.exec(line)?.[0].length ?? 0;
    const words = line.slice(lead, lead + 120).trimEnd();
    const match =
      AFTER_GREETING.exec(words) ?? AFTER_ADDRESS.exec(words) ?? (isFirst ? NO_BEGINNING.exec(words) : null);
    if (match !== null && !isUsual(match[0], isFrench)) found.push({ text: match[0], index: index + lead });
    if (words !== "") isFirst = false;
    index += line.length + 1;
  }
  return found;
}

const OPENS = new RegExp(`^[\\s{"'*_>${OWN}]{0,400}(?:${GREETING}|${ADDRESS})(?![\\p{L}])`, "iu");

/** The lines of a text that greet someone or begin with a variable, as in "{{firstName}}, a question". */
export function findGreetingLines(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = 0;
  let isFirst = true;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (line.includes(OWN) || line.includes("|")) {
      if (OPENS.test(line.slice(0, 500)) || (isFirst && line.trimStart().startsWith(OWN))) found.push({ start, end });
    }
    if (line.trim() !== "") isFirst = false;
    start = end + 1;
  }
  return found;
}

function isUsual(greeting: string, isFrench: boolean): boolean {
  return SPACED_SIGN.test(greeting) && (isFrench || FRENCH_GREETING.test(greeting)) && !/\s\s/.test(greeting);
}
