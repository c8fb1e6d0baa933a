import { createVerify, generateKeyPairSync } from "node:crypto";
import { z } from "zod";
import type { GoogleCredentials } from "../../../domain/access/google-credentials.ts";
import { GmailRefusal } from "./refusals.ts";

/** What the service account's tokens begin with, which open Pub/Sub alone. */
const TOKEN = "ya29-subscriber@";
const SCOPE = "https://www.googleapis.com/auth/pubsub";

/** A service account that may subscribe to topics, and Google's token endpoint for it. */
export function startSubscriber(url: string) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const account: GoogleCredentials = {
    type: "service_account",
    client_email: "subscriber@project.iam.gserviceaccount.com",
    private_key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    token_uri: `${url}/token`,
  };
  const Claims = z.object({ iss: z.literal(account.client_email), scope: z.literal(SCOPE), aud: z.string() });
  let count = 0;
  return {
    account,
    isOwn: (token: string) => token.startsWith(TOKEN),
    /** Answers a signed assertion (RFC 7523). */
    grant(body: string): object {
      const assertion = new URLSearchParams(body).get("assertion") ?? "";
      const [header = "", claims = "", signature = ""] = assertion.split(".");
      const isSigned = createVerify("RSA-SHA256")
        .update(`${header}.${claims}`)
        .verify(publicKey, signature, "base64url");
      const read = isSigned && Claims.safeParse(JSON.parse(Buffer.from(claims, "base64url").toString())).success;
      if (!read) throw new GmailRefusal(400, "invalid_grant", { error: "invalid_grant" });
      return { access_token: `${TOKEN}${++count}`, expires_in: 3_600, token_type: "Bearer" };
    },
  };
}
