import { type Base, globalModel, IS_TEXT, instant, mixed, text } from "../../mongo/schema.ts";

/**
 * What the authorization server stores about one consent, client or token. `_id` is `<kind>:<id>`. The id of a token or
 * code is a SHA-256, so a stored document does not reveal the token or code. The server looks a record up before it
 * knows the workspace. The workspace of a token is in `payload.extra`.
 */
export interface OAuthRecord extends Base {
  payload: Record<string, unknown>;
  /** The connector grant that the record belongs to. When the grant is deleted, the record is deleted too. */
  grantId: string | null;
  /** The uid by which the authorization server finds the record of a browser session. */
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
