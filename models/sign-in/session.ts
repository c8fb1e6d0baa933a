import { type Base, globalModel, oneOf, required, text } from "../../mongo/schema.ts";

/** SECOND_FACTOR: the password was right, but there is no access before the second factor is right too. */
const SESSION_STAGES = ["SECOND_FACTOR", "OPEN"] as const;
export type SessionStage = (typeof SESSION_STAGES)[number];

/**
 * A browser in which a person is signed in. `_id` is the SHA-256 of the session cookie, so a stored document does not
 * reveal the cookie.
 */
export interface Session extends Base {
  /** The public id of the session. It grants no access. */
  sessionId: string;
  userId: string;
  stage: SessionStage;
  /**
   * The workspace at whose portal the person signed in; the session is valid only there. Null: the service's own
   * address (rules/access 6.2).
   */
  portalId: string | null;
  /**
   * When the password or second factor was last entered. Sensitive operations ask for them again (rules/access 3.5).
   */
  confirmedAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  ip: string | null;
  /** The beginning of its User-Agent. */
  browser: string | null;
  /** The last passkey challenge that was sent to this browser. */
  challenge: string | null;
}

const when = { type: Date, required: true };

export const Session = globalModel<Session>(
  "Session",
  "sessions",
  {
    sessionId: required,
    userId: required,
    stage: oneOf(SESSION_STAGES, "SECOND_FACTOR"),
    portalId: text,
    confirmedAt: when,
    lastSeenAt: when,
    expiresAt: when,
    ip: text,
    browser: text,
    challenge: text,
  },
  [
    { fields: { sessionId: 1 }, unique: true },
    { fields: { userId: 1 } },
    { fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
);
