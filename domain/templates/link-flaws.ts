import { foldVariableName } from "./liquid.ts";
import { OWN, type SourceView } from "./source-view.ts";
import hosts from "./unsubscribe-hosts.json" with { type: "json" };

export interface LinkFlaw {
  href: string;
  start: number;
}

const SCHEMES =
  "https? mailto tel sms ftp callto skype facetime whatsapp geo cid data about webcal news xmpp sip magnet bitcoin".split(
    " ",
  );
const KNOWN_SCHEME = new RegExp(`^(?:${SCHEMES.join("|")}):`, "i");
/** `slack://` and other apps. A mistyped `http://` does not count. */
const APP_SCHEME = /^(?!h*t{1,3}p?s?:)[a-z][a-z\d+-]*:\/\//i;

/** The links in HTML without a scheme. They do not work in an email, because relative links need the URL of a page. */
export function findLinksWithoutScheme({ attributes }: SourceView): LinkFlaw[] {
  return attributes.flatMap(({ tag, name, value, start }) => {
    if (name !== "href" || (tag !== "a" && tag !== "area")) return [];
    return choicesOf(value.trim()).some(lacksScheme) ? [{ href: value.trim(), start }] : [];
  });
}

/** The URLs of which spintax chooses one, if the whole value is a spintax group. */
function choicesOf(value: string): string[] {
  return value.startsWith("{") && value.includes("|") ? value.replace(/^\{|\}$/g, "").split("|") : [value];
}

function lacksScheme(written: string): boolean {
  const href = written.trim();
  // No flaw: an empty link, an anchor in the email, a variable, or a placeholder of another tool, which another check
  // reports
  if (href === "" || /^(?:#|[%*[{$<])/.test(href) || href.startsWith(OWN) || href.slice(0, 6).includes("{"))
    return false;
  if (/^https?:/i.test(href)) return !/^https?:\/\/[^/]/i.test(href);
  return !KNOWN_SCHEME.test(href) && !APP_SCHEME.test(href);
}

/** The links to the unsubscribe pages of other tools. */
export function findForeignUnsubscribeLinks({ attributes }: SourceView): LinkFlaw[] {
  return attributes.flatMap(({ name, value, start }) =>
    name === "href" && isForeignUnsubscribe(value) ? [{ href: value, start }] : [],
  );
}

/** Words in the URL of an unsubscribe page. On most hosts of other tools, only some pages are for unsubscribing. */
const UNSUBSCRIBES =
  /unsub|opt[-_]?out|manage[-_]?preferences|email[-_]?preferences|disable_email|\/asm\/|\/wf\/|abmelden|desabonn|desinscri/i;

/** Whether a link leads to another tool's unsubscribe page. We do not learn if a recipient unsubscribes there. */
function isForeignUnsubscribe(href: string): boolean {
  const { host = "", rest = "" } = /^\s*(?:https?:)?\/\/(?<host>[^/?#\s]+)(?<rest>\S*)/i.exec(href)?.groups ?? {};
  const name = host.toLowerCase().replace(/:\d+$/, "");
  const isOn = (host: string) => name === host || name.endsWith(`.${host}`);
  return hosts.onlyToUnsubscribe.some(isOn) || (UNSUBSCRIBES.test(name + rest) && hosts.withOtherPages.some(isOn));
}

const WAY_OUT = /unsub|optout|abmeld|desinscri|desabonn|cancelarsuscripcion|preferencecenter|managepreferences/;

/** Whether the name of a placeholder means an unsubscribe link. */
export function namesWayOut(name: string): boolean {
  const folded = foldVariableName(name.normalize("NFD").replace(/\p{M}/gu, "")).replace(/[^a-z]/g, "");
  return WAY_OUT.test(folded);
}

/**
 * The names in our tokens that mean another tool's unsubscribe link. `custom` are the folded keys of the workspace's
 * custom fields.
 */
export function foreignWaysOut(names: readonly string[], custom: ReadonlySet<string>): string[] {
  return names.filter((name) => {
    const key = name.replace(/^customFields\./i, "");
    return namesWayOut(key) && foldVariableName(key) !== "unsubscribelink" && !custom.has(foldVariableName(key));
  });
}
