import { randomUUID } from "node:crypto";
import { seal } from "../../domain/access/seal.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { freeMailbox, wakeMailboxes } from "../../store/mailboxes/faults.ts";
import { wakeRecipient } from "../../temporal/starts.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { startDns, type Zone } from "../fakes/dns.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { type Answer, accept } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

/** A campaign of one mailbox, in a workspace of its own, whose recipients' servers answer as a test says. */
export interface Story {
  rest: Rest;
  workspaceId: string;
  campaignId: string;
  /** The path of the campaign. */
  path: string;
  mailboxId: string;
  /** The address of a person: the same name in two stories is another address. */
  address(name: string): string;
  launch(): Promise<void>;
  /** Waits until each of these has received an email. */
  arrived(...names: string[]): Promise<void>;
  mailsTo(name: string): number;
  /** How often the server was asked for that recipient. */
  asked(name: string): number;
  recipient(name: string): Promise<Recipient>;
  send(name: string): Promise<Send>;
  mailbox(): Promise<Mailbox>;
  // biome-ignore lint/suspicious/noExplicitAny: the body of an answer
  explain(name: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: the body of an answer
  health(): Promise<any>;
  /** Waits until the recipient waits for something, as `is` says. */
  comesTo(name: string, is: (recipient: Recipient) => boolean): Promise<Recipient>;
  /** Lets the wait of a recipient that was put off be over. One that is not admitted yet waits for the mailbox alone. */
  isDueNow(name: string): Promise<void>;
  /** Ends the cool-down of the mailbox; `agoMs`: how long ago it ended. */
  coolDownEnds(agoMs?: number): Promise<void>;
}

export interface Refusals {
  world: World;
  /**
   * A further SMTP server that answers alike: the service remembers what it learns about each server separately.
   */
  newServer(): Promise<FakeSmtp>;
  /**
   * A story of these people. `answers` are by name or by domain without `.test`; `hosts` the mail server of each
   * domain.
   */
  story(
    names: string[],
    answers: Record<string, Answer | ((attempt: number) => Answer)>,
    more?: { hosts?: Record<string, string>; settings?: object; smtp?: FakeSmtp },
  ): Promise<Story>;
  close(): Promise<void>;
}

const PASSWORD = "refusals";

/** A world with the real worker, one SMTP server that refuses whom a test names, and a name server. */
export async function startRefusals(): Promise<Refusals> {
  const certificate = await makeCertificate();
  const zone: Zone = {};
  const dns = await startDns(zone);
  const answers = new Map<string, Answer | ((attempt: number) => Answer)>();
  const rules = (rcpt: string, attempt: number) => {
    const answer = answers.get(rcpt.toLowerCase()) ?? answers.get(domainOf(rcpt).toLowerCase()) ?? accept;
    return typeof answer === "function" ? answer(attempt) : answer;
  };
  const servers: FakeSmtp[] = [];
  const newServer = async () => {
    const started = await startSmtp({ certificate, secure: true, rules });
    servers.push(started);
    return started;
  };
  const shared = await newServer();
  const worker = realWorker({ extraCa: certificate.cert, dnsServers: [dns.server] });
  const world = await startWorld({ worker, settings: { egressAllow: "localhost:*" } });

  async function mailboxFor(workspaceId: string, { port }: FakeSmtp): Promise<string> {
    const _id = newId("mbx");
    const email = `${randomUUID().slice(0, 8)}@sender.test`;
    const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
    const server = { host: "localhost", port, security: "SSL_TLS" as const };
    const sealedPassword = seal(world.services.keyRing, place, PASSWORD);
    const stored = {
      _id,
      email,
      username: email,
      dailySendLimit: 0,
      saveToSent: false,
      smtp: server,
      imap: server,
      sealedPassword,
    };
    await scoped(workspaceId).Mailbox.insert(stored);
    return _id;
  }

  return {
    world,
    newServer,
    async story(names, asked, { hosts = {}, settings = {}, smtp = shared } = {}) {
      const { workspaceId, rest } = await world.workspace();
      const tag = randomUUID().slice(0, 6);
      const domainFor = (domain: string) => `${domain}-${tag}.test`;
      const address = (name: string) => {
        const [local = "", domain = "people"] = name.split("@");
        return `${local}@${domainFor(domain)}`;
      };
      for (const [name, answer] of Object.entries(asked))
        answers.set(name.includes("@") ? address(name) : domainFor(name), answer);
      for (const [domain, host] of Object.entries(hosts)) zone[domainFor(domain)] = { MX: [`10 mx.${host}`] };
      const mailboxId = await mailboxFor(workspaceId, smtp);
      const { body } = await rest.post("/campaigns", { name: "Refusals" });
      const campaignId: string = body.id;
      const path = `/campaigns/${campaignId}`;
      const quick = {
        windows: ALWAYS,
        minGapSeconds: 0,
        maxGapSeconds: 0,
        perMailboxDailyLimit: 0,
        mailboxIds: [mailboxId],
      };
      await rest.patch(`${path}/settings`, { ...quick, ...settings });
      await rest.put(`${path}/sequence`, {
        action: "replaceSteps",
        steps: [{ subject: "About widgets", body: "<p>Hello</p>", delay: 0 }],
      });
      await rest.post(`${path}/recipients`, { action: "addManual", emails: names.map(address) });
      const { Mailbox, Recipient, Send } = scoped(workspaceId);
      const recipient = async (name: string) =>
        (await Recipient.findOne({ campaignId, email: address(name) })) ?? never(name);
      const mailsTo = (name: string) => smtp.ledger.filter(({ to }) => to.includes(address(name))).length;
      const mailbox = async () => (await Mailbox.get(mailboxId)) ?? never("mailbox");
      const wake = async (name: string) => {
        const ids = { v: 1, workspaceId, campaignId, recipientId: (await recipient(name))._id } as const;
        if (world.temporal !== null) await wakeRecipient(world.temporal.client, ids, "replan");
      };
      return {
        rest,
        workspaceId,
        campaignId,
        path,
        mailboxId,
        address,
        recipient,
        mailsTo,
        mailbox,
        async launch() {
          const launched = await rest.post(`${path}/control`, { action: "launch" });
          if (launched.body.launched !== true) throw new Error(`Not launched: ${JSON.stringify(launched.body)}`);
        },
        arrived: (...people) =>
          until(() => people.every((name) => mailsTo(name) > 0), {
            ...MAIL_DEADLINE,
            what: `mail to ${people.join(", ")}`,
          }).then(() => {}),
        asked: (name) => smtp.attempts.filter(({ stage, to }) => stage === "RCPT" && to.includes(address(name))).length,
        send: async (name) => (await Send.findOne({ recipientId: (await recipient(name))._id })) ?? never(name),
        explain: async (name) => (await rest.get(`${path}/recipients/${(await recipient(name))._id}/explain`)).body,
        health: async () => (await rest.get(`/mailboxes/${mailboxId}`)).body.health,
        comesTo: (name, is) =>
          until(
            async () => {
              const now = await recipient(name);
              return is(now) ? now : null;
            },
            { ...MAIL_DEADLINE, what: `${name} to wait` },
          ).then((found) => found ?? never(name)),
        async isDueNow(name) {
          const { _id, nextStepId, admittedAt } = await recipient(name);
          if (admittedAt === null) return;
          const now = new Date();
          await Recipient.updateOne({ _id }, { $set: { due: { stepId: nextStepId, at: now }, nextSendAt: now } });
          await Send.updateOne({ recipientId: _id }, { $set: { slotAt: now } });
          await wake(name);
        },
        async coolDownEnds(agoMs = 1) {
          const ended = new Date(Date.now() - agoMs);
          const { trial } = await mailbox();
          await Mailbox.updateOne(
            { _id: mailboxId },
            { $set: { retryAt: ended, ...(trial && { trial: { ...trial, restsUntil: ended } }) } },
          );
          await wakeMailboxes();
          // Recipients that wait for the mailbox look again, also where the mailbox was connected already
          await inTransaction(() => freeMailbox(workspaceId, mailboxId));
        },
      };
    },
    async close() {
      await world.close();
      await Promise.all([...servers, dns].map((server) => server.close()));
    },
  };
}

function never(what: string): never {
  throw new Error(`There is no ${what}`);
}
