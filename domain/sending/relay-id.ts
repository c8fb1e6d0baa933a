/** The Message-ID with which a relay replaced ours, as far as its answer shows. */
export interface RelayId {
  /**
   * The parts before `@`, in lower case. Reports about the email may write such an id with or without brackets, domain
   * and capitals.
   */
  keys: string[];
  /** The whole Message-ID, if the answer contains one. */
  messageId: string | null;
}

const BRACKETED = /<([^<>@\s]{1,200})(?:@([^<>@\s]{1,200}))?>/;
const WORD = /[A-Za-z0-9][\w.+=~$-]*/g;
/** The fewest characters of a unique id. Mail queues use shorter ids several times. */
const DISTINCT = 16;
const MOST_KEYS = 3;

/**
 * Reads the id of an email from the answer of the server that accepted it, such as `250 Ok 0102018b5c3c0a4f-…-000000`
 * or `250 2.0.0 OK <id@relay.example> [Hostname=…]` (rules/mail 2.5). Null if the answer names none.
 */
export function readRelayId(answer: string): RelayId | null {
  const [, local, domain] = BRACKETED.exec(answer) ?? [];
  if (local !== undefined) {
    const key = relayKeyOf(local);
    const messageId = domain === undefined ? null : `<${local}@${domain}>`;
    return key === null && messageId === null ? null : { keys: key === null ? [] : [key], messageId };
  }
  // Text in square brackets or with an `@` names hosts and people
  const words = answer.replace(/\[[^\]]*\]/g, " ").replace(/\S+@\S+/g, " ");
  const keys = [...words.matchAll(WORD)].flatMap(([word]) => relayKeyOf(word.replace(/^[a-z-]+=/i, "")) ?? []);
  return keys.length === 0 ? null : { keys: keys.slice(0, MOST_KEYS), messageId: null };
}

/**
 * The part of an id that may identify the email in later reports. Null if the id is too short, has no digit, or is the
 * name of a host.
 */
export function relayKeyOf(id: string): string | null {
  const key = id
    .replace(/^<|>$/g, "")
    .replace(/@[^@]*$/, "")
    .replace(/[.,;]+$/, "")
    .toLowerCase();
  return key.length >= DISTINCT && /\d/.test(key) && !/\.[a-z]{2,}$/.test(key) ? key : null;
}
