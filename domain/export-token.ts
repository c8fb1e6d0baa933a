import { createHmac, timingSafeEqual } from "node:crypto";

interface Key {
  kid: string;
  key: Buffer;
}

const TOKEN = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{1,8000})\.([A-Za-z0-9_-]{43})$/;

/** What an address of an export carries. `until` is epoch milliseconds. */
export interface Exported {
  workspaceId: string;
  until: number;
  /** The filters as they were asked for, already checked. */
  asked: Record<string, unknown>;
}

/** `v1.<kid>.<payload>.<mac>`: whoever has it reads this one list until then, and nothing else. */
export function signExport([newest]: readonly [Key, ...Key[]], exported: Exported): string {
  const signed = `v1.${newest.kid}.${Buffer.from(JSON.stringify(exported)).toString("base64url")}`;
  return `${signed}.${macOf(newest.key, signed).toString("base64url")}`;
}

/** What a token says; null for anything that was not signed by one of the keys, or is over. `now` is epoch milliseconds. */
export function readExport(keys: readonly Key[], token: string, now: number): Exported | null {
  const [, kid, body, mac] = TOKEN.exec(token) ?? [];
  const key = keys.find((candidate) => candidate.kid === kid)?.key;
  if (key === undefined || body === undefined || mac === undefined) return null;
  const given = Buffer.from(mac, "base64url");
  const own = macOf(key, `v1.${kid}.${body}`);
  if (given.toString("base64url") !== mac || given.length !== own.length || !timingSafeEqual(given, own)) return null;
  const exported: Exported = JSON.parse(Buffer.from(body, "base64url").toString());
  return exported.until > now ? exported : null;
}

function macOf(key: Buffer, signed: string): Buffer {
  return createHmac("sha256", key).update(`export\0${signed}`).digest();
}
