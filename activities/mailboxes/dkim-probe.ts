import { Context } from "@temporalio/activity";
import type { Logger } from "pino";
import { parseMails } from "../../connectors/mime/parse-pool.ts";
import { survivalOf } from "../../domain/mail/header-survival.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { DnsCheckIds } from "../../domain/mailboxes/dns-check.ts";
import { scoped } from "../../models/scoped.ts";
import { type ProbeDeps, waitForProbe } from "./probe-arrival.ts";

export interface ProbeActivities {
  /** Returns whether an unknown selector was found. */
  readProbe(ids: DnsCheckIds): Promise<boolean>;
}

const MOST_SELECTORS = 5;

/**
 * The activities that read the probe email that a mailbox sent to itself: which headers survived, and its DKIM
 * selectors.
 */
export function probeActivities(deps: ProbeDeps, log: Logger): ProbeActivities {
  return {
    async readProbe({ workspaceId, mailboxId, probeId }) {
      const { Mailbox, OutgoingMail, Send } = scoped(workspaceId);
      const [mailbox, send, draft] = await Promise.all([
        Mailbox.get(mailboxId),
        Send.get(probeId ?? ""),
        OutgoingMail.get(probeId ?? ""),
      ]);
      if (mailbox === null || send === null || draft === null || send.messageId === null) return false;
      const raw = await waitForProbe(deps, mailbox, send, Context.current().cancellationSignal);
      const [mail = null] = raw === null ? [] : await parseMails([raw]);
      if (mail === null) return false;
      const { message } = mail;
      const sent = { messageId: send.messageId, mailRef: send.mailRef, from: mailbox.email, date: draft.createdAt };
      const headerSurvival = { ...survivalOf(message, sent), at: new Date() };
      await Mailbox.updateOne({ _id: mailboxId }, { $set: { headerSurvival } });
      const signatures = (message.headers.get("dkim-signature") ?? []).map((value) => `DKIM-Signature: ${value}`);
      const fresh = selectorsOf(signatures.join("\r\n"), domainOf(mailbox.email)).filter(
        (selector) => !mailbox.dkimSelectors.includes(selector),
      );
      if (fresh.length === 0) return false;
      const dkimSelectors = [...fresh, ...mailbox.dkimSelectors].slice(0, MOST_SELECTORS);
      await Mailbox.updateOne({ _id: mailboxId }, { $set: { dkimSelectors } });
      log.debug({ mailboxId, dkimSelectors }, "found new DKIM selectors in a probe email");
      return true;
    },
  };
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
