import type { ContentVerdict } from "../../domain/campaigns/content-score.ts";
import type { OutgoingFile } from "../../domain/mail/outgoing-file.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { instant, mixed, type Owned, tenantModel } from "../../mongo/schema.ts";

/** An email as it would be sent, for a spam filter to look at. */
export interface ScorableMail {
  mailboxId: string;
  from: { address: string; name: string | null };
  to: { address: string; name: string | null };
  replyTo: string | null;
  subject: string;
  text: string;
  html: string | null;
  attachments: OutgoingFile[];
  /** The link to unsubscribe, where the mail has the headers for it. */
  unsubscribeUrl: string | null;
  /** Whether it continues a thread. */
  isFollowUp: boolean;
}

/**
 * What the spam filter said of an email. `_id` is a hash of workspace and mail, so that the same mail is asked about
 * once (rules/campaigns 4.6).
 */
export interface ContentScore extends Owned {
  /** The mail while someone waits for a verdict about it. */
  mail: ScorableMail | null;
  verdict: ContentVerdict | null;
  /** When the filter was last silent about it. */
  silentAt: Date | null;
}

export const ContentScore = tenantModel<ContentScore>(
  "ContentScore",
  "content_scores",
  { mail: mixed, verdict: mixed, silentAt: instant },
  [{ fields: { createdAt: 1 }, expireAfterSeconds: 30 * DAY_SECONDS }],
);
