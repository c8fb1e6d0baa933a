import { createHmac } from "node:crypto";
import { domainToASCII } from "node:url";
import { getDomain } from "tldts";
import { isFreeMail } from "./free-mail.ts";

/** Characters that an author may not write into a field that becomes a header (rules/mail 1.4). */
export const HEADER_CONTROLS = /[\x00-\x1f\x7f\u0085\u2028\u2029]/;
const UNSAFE_RUN = /[\x00-\x1f\x7f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;
const REPLY_PREFIX =
  /^\s*(?:(?:re|fwd?|aw|wg|sv|vs|rv|tr|antw|res|enc|odp|回复|答复|转发)\s*(?:\[\d+\]|\(\d+\))?\s*[:：]|\[(?:ext|external|extern)\])/iu;
const MAX_REFERENCES = 20;
/** The dot-atom of RFC 5322 with the letters of RFC 6531. Quoted local parts are refused. */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export type MessageKey =
  | { workspaceId: string; recipientId: string; stepId: string; generation: number }
  | { workspaceId: string; idempotencyKey: string };

/**
 * The message id `<local@domain>` of a send (rules/mail 2.1). It is the same for every retry of the same attempt, so
 * that a search for it shows whether the email was sent. The local part is 32 characters of lower-case base32.
 */
export function messageId(key: Buffer, parts: MessageKey, fromDomain: string): string {
  const { workspaceId } = parts;
  const fields =
    "idempotencyKey" in parts
      ? [workspaceId, parts.idempotencyKey]
      : [workspaceId, parts.recipientId, parts.stepId, String(parts.generation)];
  return `<${macOf(key, fields.join("|"), 32)}@${fromDomain}>`;
}

/**
 * The value of `X-Mail-Ref`: 20 characters by which we find the send that a bounce or a complaint is about. Case does
 * not matter.
 */
export function mailRef(key: Buffer, sendId: string): string {
  return macOf(key, sendId, 20);
}

/** What kind of email a receiver's feedback is about. */
export type MailType = "campaign" | "reply" | "test" | "check";

/**
 * The value of `Feedback-ID` (rules/mail 1.7), by which receivers group complaints: campaign, customer, kind and sender.
 * All but the kind are keyed hashes, so they name no one outside this deployment.
 */
export function feedbackId(
  key: Buffer,
  { workspaceId, campaignId, type }: { workspaceId: string; campaignId: string | null; type: MailType },
): string {
  const campaign = campaignId === null ? "none" : macOf(key, `campaign ${campaignId}`, FEEDBACK_CHARACTERS);
  return `${campaign}:${feedbackCustomer(key, workspaceId)}:${type}:${macOf(key, "sender", FEEDBACK_CHARACTERS)}`;
}

/** The customer in `Feedback-ID`: always the same for one workspace. */
export function feedbackCustomer(key: Buffer, workspaceId: string): string {
  return macOf(key, `workspace ${workspaceId}`, FEEDBACK_CHARACTERS);
}

/** Google accepts 5 to 15 characters for the sender. */
const FEEDBACK_CHARACTERS = 12;

/** The subject of a later email in the thread that the rendered subject `opening` opened (rules/mail 2.3). */
export function replySubject(opening: string): string {
  return /^re:/i.test(opening) ? opening : `Re: ${opening}`;
}

/**
 * The form in which the subjects of one thread are equal: no reply prefixes, lower case, single spaces (rules/mail
 * 2.4).
 */
export function baseSubject(subject: string): string {
  let base = subject.slice(0, 1_000);
  while (REPLY_PREFIX.test(base)) base = base.replace(REPLY_PREFIX, "");
  return base.replace(/\s+/g, " ").trim().toLowerCase();
}

/** The `References` of a thread: at most 20 ids, the first one and the newest, each once. */
export function referencesOf(chain: string[]): string[] {
  const ids = [...new Set(chain)];
  return ids.length <= MAX_REFERENCES ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)];
}

/**
 * Makes a value fit for a header: one line, no bidirectional controls, no halved characters, at most `max` code points.
 */
export function cleanHeader(value: string, max: number): string {
  return Array.from(value.toWellFormed().replace(UNSAFE_RUN, " ").trim()).slice(0, max).join("");
}

/** An address as it is stored. `smtputf8` is true when its local part needs that extension of the server. */
export interface NormalizedAddress {
  address: string;
  domain: string;
  smtputf8: boolean;
}

/**
 * Trims an address, lower-cases it and writes its domain as an A-label (rules/states 1.4). Null when it is not an
 * address (RFC 5321).
 */
export function normalizeAddress(value: string): NormalizedAddress | null {
  const text = value.trim().normalize("NFC");
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at).toLowerCase();
  const host = text.slice(at + 1).toLowerCase();
  if (at < 1 || !LOCAL_PART.test(local) || Buffer.byteLength(local) > 64 || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(host))
    return null;
  const domain = domainToASCII(host);
  if (domain.length > 253 || !HOST.test(domain) || local.length + domain.length > 253) return null;
  return { address: `${local}@${domain}`, domain, smtputf8: /[^\x00-\x7f]/.test(local) };
}

/** The domain of an address in its stored form. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Whether a text is an address once it is normalised. */
export function isAddress(value: string): boolean {
  return normalizeAddress(value) !== null;
}

/**
 * Whether a domain is a public suffix such as `co.uk`, under which unrelated owners register names. The domain is an
 * A-label.
 */
export function isPublicSuffix(domain: string): boolean {
  return registrableDomain(domain) === null;
}

/**
 * The registrable domain of a domain by the public suffix list, otherwise the domain itself. The list includes domains
 * under which a registry lets strangers register names.
 */
export function organisationOf(domain: string): string {
  return registrableDomain(domain) ?? domain;
}

/** The registrable domain that stands for a company; null for free mail and public suffixes (rules/states 1.4). */
export function companyDomain(domain: string): string | null {
  const company = registrableDomain(domain);
  return company === null || isFreeMail(company) || isFreeMail(domain) ? null : company;
}

function registrableDomain(domain: string): string | null {
  return getDomain(domain, { allowPrivateDomains: true });
}

function macOf(key: Buffer, text: string, length: number): string {
  return base32(createHmac("sha256", key).update(text).digest()).slice(0, length);
}

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)])
    .join("");
}
