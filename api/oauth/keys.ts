import { createECDH, hkdfSync } from "node:crypto";
import type { JWK } from "oidc-provider";

interface PurposeKey {
  kid: string;
  key: Buffer;
}

export interface OAuthKeys {
  /** The library needs a key set to start, although it signs no tokens here. */
  jwks: JWK[];
  /** The first key signs cookies; all keys verify them. */
  cookies: string[];
  /** Binds a form to the person to whom it was shown. */
  forms: Buffer;
}

/** Derives the keys of the authorization server from the deployment's own keys, newest first. */
export function oauthKeysOf(keys: readonly [PurposeKey, ...PurposeKey[]]): OAuthKeys {
  return {
    jwks: keys.map(jwkOf),
    cookies: keys.map(({ key }) => derive(key, "cookies").toString("base64url")),
    forms: derive(keys[0].key, "forms"),
  };
}

function jwkOf({ kid, key }: PurposeKey): JWK {
  const d = derive(key, "es256");
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(d);
  const point = pair.getPublicKey(); // the byte 4, then both coordinates of 32 bytes
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  if (x === undefined || y === undefined) throw new Error("A point has two coordinates");
  return { kty: "EC", crv: "P-256", alg: "ES256", use: "sig", kid, x, y, d: d.toString("base64url") };
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `oauth ${use}`, 32));
}
