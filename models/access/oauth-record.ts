import { type Base, globalModel, IS_TEXT, instant, mixed, text } from "../../mongo/schema.ts";

/**
 * What the authorization server stores of one consent, client or token. `_id` is `<kind>:<id>`; of tokens and codes the
 * id is a SHA-256, so no row gives back what it was made from. It is found before any workspace is known; the workspace
 * of a token lies in `payload.extra`.
 */
export interface OAuthRecord extends Base {
  payload: Record<string, unknown>;
  /** The connector grant that the record belongs to and ends with. */
  grantId: string | null;
  /** By which a browser session is found again. */
  uid: string | null;
  consumedAt: Date | null;
  expiresAt: Date;
}

export const OAuthRecord = globalModel<OAuthRecord>(
  "OAuthRecord",
  "oauth_records",
  { payload: mixed, grantId: text, uid: text, consumedAt: instant, expiresAt: { type: Date, required: true } },
  [
    { fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
    { fields: { grantId: 1 }, where: { grantId: IS_TEXT } },
    { fields: { uid: 1 }, where: { uid: IS_TEXT } },
  ],
);
