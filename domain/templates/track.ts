import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, html as names, Parser, type Token } from "parse5";
import type { MailTracking, TrackedLink } from "../hits.ts";
import { conversionHostsOf, leadsTo, readTarget, withCid } from "./link-target.ts";
import { escapeHtml } from "./liquid-output.ts";
import { changeLinks } from "./text-links.ts";

/** The tracking settings of a campaign. */
interface TrackingWishes {
  trackOpens: boolean;
  trackClicks: boolean;
  /** Whether tracked emails get the invisible link: a setting of the workspace. */
  honeypotLink: boolean;
  conversionLinks: boolean;
  conversionDomains: readonly string[];
}

/** The data for the tracking URLs of one email. */
export interface TrackingOfMail {
  wishes: TrackingWishes;
  /** The recipient's conversion id. */
  cid: string;
  /** The token of the unsubscribe link. A link that contains it is never changed. */
  unsubscribeToken: string;
  /**
   * Whether there is a verified tracking domain. Without one the email is not tracked (rules/tracking 1.1).
   */
  isTracked: boolean;
  /** The tracking of an earlier attempt at this email. Its URLs keep their targets. */
  before: MailTracking | null;
  pixelUrl(): string;
  linkUrl(index: number): string;
  hiddenUrl(): string;
}

interface Bodies {
  text: string;
  html: string | null;
}

/** An email with its tracking; `tracking` is null if the email is not tracked. */
export interface TrackedMail extends Bodies {
  tracking: MailTracking | null;
}

/**
 * Puts the URLs of the tracking domain into a rendered email (rules/tracking 1). The text part stays unchanged, unless
 * it is the only part. If the text is the only part, or if there is no tracking domain, links to conversion domains
 * contain the conversion id instead.
 */
export function trackMail({ text, html }: Bodies, mail: TrackingOfMail): TrackedMail {
  const reader = readerOf(mail);
  if (html === null) return { text: changeLinks(text, reader.direct), html, tracking: mail.before };
  const { links, bodyEnd } = findLinks(html);
  if (!mail.isTracked) return { text, html: editLinks(html, links, reader.direct), tracking: mail.before };
  const { trackOpens: opens, trackClicks: clicks } = mail.wishes;
  const { carried, indexOf } = carriedLinks(mail.before);
  const wrapped = editsOf(links, (href) => {
    const link = reader.read(href);
    return link === null || !(link.converts || clicks) ? null : mail.linkUrl(indexOf(link));
  });
  const pixel = opens ? `<img src="${escapeHtml(mail.pixelUrl())}" width="1" height="1" alt="">` : "";
  const isBare = !opens && !clicks && carried.length === 0;
  const hidden = mail.wishes.honeypotLink && !isBare ? hiddenLink(mail.hiddenUrl()) : "";
  const tracking = { links: carried, ...((hidden !== "" || mail.before?.hiddenLink) && { hiddenLink: true }) };
  const added = { start: bodyEnd, end: bodyEnd, by: hidden + pixel };
  return {
    text,
    html: applyEdits(html, [...wrapped, added]),
    tracking: isBare && !tracking.hiddenLink ? null : { opens, clicks, ...tracking },
  };
}

/**
 * A link that no one can see, hear or reach by keyboard. Only a program that searches for URLs follows it (rules/tracking
 * 1.6).
 */
function hiddenLink(url: string): string {
  return `<a href="${escapeHtml(url)}" aria-hidden="true" tabindex="-1"></a>`;
}

/** Collects the links of an email, each target once, after the links of an earlier attempt. */
function carriedLinks(before: MailTracking | null): { carried: TrackedLink[]; indexOf: (link: TrackedLink) => number } {
  const carried = [...(before?.links ?? [])];
  const keyOf = ({ url, converts }: TrackedLink) => `${converts} ${url}`;
  const places = new Map(carried.map((link, index) => [keyOf(link), index]));
  const indexOf = (link: TrackedLink) => {
    const index = places.get(keyOf(link)) ?? carried.push(link) - 1;
    places.set(keyOf(link), index);
    return index;
  };
  return { carried, indexOf };
}

function readerOf({ wishes, cid, unsubscribeToken }: TrackingOfMail) {
  const hosts = wishes.conversionLinks ? conversionHostsOf(wishes.conversionDomains) : [];
  /** The target of a link; null for a link that must stay unchanged. */
  const read = (href: string): TrackedLink | null => {
    const url = href.includes(unsubscribeToken) ? null : readTarget(href);
    if (url === null) return null;
    const converts = leadsTo(hosts, url);
    return { url: converts ? withCid(url, cid) : url, converts };
  };
  return {
    read,
    /** The target that the email contains without a redirect; null if the link stays unchanged. */
    direct: (href: string): string | null => {
      const link = read(href);
      return link?.converts ? link.url : null;
    },
  };
}

/** A part of the text and its replacement. */
interface Edit {
  start: number;
  end: number;
  by: string;
}

function editLinks(html: string, links: readonly HtmlLink[], change: (href: string) => string | null): string {
  return applyEdits(html, editsOf(links, change));
}

function editsOf(links: readonly HtmlLink[], change: (href: string) => string | null): Edit[] {
  return links.flatMap(({ href, start, end }) => {
    const url = change(href);
    return url === null ? [] : { start, end, by: `"${escapeHtml(url)}"` };
  });
}

function applyEdits(html: string, edits: readonly Edit[]): string {
  let changed = "";
  let from = 0;
  for (const { start, end, by } of edits.toSorted((one, other) => one.start - other.start)) {
    changed += html.slice(from, start) + by;
    from = end;
  }
  return changed + html.slice(from);
}

/** The decoded target of a link in HTML. */
interface HtmlLink {
  href: string;
  /** The position of the value in the text, including its quotes. */
  start: number;
  end: number;
}

/** The positions of the links in an HTML part, and of the end of its body, where we add the pixel and the link. */
interface HtmlPlaces {
  /** In the order of the text. */
  links: HtmlLink[];
  bodyEnd: number;
}

/**
 * Finds the links of an HTML part by the rules of browsers: `href` of `a`, but not in comments (also conditional ones),
 * styles or titles. The text itself is changed at these positions, so that all other bytes stay the same.
 */
function findLinks(html: string): HtmlPlaces {
  // Mail programs run no scripts, so they show the content of `noscript`
  const parser = new PlacesParser({ sourceCodeLocationInfo: true, scriptingEnabled: false });
  parser.tokenizer.write(html, true);
  const links = new Map<number, HtmlLink>();
  const left: DefaultTreeAdapterTypes.Node[] = [parser.document];
  for (let node = left.pop(); node; node = left.pop()) {
    const link =
      "tagName" in node && node.tagName === "a" && node.namespaceURI === names.NS.HTML ? linkOf(html, node) : null;
    // The parser closes and repeats a wrongly nested element, so its link may be found twice, although the text
    // contains it once
    if (link !== null) links.set(link.start, link);
    if ("childNodes" in node) left.push(...node.childNodes);
  }
  return {
    links: [...links.values()].toSorted((one, other) => one.start - other.start),
    bodyEnd: parser.bodyEnd ?? html.length,
  };
}

/**
 * A parser that records the end of the body. The body element itself has this position only if the HTML contains an
 * opening body tag.
 */
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
  // The parser replaces a zero byte with another character, so the target would differ from the written one
  if (before === "" || written.includes("\0")) return null;
  return { href, start: place.startOffset + before.length, end: place.endOffset };
}
