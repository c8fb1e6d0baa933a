import { html as names, type Token, type TokenHandler, Tokenizer, TokenizerMode } from "parse5";
import { findMarked } from "./spintax.ts";
import { changeLinks } from "./text-links.ts";

/** The character that replaces each character of our Liquid tokens, and each escaped brace or pipe, in a view. */
export const OWN = "\ue000";

/** The value of an attribute that recipients see or follow. */
interface ViewedAttribute {
  tag: string;
  name: string;
  /** The decoded value, as in the recipient's mail program. */
  value: string;
  start: number;
}

/** A source as the recipient sees it, before values are inserted. */
export interface SourceView {
  /**
   * The visible text: without markup, comments, styles and code samples, with decoded entities and a line for each
   * block.
   */
  text: string;
  /** The position of each character of `text` in the source. */
  at: number[];
  attributes: ViewedAttribute[];
  /** Names of tags that are not HTML elements. Mail programs show nothing for them. */
  unknownTags: { name: string; start: number }[];
  /** The parts of `text` that are links. */
  linked: { start: number; end: number; href: string }[];
}

/** Creates the view of a source. Our tokens are replaced by `OWN`, so only text that is sent unchanged is left. */
export function viewSource(source: string, kind: "html" | "text"): SourceView {
  const masked = maskOwn(source);
  if (kind === "html") return new HtmlReader(masked).read();
  const text = masked.replace(CODE_SPAN, (code) => " ".repeat(code.length));
  const attributes: ViewedAttribute[] = [];
  changeLinks(text, (value) => {
    // The search starts after the previous link, because a text may contain the same URL twice
    const start = text.indexOf(value, (attributes.at(-1)?.start ?? -1) + 1);
    attributes.push({ tag: "", name: "href", value, start });
    return null;
  });
  return {
    text,
    at: Array.from({ length: text.length }, (_, index) => index),
    attributes,
    unknownTags: [],
    linked: [],
  };
}

function maskOwn(source: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of findMarked(source)) {
    parts.push(source.slice(from, start), OWN.repeat(end - start));
    from = end;
  }
  return parts.join("") + source.slice(from);
}

