import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/**
 * An authenticator in software: it makes one ES256 passkey and signs challenges with it, as a security key would
 * (WebAuthn 6).
 */
export interface Authenticator {
  create(options: { challenge: string }, origin: string): object;
  get(options: { challenge: string }, origin: string): object;
}

const USER_PRESENT = 0x01;
const HAS_KEY = 0x40;

export function newAuthenticator(rpId: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const key = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"), // {1: 2, 3: -7, -1: 1, -2: x, -3: y} of COSE
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  // Passkeys that are synchronised between devices count nothing
  const dataOf = (flags: number, more: Buffer = Buffer.alloc(0)) =>
    Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), Buffer.alloc(4), more]);
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin }));
  const answer = (response: object) => {
    return {
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response,
    };
  };
  return {
    create({ challenge }, origin) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = dataOf(USER_PRESENT | HAS_KEY, attested);
      // {"fmt": "none", "attStmt": {}, "authData": bytes} of CBOR
      const head = Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex");
      const attestationObject = Buffer.concat([head, Buffer.from([data.length]), data]).toString("base64url");
      return answer({
        clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
        attestationObject,
      });
    },
    get({ challenge }, origin) {
      const [data, client] = [dataOf(USER_PRESENT), clientData("webauthn.get", challenge, origin)];
      const signed = createSign("sha256").update(data).update(createHash("sha256").update(client).digest());
      return answer({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signed.sign(privateKey).toString("base64url"),
      });
    },
  };
}
