import { deliveryFailure } from "../mails.ts";
import { headerOf, type SentMail } from "../sent-mail.ts";
import { type GraphItem, type GraphMailbox, mintMessageId, newIds } from "./mailbox.ts";
import { withHeader } from "./mime.ts";
import { envelopeOf } from "./resource.ts";
import type { GraphSettings } from "./settings.ts";

interface TransportOptions {
  settings: GraphSettings;
  /** Everything that left, in its order. */
  sent: SentMail[];
  deliver: (raw: Buffer, from: string, recipients: string[]) => void | Promise<void>;
  mailboxOf: (address: string) => GraphMailbox | undefined;
  arrive: (mailbox: GraphMailbox, raw: Buffer) => Promise<unknown>;
  /** Raises the notice of the Outbox, whose id never answers. */
  announce: (mailbox: GraphMailbox, ids: { immutableId: string; id: string }) => void;
}

interface Submission {
  mailbox: GraphMailbox;
  item: GraphItem;
  isCopySaved: boolean;
  timer: NodeJS.Timeout;
}

/** Takes accepted drafts, sends them after the delay and moves them to Sent Items. */
export function startTransport({ settings, sent, deliver, mailboxOf, arrive, announce }: TransportOptions) {
  const waiting = new Set<Submission>();
  const running = new Set<GraphItem>();

  function submit(mailbox: GraphMailbox, item: GraphItem, isCopySaved: boolean): void {
    const submission: Submission = {
      mailbox,
      item,
      isCopySaved,
      timer: setTimeout(() => void run(submission), settings.transportDelayMs),
    };
    submission.timer.unref();
    waiting.add(submission);
  }

  async function run(submission: Submission): Promise<void> {
    const { mailbox, item, isCopySaved } = submission;
    if (!waiting.delete(submission)) return;
    clearTimeout(submission.timer);
    if (!mailbox.items.has(item.immutableId)) return; // a person deleted the draft in time
    running.add(item);
    announce(mailbox, newIds());
    const wire = wireOf(item.raw, settings);
    const mail = await hand(mailbox, item, wire);
    running.delete(item);
    if (!item.isDraft) return; // a second email of the same draft
    if (isCopySaved) {
      await mailbox.rewrite(item, wire);
      item.isDraft = false;
      item.receivedAt = new Date();
      item.hiddenUntil = Date.now() + settings.sentCopyGapMs;
      mailbox.move(item, mailbox.idOf("sentitems"));
    } else mailbox.remove(item);
    await report(mailbox, mail);
  }

  /** Gives the email to the recipients: to mailboxes of this server, and to the callback. */
  async function hand(mailbox: GraphMailbox, item: GraphItem, wire: Buffer): Promise<SentMail> {
    const raw = withHeader(wire, "Bcc", null);
    const from = item.parsed.from?.value[0]?.address ?? mailbox.address;
    const to = envelopeOf(item);
    const accepted = to.filter((recipient) => settings.transportLimit(recipient, from) === null);
    const mail: SentMail = {
      at: Date.now(),
      from,
      to,
      raw,
      messageId: headerOf(raw, "Message-ID") ?? "",
      mailRef: headerOf(raw, "X-Mail-Ref"),
      subject: item.parsed.subject ?? "",
      user: mailbox.address,
      session: item.immutableId,
      answered: "250",
    };
    if (accepted.length === 0) return mail;
    sent.push({ ...mail, to: accepted });
    for (const recipient of accepted) {
      const local = mailboxOf(recipient);
      if (local !== undefined) await arrive(local, raw);
    }
    await deliver(raw, from, accepted);
    return mail;
  }

  /** A limit at transport is no error of Graph: its report comes to the Inbox. */
  async function report(mailbox: GraphMailbox, mail: SentMail): Promise<void> {
    for (const recipient of mail.to) {
      const limit = settings.transportLimit(recipient, mail.from);
      if (limit === null) continue;
      const failure = deliveryFailure(mail, { ...limit, recipient });
      const domain = mailbox.address.slice(mailbox.address.indexOf("@") + 1);
      const from = `Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@${domain}>`;
      const named = withHeader(failure, "Subject", `Undeliverable: ${mail.subject}`);
      await arrive(mailbox, withHeader(named, "From", from));
    }
  }

  return {
    submit,
    isWaiting: (item: GraphItem) =>
      running.has(item) || waiting.values().some((submission) => submission.item === item),
    /** Sends at once what waits, of one mailbox or of all. */
    async release(address?: string): Promise<void> {
      const chosen = [...waiting].filter(({ mailbox }) => address === undefined || mailbox.address === address);
      for (const submission of chosen) await run(submission);
    },
    close(): void {
      for (const { timer } of waiting) clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** The email as it leaves, with Bcc still in it. */
function wireOf(raw: Buffer, settings: GraphSettings): Buffer {
  let wire = raw;
  if (settings.messageId === "minted at transport") wire = withHeader(wire, "Message-ID", mintMessageId());
  if (!settings.keepsListUnsubscribePost) wire = withHeader(wire, "List-Unsubscribe-Post", null);
  for (const name of settings.drops) wire = withHeader(wire, name, null);
  if (headerOf(wire, "Date") === undefined)
    wire = withHeader(wire, "Date", new Date().toUTCString().replace("GMT", "+0000"));
  return wire;
}