/** Code between backticks, as people write it in plain text. */
const CODE_SPAN = /`[^`\n]{1,300}`/g;
const SEEN_ATTRIBUTES = new Set(["href", "src", "alt", "title", "background"]);
const CODE = new Set(["code", "pre", "kbd", "samp"]);
const UNSEEN = new Map<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>([
  ["style", TokenizerMode.RAWTEXT],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["title", TokenizerMode.RCDATA],
  ["xml", TokenizerMode.DATA],
]);
const INLINE = new Set(
  "a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr o:p q s small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const KNOWN_TAGS = new Set<string>([...Object.values(names.TAG_NAMES), ...INLINE, ...CODE]);

/** Reads HTML with the tokenizer of browsers, which gives the position of each character. */
class HtmlReader implements TokenHandler {
  readonly #source: string;
  readonly #chars: string[] = [];
  readonly #view: SourceView = { text: "", at: [], attributes: [], unknownTags: [], linked: [] };
  readonly #tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this);
  #unseen: string | null = null;
  #code = 0;
  /** The end of the previous tag. */
  #from = 0;
  #link: { start: number; href: string } | null = null;

  constructor(source: string) {
    this.#source = source;
  }

  read(): SourceView {
    this.#tokenizer.write(this.#source, true);
    this.#view.text = this.#chars.join("");
    return this.#view;
  }

  onStartTag(token: Token.TagToken): void {
    const { tagName: name, location } = token;
    const start = location?.startOffset ?? 0;
    this.#pass(location);
    const mode = UNSEEN.get(name);
    if (mode !== undefined) {
      if (!token.selfClosing) this.#unseen ??= name;
      this.#tokenizer.state = mode;
      return;
    }
    if (CODE.has(name)) this.#code++;
    if (!INLINE.has(name)) this.#push("\n", start);
    if (!KNOWN_TAGS.has(name) && !/[:-]/.test(name))
      this.#view.unknownTags.push({ name: this.#source.slice(start, location?.endOffset), start });
    for (const { name: attribute, value } of token.attrs) {
      if (!SEEN_ATTRIBUTES.has(attribute)) continue;
      this.#view.attributes.push({
        tag: name,
        name: attribute,
        value,
        start: location?.attrs?.[attribute]?.startOffset ?? start,
      });
      if (name === "a" && attribute === "href") this.#link = { start: this.#chars.length, href: value };
    }
  }

  onEndTag({ tagName: name, location }: Token.TagToken): void {
    this.#pass(location);
    if (this.#unseen === name) this.#unseen = null;
    if (CODE.has(name)) this.#code = Math.max(0, this.#code - 1);
    if (name === "a" && this.#link !== null) {
      this.#view.linked.push({ ...this.#link, end: this.#chars.length });
      this.#link = null;
    }
    if (!INLINE.has(name)) this.#push("\n", location?.startOffset ?? 0);
  }

  onComment({ location }: Token.CommentToken): void {
    this.#pass(location);
  }

  onDoctype({ location }: Token.DoctypeToken): void {
    this.#pass(location);
  }

  onEof(): void {
    this.#show(this.#source.length);
  }

  // Takes texts from between the tags, because the tokenizer's position of an entity is not exact
  onCharacter(): void {}
  onWhitespaceCharacter(): void {}
  onNullCharacter(): void {}

  #pass(location: Token.Location | null): void {
    if (location === null) return;
    this.#show(location.startOffset);
    this.#from = location.endOffset;
  }

  #show(end: number): void {
    if (this.#unseen !== null || this.#code > 0) return;
    const [begin, raw] = [this.#from, this.#source.slice(this.#from, end)];
    let from = 0;
    for (const { 0: entity, index } of raw.matchAll(ENTITY)) {
      for (let at = from; at < index; at++) this.#push(raw.charAt(at), begin + at);
      for (const char of decodeEntity(entity).split("")) this.#push(char, begin + index);
      from = index + entity.length;
    }
    for (let at = from; at < raw.length; at++) this.#push(raw.charAt(at), begin + at);
  }

  /** Consecutive white space becomes one space, and none at the beginning of a line. */
  #push(char: string, at: number): void {
    const last = this.#chars.at(-1) ?? "\n";
    const isLineEnd = char === "\n" && this.#source.charCodeAt(at) === LESS_THAN;
    const isSpace = /[\t\n\f\r ]/.test(char);
    if (isSpace && !isLineEnd && (last === " " || last === "\n")) return;
    this.#chars.push(isSpace && !isLineEnd ? " " : char);
    this.#view.at.push(at);
  }
}

const LESS_THAN = 60;
export const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi;
const NAMED: Record<string, string> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  shy: "",
  zwnj: "",
  zwj: "",
  lbrace: "{",
  lcub: "{",
  rbrace: "}",
  rcub: "}",
  lbrack: "[",
  lsqb: "[",
  rbrack: "]",
  rsqb: "]",
  percnt: "%",
  dollar: "$",
  ast: "*",
  verbar: "|",
  vert: "|",
  lowbar: "_",
  num: "#",
  commat: "@",
  comma: ",",
  excl: "!",
  period: ".",
  colon: ":",
  semi: ";",
  lpar: "(",
  rpar: ")",
  laquo: "«",
  raquo: "»",
  ldquo: "“",
  rdquo: "”",
  lsquo: "‘",
  rsquo: "’",
  bdquo: "„",
  sbquo: "‚",
  ndash: "–",
  mdash: "—",
};

/** The character that an entity stands for. An unknown entity stays as it is written. */
export function decodeEntity(entity: string): string {
  const body = entity.slice(1, -1);
  const code = /^#x/i.test(body)
    ? Number.parseInt(body.slice(2), 16)
    : body.startsWith("#")
      ? Number.parseInt(body.slice(1), 10)
      : null;
  if (code !== null)
    return code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  return NAMED[body] ?? NAMED[body.toLowerCase()] ?? entity;
}
