import { createHash } from "node:crypto";
import pLimit from "p-limit";
import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { scoreMail } from "../../connectors/rspamd.ts";
import { composeMessage } from "../../connectors/smtp/compose.ts";
import type { ContentScoreIds, ContentVerdict } from "../../domain/campaigns/content-score.ts";
import { AppError } from "../../domain/errors.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { ScorableMail } from "../../models/campaigns/content-score.ts";
import { scoped } from "../../models/scoped.ts";
import { loadUnscored, noteVerdict } from "../../store/campaigns/content-scores.ts";
import { loadContents } from "../../store/sending/uploads.ts";

export interface ContentScoreDeps {
  egress: Pick<Egress, "request" | "resolve">;
  /** The address of the spam filter; null when none is configured. */
  rspamdUrl: string | null;
  log: Logger;
}

export interface ContentScoreActivities {
  /** Returns how many emails got a verdict. */
  scoreContents(ids: ContentScoreIds): Promise<number>;
}

const AT_ONCE = 4;

/** Asks the spam filter about stored emails, composed exactly as they would be sent (rules/campaigns 4.6). */
export function contentScoreActivities({ egress, rspamdUrl, log }: ContentScoreDeps): ContentScoreActivities {
  async function verdictOn(workspaceId: string, url: string, mail: ScorableMail): Promise<ContentVerdict | null> {
    const bytes = await bytesOf(workspaceId, mail);
    if (bytes === null) return null;
    const helo = domainOf(mail.from.address);
    const ip = await addressOf(workspaceId, mail.mailboxId);
    const answer = await scoreMail(egress, url, { bytes, ip, helo, from: mail.from.address, to: mail.to.address });
    if (answer.kind === "scored") return answer.verdict;
    log.warn({ workspaceId, why: answer.why }, "the spam filter did not score an email");
    return null;
  }

  /** The IP address of the mailbox's submission server, from which the email would come; null when it is unknown. */
  async function addressOf(workspaceId: string, mailboxId: string): Promise<string | null> {
    const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
    if (mailbox === null) return null;
    const [address = null] = await egress.resolve(mailbox.smtp.host, mailbox.smtp.port).catch(() => []);
    return address;
  }

  async function scoreContents({ workspaceId, scoreIds }: ContentScoreIds): Promise<number> {
    if (rspamdUrl === null) return 0;
    const slots = pLimit(AT_ONCE);
    const verdicts = (await loadUnscored(workspaceId, scoreIds)).map(({ scoreId, mail }) =>
      slots(async () => {
        const verdict = await verdictOn(workspaceId, rspamdUrl, mail);
        await noteVerdict(workspaceId, scoreId, verdict);
        return verdict;
      }),
    );
    return (await Promise.all(verdicts)).filter((verdict) => verdict !== null).length;
  }

  return { scoreContents };
}

/** The bytes as they would be sent except for ids and date; null when such an email cannot be composed. */
async function bytesOf(workspaceId: string, mail: ScorableMail): Promise<Buffer | null> {
  const { from, to, replyTo, subject, text, html, attachments, unsubscribeUrl, isFollowUp } = mail;
  const domain = domainOf(from.address);
  const local = createHash("sha256").update(`${subject}\n${text}`).digest("hex").slice(0, 32);
  const withoutNullName = ({ address, name }: ScorableMail["from"]) => ({ address, ...(name !== null && { name }) });
  const opener = `<${"0".repeat(32)}@${domain}>`;
  try {
    const { bytes } = await composeMessage({
      from: withoutNullName(from),
      to: withoutNullName(to),
      subject,
      text,
      html,
      messageId: `<${local}@${domain}>`,
      mailRef: local.slice(0, 20),
      ...(replyTo !== null && { replyTo }),
      ...(isFollowUp && { inReplyTo: opener, references: [opener] }),
      ...(unsubscribeUrl !== null && {
        listUnsubscribe: { url: unsubscribeUrl, mailto: `mailto:${from.address}?subject=unsubscribe%20preview` },
      }),
      files: await loadContents(workspaceId, attachments),
      date: new Date(),
    });
    return bytes;
  } catch (err) {
    if (err instanceof AppError) return null;
    throw err;
  }
}
