import { distance } from "fastest-levenshtein";
import { parse } from "tldts";

/** The usual email services by the names of their domains, each with the suffixes of its addresses. */
const SERVICES: Readonly<Record<string, string>> = {
  gmail: "com",
  googlemail: "com",
  yahoo:
    "com ca de fr es it in gr ie ro se pl no dk cz hu co co.uk co.in co.jp co.id co.za co.nz co.kr co.th com.br com.ar com.au com.mx com.ph com.sg com.hk com.tw com.vn com.my com.co com.pe com.tr com.ve com.cn",
  hotmail:
    "com co.uk de fr es it nl be ca ch at se no dk fi gr hu cz co.in co.jp co.th co.kr co.nz co.za com.br com.ar com.au com.mx com.tr my sg ph",
  outlook:
    "com de fr es it at be ie in jp kr lv pt sa sg sk cz dk hu ph my co.il co.id co.th com.ar com.au com.br com.gr com.tr com.vn cl",
  icloud: "com",
  protonmail: "com ch",
  rediffmail: "com",
  comcast: "net",
  verizon: "net",
  sbcglobal: "net",
  bellsouth: "net",
  laposte: "net",
  wanadoo: "fr",
  yandex: "ru com by kz ua com.tr",
  gmx: "com net de at ch fr es co.uk us eu li org info biz",
  "t-online": "de hu",
  freenet: "de",
  web: "de",
  aol: "com de fr es it in jp ca co.uk com.au com.br com.mx",
  msn: "com cn",
  live: "com de fr it nl be ca at ch se no dk fi ie in jp cn ru cl co.uk co.za co.kr com.ar com.au com.mx com.my com.ph com.pt com.sg hk",
};
const NAMES = Object.keys(SERVICES);
/** The fewest letters of a service name that is corrected. Shorter names resemble too many others. */
const SHORTEST = 5;
/** A name of at least this many letters may have two typing errors. */
const LONG = 9;
/** Names of real services that look like misspellings of other services. */
const OTHERS = new Set(["hitmail", "prontomail"]);
const USUAL_SUFFIXES = ["com", "net", "org", "de", "co.uk"];
/** Existing endings that are taken for a mistyped `com` after the name of an email service. */
const SLIPS_OF_COM = /^(?:co|cm|om)$/;

/** Caches results, because a file has few domains and most lines repeat one. */
const meantByDomain = new Map<string, string | null>();
const MOST_KNOWN = 10_000;

/**
 * The correct domain for a domain that looks mistyped, such as `gmial.com` or `acme.con`; null if it looks right. Only
 * names of email services are corrected, because company names often resemble each other. `domain` is an A-label.
 */
export function meantDomain(domain: string): string | null {
  let likelyDomain = meantByDomain.get(domain);
  if (likelyDomain === undefined) {
    likelyDomain = findMeant(domain);
    if (meantByDomain.size >= MOST_KNOWN) meantByDomain.clear();
    meantByDomain.set(domain, likelyDomain);
  }
  return likelyDomain;
}

function findMeant(domain: string): string | null {
  const { publicSuffix, domainWithoutSuffix: name, isIcann, subdomain } = parse(domain);
  if (publicSuffix === null || name === null) return null;
  const isReal = isIcann === true;
  if (subdomain === "" && isReal) return serviceFor(name, publicSuffix);
  if (isReal || isForTests(publicSuffix)) return null;
  // An ending that does not exist, such as `con`
  const [service, ...rest] = domain.split(".");
  const ending = rest.join(".");
  const asService = service === undefined ? null : serviceFor(service, ending);
  if (asService !== null) return asService;
  const suffix = USUAL_SUFFIXES.find((one) => isSlip(publicSuffix, one));
  return suffix === undefined ? null : `${domain.slice(0, -publicSuffix.length)}${suffix}`;
}

/** Whether a domain ending is reserved for tests and local networks (RFC 2606, RFC 6762). */
function isForTests(suffix: string): boolean {
  return /^(?:test|example|invalid|localhost|local|internal|lan|home|corp|onion|arpa)$/.test(suffix);
}

function serviceFor(name: string, suffix: string): string | null {
  const service = NAMES.includes(name) ? name : NAMES.find((one) => isMistyped(name, one));
  if (service === undefined) return null;
  const suffixes = (SERVICES[service] ?? "").split(" ");
  const [usual = "com"] = suffixes;
  if (suffixes.includes(suffix)) return service === name ? null : `${service}.${suffix}`;
  const isUnknown = parse(`x.${suffix}`).isIcann !== true;
  const near = suffixes.find((one) => isSlip(suffix, one));
  if (isUnknown) return `${service}.${near ?? usual}`;
  // A service may also have suffixes that are not in our list
  const isSlipOfCom =
    SLIPS_OF_COM.test(suffix) || (service === name && suffixes.length === 1 && /^(?:net|org)$/.test(suffix));
  return name.length >= SHORTEST && usual === "com" && isSlipOfCom ? `${service}.com` : null;
}

/**
 * Whether a name is a service's name with a typing error. The first letters must match: `email` is not a mistyped
 * `ymail`.
 */
function isMistyped(name: string, service: string): boolean {
  if (service.length < SHORTEST || OTHERS.has(name)) return false;
  const isTurned = name[0] === service[1] && name[1] === service[0];
  if (name[0] !== service[0] && !isTurned) return false;
  return isSlip(name, service) || (service.length >= LONG && distance(name, service) === 2);
}

/** Whether two texts differ by one added, missing or wrong letter, or by two swapped letters. */
function isSlip(text: string, meant: string): boolean {
  const apart = distance(text, meant);
  if (apart === 1) return true;
  if (apart !== 2 || text.length !== meant.length) return false;
  const at = [...text].findIndex((letter, place) => letter !== meant[place]);
  return text[at] === meant[at + 1] && text[at + 1] === meant[at];
}
