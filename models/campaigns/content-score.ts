import type { ContentVerdict } from "../../domain/campaigns/content-score.ts";
import type { OutgoingFile } from "../../domain/mail/outgoing-file.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { instant, mixed, type Owned, tenantModel } from "../../mongo/schema.ts";

/** A complete email, as it would be sent, that a spam filter scores. */
export interface ScorableMail {
  mailboxId: string;
  from: { address: string; name: string | null };
  to: { address: string; name: string | null };
  replyTo: string | null;
  subject: string;
  text: string;
  html: string | null;
  attachments: OutgoingFile[];
  /** The link to unsubscribe, if the email has the headers for it. */
  unsubscribeUrl: string | null;
  /** Whether it continues a thread. */
  isFollowUp: boolean;
}

/**
 * A spam filter's verdict on an email. `_id` is a hash of workspace and email, so that the filter scores the same email
 * only once (rules/campaigns 4.6).
 */
export interface ContentScore extends Owned {
  /** The email that the filter must score; null once no one waits for a verdict. */
  mail: ScorableMail | null;
  verdict: ContentVerdict | null;
  /** When the filter last failed to answer about this email. */
  silentAt: Date | null;
}

export const ContentScore = tenantModel<ContentScore>(
  "ContentScore",
  "content_scores",
  { mail: mixed, verdict: mixed, silentAt: instant },
  [{ fields: { createdAt: 1 }, expireAfterSeconds: 30 * DAY_SECONDS }],
);
