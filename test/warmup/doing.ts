import { MockActivityEnvironment } from "@temporalio/testing";
import { pino } from "pino";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { createConnections } from "../../activities/sending/connections.ts";
import type { OpenMailbox } from "../../activities/warmup/engage.ts";
import { treatOverImap } from "../../activities/warmup/imap-mailbox.ts";
import { warmupActivities } from "../../activities/warmup/turns.ts";
import { openImap } from "../../connectors/imap/connection.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { WarmupTurn } from "../../domain/warmup/contract.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { HASTY, type Warming, type WarmupWorld } from "./warmup-world.ts";

/** The turns of warmups, called by hand in place of their runs. */
export interface Doing {
  /** Sends an email of the plan as if its slot had come. */
  send(mail: WarmupMail): Promise<WarmupTurn>;
  /** The same at any time. */
  sendAsPlanned(mail: WarmupMail): Promise<WarmupTurn>;
  engage(mailbox: Warming): Promise<WarmupTurn>;
  look(mailbox: Warming): Promise<WarmupTurn>;
  close(): Promise<void>;
}

/** `silenceMs`: for how long an IMAP server may owe an answer. */
export function startDoing(here: WarmupWorld, silenceMs?: number): Doing {
  const egress = createEgress({
    allow: parseAllow("localhost:*"),
    ownAddresses: [],
    extraCa: here.sandbox.certificate.cert,
  });
  const log = pino({ level: "silent" });
  const { keyRing, signing } = here.world.services;
  const connections = createConnections(egress, createLogins({ egress, keyRing, providers: NO_PROVIDERS, log }), log);
  const open: OpenMailbox = async ({ imap, email }, usual) => {
    const login = { user: email, password: here.sandbox.password };
    return treatOverImap(await openImap(egress, imap, login, silenceMs ?? usual));
  };
  const metrics = {
    sent: () => {},
    withdrawn: () => {},
    heldBack: () => {},
    claim: () => {},
    refused: () => {},
    unknown: () => {},
  };
  const onChanged = async () => {};
  const findHosts = async () => ({ hosts: new Map<string, string[]>(), asked: 0 });
  const does = warmupActivities({ connections, findHosts, keys: signing, metrics, open, waits: HASTY, log, onChanged });
  // The environment has no types for what an activity answers
  const run = <A>(activity: (input: A) => Promise<WarmupTurn>, input: A) =>
    new MockActivityEnvironment().run(activity, input) as Promise<WarmupTurn>;
  const idsOf = ({ workspaceId, mailboxId }: Pick<Warming, "workspaceId" | "mailboxId">) =>
    ({ v: 1, workspaceId, mailboxId }) as const;
  const sendAsPlanned = ({ _id: mailId, fromWorkspaceId: workspaceId, fromMailboxId: mailboxId }: WarmupMail) =>
    run(does.warmupSend, { ...idsOf({ workspaceId, mailboxId }), mailId });
  return {
    async send(mail) {
      const now = new Date();
      await WarmupMail.updateOne({ _id: mail._id, state: "PLANNED" }, { $set: { dueAt: now } });
      await scoped(mail.fromWorkspaceId).Send.updateOne(
        { _id: mail.sendId, state: "RESERVED" },
        { $set: { slotAt: now } },
      );
      return sendAsPlanned(mail);
    },
    sendAsPlanned,
    engage: (mailbox) => run(does.warmupEngage, idsOf(mailbox)),
    look: (mailbox) => run(does.nextWarmup, idsOf(mailbox)),
    async close() {
      connections.close();
      await egress.close();
    },
  };
}
