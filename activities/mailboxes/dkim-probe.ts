import { setTimeout as delay } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { logout } from "../../connectors/imap/connection.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { type DnsCheckIds, PROBE } from "../../domain/mailboxes/dns-check.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";

export interface ProbeActivities {
  /** Returns whether an unknown selector was found. */
  readProbe(ids: DnsCheckIds): Promise<boolean>;
}

const LOOK_EVERY_MS = 2_000;
const MOST_SELECTORS = 5;

/** The activities that read the probe email that a mailbox sent to itself, to find its DKIM selectors. */
export function probeActivities(openOf: (mailbox: Mailbox) => Promise<ImapFlow>, log: Logger): ProbeActivities {
  return {
    async readProbe({ workspaceId, mailboxId, probeId }) {
      const { Mailbox, Send } = scoped(workspaceId);
      const [mailbox, send] = await Promise.all([Mailbox.get(mailboxId), Send.get(probeId ?? "")]);
      if (mailbox === null || send === null || send.messageId === null) return false;
      const client = await openOf(mailbox);
      try {
        const header = await waitForProbe(client, send.messageId, Context.current().cancellationSignal);
        const fresh = selectorsOf(header, domainOf(mailbox.email)).filter(
          (selector) => !mailbox.dkimSelectors.includes(selector),
        );
        if (fresh.length === 0) return false;
        const dkimSelectors = [...fresh, ...mailbox.dkimSelectors].slice(0, MOST_SELECTORS);
        await Mailbox.updateOne({ _id: mailboxId }, { $set: { dkimSelectors } });
        log.debug({ mailboxId, dkimSelectors }, "found new DKIM selectors in a probe email");
        return true;
      } finally {
        logout(client);
      }
    },
  };
}

/**
 * Waits for the email and returns its DKIM-Signature headers; empty when it does not arrive in time. The copy in INBOX
 * is read, because the copy in Sent has no such headers.
 */
async function waitForProbe(client: ImapFlow, messageId: string, signal: AbortSignal): Promise<string> {
  const end = Date.now() + PROBE.arrivalMs;
  await client.mailboxOpen("INBOX", { readOnly: true });
  while (Date.now() < end) {
    const found = await client.search({ header: { "message-id": messageId } }, { uid: true });
    const [uid] = found || [];
    if (uid !== undefined) {
      const message = await client.fetchOne(String(uid), { headers: ["dkim-signature"] }, { uid: true });
      return message ? (message.headers?.toString("latin1") ?? "") : "";
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
    await client.noop();
  }
  return "";
}

/**
 * The DKIM selectors in a header: the `s=` tags (RFC 6376 3.5) of signatures made for that domain or a parent of it.
 */
export function selectorsOf(header: string, domain: string): string[] {
  const signatures = header.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return signatures.flatMap((line) => {
    const tag = (name: string) =>
      new RegExp(`[;:]\\s*${name}\\s*=\\s*([^;\\s]{1,253})`, "i").exec(line)?.[1]?.toLowerCase();
    const [signer, selector] = [tag("d"), tag("s")];
    if (signer === undefined || selector === undefined || !/^[a-z0-9._-]{1,63}$/.test(selector)) return [];
    return signer === domain || domain.endsWith(`.${signer}`) ? [selector] : [];
  });
}
