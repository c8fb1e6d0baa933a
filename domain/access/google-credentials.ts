import { createPrivateKey } from "node:crypto";
import { z } from "zod";

/** The URL at which Google issues tokens. A credentials file may name another URL. */
const TOKEN_URL = "https://oauth2.googleapis.com/token";

const common = {
  token_uri: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .default(TOKEN_URL),
};
const filled = z.string().min(1).max(10_000);
const ServiceAccountFile = z.object({
  type: z.literal("service_account"),
  client_email: filled,
  private_key: filled.refine(isPrivateKey),
  private_key_id: filled.optional(),
  ...common,
});
const AuthorizedUserFile = z.object({
  type: z.literal("authorized_user"),
  client_id: filled,
  client_secret: filled,
  refresh_token: filled,
  ...common,
});

/**
 * How the service logs in at Google's own APIs: as a service account, or for a person who has consented. The
 * fields are those of the files that Google's own tools write. The credentials stay in the configuration and are never
 * stored in the database or logged.
 */
export type GoogleCredentials = z.output<typeof ServiceAccountFile> | z.output<typeof AuthorizedUserFile>;

const KINDS = { service_account: ServiceAccountFile, authorized_user: AuthorizedUserFile } as const;

/**
 * Reads the JSON of a service account, or of a person's consent.
 * @throws Error that says what is wrong, without any part of the text
 */
export function readGoogleCredentials(text: string): GoogleCredentials {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("must be the JSON of a service account or an authorized_user, or the path of a file with it");
  }
  const kind = z.looseObject({ type: z.enum(["service_account", "authorized_user"]) }).safeParse(json);
  if (!kind.success) throw new Error("must have a type, service_account or authorized_user");
  const read = KINDS[kind.data.type].safeParse(json);
  if (read.success) return read.data;
  const fields = [...new Set(read.error.issues.map(({ path }) => path.join(".")))];
  throw new Error(`lacks ${fields.join(", ")} in the form of a ${kind.data.type}`);
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
