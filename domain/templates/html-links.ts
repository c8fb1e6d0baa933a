import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, html as names, Parser, type Token } from "parse5";

/** The target of a link in a text of HTML, as its reader's program decodes it. */
export interface HtmlLink {
  href: string;
  /** Where the value stands in the text, its quotes included. */
  start: number;
  end: number;
}

/** Where the links of an HTML part stand, and where something may be added to the end of its body. */
export interface HtmlPlaces {
  /** In the order of the text. */
  links: HtmlLink[];
  bodyEnd: number;
}

/**
 * Finds the links of an HTML part by the rules of browsers: `href` of `a`, and nothing in comments (conditional ones included), styles or
 * titles. Changes are made to the text itself at these places, so that everything else keeps its bytes.
 */
export function findLinks(html: string): HtmlPlaces {
  // Mail programs run no script, so they show what `noscript` holds
  const parser = new PlacesParser({ sourceCodeLocationInfo: true, scriptingEnabled: false });
  parser.tokenizer.write(html, true);
  const links = new Map<number, HtmlLink>();
  const left: DefaultTreeAdapterTypes.Node[] = [parser.document];
  for (let node = left.pop(); node; node = left.pop()) {
    const link = "tagName" in node && node.tagName === "a" && node.namespaceURI === names.NS.HTML ? linkOf(html, node) : null;
    // The parser closes and repeats an element that is wrongly nested: the text holds it once
    if (link !== null) links.set(link.start, link);
    if ("childNodes" in node) left.push(...node.childNodes);
  }
  return { links: [...links.values()].toSorted((one, other) => one.start - other.start), bodyEnd: parser.bodyEnd ?? html.length };
}

/** Notes where the body is closed: its element tells only when the text opens it too. */
class PlacesParser extends Parser<DefaultTreeAdapterMap> {
  bodyEnd: number | null = null;

  override onEndTag(token: Token.TagToken): void {
    if (token.tagName === "body" || token.tagName === "html") this.bodyEnd ??= token.location?.startOffset ?? null;
    super.onEndTag(token);
  }
}

function linkOf(html: string, { attrs, sourceCodeLocation }: DefaultTreeAdapterTypes.Element): HtmlLink | null {
  const href = attrs.find(({ name }) => name === "href")?.value;
  const place = sourceCodeLocation?.attrs?.["href"];
  if (href === undefined || place === undefined) return null;
  const written = html.slice(place.startOffset, place.endOffset);
  const [before = ""] = /^[^=]*=[\t\n\f\r ]*/.exec(written) ?? [];
  // The parser reads a zero byte as another character, so the target would not be the one that was written
  if (before === "" || written.includes("\0")) return null;
  return { href, start: place.startOffset + before.length, end: place.endOffset };
}
