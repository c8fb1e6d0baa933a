import type { MailTracking, TrackedLink } from "../hits.ts";
import { findLinks, type HtmlLink } from "./html-links.ts";
import { conversionHostsOf, leadsTo, readTarget, withCid } from "./link-target.ts";
import { escapeHtml } from "./liquid-output.ts";
import { changeLinks } from "./text-links.ts";

/** What a campaign asks for. */
interface TrackingWishes {
  trackOpens: boolean;
  trackClicks: boolean;
  /** Whether a tracked mail gets the invisible link; the workspace says so. */
  honeypotLink: boolean;
  conversionLinks: boolean;
  conversionDomains: readonly string[];
}

/** What the addresses of one mail are made from. */
export interface TrackingOfMail {
  wishes: TrackingWishes;
  /** The recipient's conversion id. */
  cid: string;
  /** The token of the link to unsubscribe: what holds it is never changed. */
  unsubscribeToken: string;
  /** Whether addresses may stand under a verified tracking domain; without one the mail is untracked (rules/tracking 1.1). */
  isTracked: boolean;
  /** What an earlier attempt at this mail carried: its addresses go on leading where they led. */
  before: MailTracking | null;
  pixelUrl(): string;
  linkUrl(index: number): string;
  hiddenUrl(): string;
}

interface Bodies {
  text: string;
  html: string | null;
}

/** A mail with its tracking; `tracking` is null when it carries none. */
export interface TrackedMail extends Bodies {
  tracking: MailTracking | null;
}

/**
 * Puts the addresses of the tracking domain into a rendered mail (rules/tracking 1). The text part stays as it is, unless it is all there
 * is; then, as without a tracking domain, links that feed conversions carry the id themselves.
 */
export function trackMail({ text, html }: Bodies, mail: TrackingOfMail): TrackedMail {
  const reader = readerOf(mail);
  if (html === null) return { text: changeLinks(text, reader.direct), html, tracking: mail.before };
  const { links, bodyEnd } = findLinks(html);
  if (!mail.isTracked) return { text, html: edited(html, links, reader.direct), tracking: mail.before };
  const { trackOpens: opens, trackClicks: clicks } = mail.wishes;
  const { carried, indexOf } = carriedLinks(mail.before);
  const wrapped = editsOf(links, (href) => {
    const link = reader.read(href);
    return link === null || !(link.converts || clicks) ? null : mail.linkUrl(indexOf(link));
  });
  const pixel = opens ? `<img src="${escapeHtml(mail.pixelUrl())}" width="1" height="1" alt="">` : "";
  const isBare = !opens && !clicks && carried.length === 0;
  const hidden = mail.wishes.honeypotLink && !isBare ? hiddenLink(mail.hiddenUrl()) : "";
  const known = { links: carried, ...((hidden !== "" || mail.before?.hiddenLink) && { hiddenLink: true }) };
  const added = { start: bodyEnd, end: bodyEnd, by: hidden + pixel };
  return { text, html: apply(html, [...wrapped, added]), tracking: isBare && !known.hiddenLink ? null : { opens, clicks, ...known } };
}

/** A link without anything to see, read out or reach by a key: only a program that looks for addresses follows it (rules/tracking 1.6). */
function hiddenLink(url: string): string {
  return `<a href="${escapeHtml(url)}" aria-hidden="true" tabindex="-1"></a>`;
}

/** The links of a mail, each target once, after those that an earlier attempt carried. */
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
  /** What a link leads to; null for one that must stay as it is. */
  const read = (href: string): TrackedLink | null => {
    const url = href.includes(unsubscribeToken) ? null : readTarget(href);
    if (url === null) return null;
    const converts = leadsTo(hosts, url);
    return { url: converts ? withCid(url, cid) : url, converts };
  };
  return {
    read,
    /** The target that the mail itself carries without a redirect; null for one that stays as it is. */
    direct: (href: string): string | null => {
      const link = read(href);
      return link?.converts ? link.url : null;
    },
  };
}

/** A part of the text and what takes its place. */
interface Edit {
  start: number;
  end: number;
  by: string;
}

function edited(html: string, links: readonly HtmlLink[], change: (href: string) => string | null): string {
  return apply(html, editsOf(links, change));
}

function editsOf(links: readonly HtmlLink[], change: (href: string) => string | null): Edit[] {
  return links.flatMap(({ href, start, end }) => {
    const url = change(href);
    return url === null ? [] : { start, end, by: `"${escapeHtml(url)}"` };
  });
}

function apply(html: string, edits: readonly Edit[]): string {
  let changed = "";
  let from = 0;
  for (const { start, end, by } of edits.toSorted((one, other) => one.start - other.start)) {
    changed += html.slice(from, start) + by;
    from = end;
  }
  return changed + html.slice(from);
}
