import { createHmac, timingSafeEqual } from "node:crypto";

interface Key {
  kid: string;
  key: Buffer;
}

const TOKEN = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{1,8000})\.([A-Za-z0-9_-]{43})$/;

/**
 * The token inside a URL that needs no credential: `v1.<kid>.<payload>.<mac>`. Whoever holds the token may read the one thing that its
 * payload names until `until` (epoch milliseconds), and nothing else. A token that was signed for one use is not valid for another.
 */
export function addressToken<T extends { until: number }>(use: string) {
  const macOf = (key: Buffer, signed: string) => createHmac("sha256", key).update(`${use}\0${signed}`).digest();
  return {
    sign([newest]: readonly [Key, ...Key[]], payload: T): string {
      const signed = `v1.${newest.kid}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}`;
      return `${signed}.${macOf(newest.key, signed).toString("base64url")}`;
    },
    /** Returns null for a token that none of the keys has signed, or that has expired. `now` is in epoch milliseconds. */
    read(keys: readonly Key[], token: string, now: number): T | null {
      const [, kid, body, mac] = TOKEN.exec(token) ?? [];
      const key = keys.find((candidate) => candidate.kid === kid)?.key;
      if (key === undefined || body === undefined || mac === undefined) return null;
      const given = Buffer.from(mac, "base64url");
      const own = macOf(key, `v1.${kid}.${body}`);
      if (given.toString("base64url") !== mac || given.length !== own.length || !timingSafeEqual(given, own)) return null;
      const payload: T = JSON.parse(Buffer.from(body, "base64url").toString());
      return payload.until > now ? payload : null;
    },
  };
}
