import { randomUUID } from "node:crypto";
import { seal } from "../../domain/access/seal.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { accept, hold } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

/** Where the server stalls: before it answers MAIL, before it answers RCPT, or before the 354 to DATA. */
export type Where = "MAIL" | "RCPT" | "DATA";

/** An email that the server holds up in the middle of the SMTP dialogue. */
export interface Held {
  workspaceId: string;
  rest: Rest;
  campaignId: string;
  recipientId: string;
  leadId: string;
  mailboxId: string;
  from: string;
  to: string;
  /** The row of this send, read anew at each call. */
  send(): Promise<Send>;
  /** Lets the server continue. */
  letGo(): void;
}

export interface Dialogues {
  world: World;
  smtp: FakeSmtp;
  /** The IMAP inbox that all mailboxes share. */
  imap: FakeImap;
  /** Makes a campaign with one recipient, and returns once its mail is claimed and held up at that command. */
  held(where: Where, workspace?: { workspaceId: string; rest: Rest }): Promise<Held>;
  close(): Promise<void>;
}

const PASSWORD = "dialogue";
const USER = "all@a.test";

/**
 * A world with the real worker and an SMTP server that stops in the middle of each dialogue until the test releases it.
 */
export async function startDialogues(): Promise<Dialogues> {
  const certificate = await makeCertificate();
  const holds = new Map<string, { where: Where; go: Promise<void>; hasCome: () => void }>();
  const held = (address: string, ...places: Where[]) => {
    const found = holds.get(address.toLowerCase());
    if (found === undefined || !places.includes(found.where)) return accept;
    found.hasCome();
    return hold(found.where, found.go);
  };
  const smtp = await startSmtp({ certificate, secure: true, rules: (rcpt) => held(rcpt, "RCPT", "DATA") });
  smtp.setSenders((from) => held(from, "MAIL"));
  const imap = await startImap({ certificate, user: USER, password: PASSWORD, secure: true });
  const world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*" },
  });
  const shared = await world.workspace();

  async function mailboxFor(workspaceId: string, email: string): Promise<string> {
    const _id = newId("mbx");
    const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
    const servers = {
      smtp: { host: "localhost", port: smtp.port, security: "SSL_TLS" as const },
      imap: { host: "localhost", port: imap.port, security: "SSL_TLS" as const },
    };
    const sealedPassword = seal(world.services.keyRing, place, PASSWORD);
    await scoped(workspaceId).Mailbox.insert({
      _id,
      email,
      username: USER,
      saveToSent: false,
      ...servers,
      sealedPassword,
    });
    return _id;
  }

  return {
    world,
    smtp,
    imap,
    async held(where, { workspaceId, rest } = shared) {
      const name = randomUUID().slice(0, 8);
      const [from, to] = [`from-${name}@a.test`, `to-${name}@mail.${name}.test`];
      const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
      const { promise: come, resolve: hasCome } = Promise.withResolvers<void>();
      holds.set(where === "MAIL" ? from : to, { where, go, hasCome });
      const mailboxId = await mailboxFor(workspaceId, from);
      const { body: campaign } = await rest.post("/campaigns", { name });
      const path = `/campaigns/${campaign.id}`;
      await rest.patch(`${path}/settings`, {
        windows: ALWAYS,
        minGapSeconds: 0,
        maxGapSeconds: 0,
        mailboxIds: [mailboxId],
      });
      const steps = [{ subject: `About ${name}`, body: "<p>Hello</p>", delay: 0 }];
      await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
      await rest.post(`${path}/recipients`, { action: "addManual", emails: [to] });
      const { body } = await rest.post(`${path}/control`, { action: "launch" });
      if (body.launched !== true) throw new Error(`Not launched: ${JSON.stringify(body)}`);
      const { Recipient, Send } = scoped(workspaceId);
      await within(come, `the server to hold ${to} at ${where}`).catch(async (error: unknown) => {
        const [waiting] = await Recipient.find({ campaignId: campaign.id });
        const { body: why } = await rest.get(`${path}/recipients/${waiting?._id}/explain`);
        throw new Error(`The mail did not come: ${JSON.stringify(why)}`, { cause: error });
      });
      // Before its admission it waits for no step yet
      const recipient = await Recipient.findOne({ campaignId: campaign.id });
      if (recipient === null) throw new Error("There is no recipient");
      const { _id: recipientId, leadId, nextStepId: stepId } = recipient;
      const send = async () => {
        const row = await Send.findOne({ recipientId, stepId });
        if (row === null) throw new Error("There is no row");
        return row;
      };
      return { workspaceId, rest, campaignId: campaign.id, recipientId, leadId, mailboxId, from, to, send, letGo };
    },
    async close() {
      await world.close();
      await Promise.all([smtp.close(), imap.close()]);
    },
  };
}

async function within(promise: Promise<void>, what: string): Promise<void> {
  let isDone = false;
  void promise.then(() => {
    isDone = true;
  });
  await until(() => isDone, { ...MAIL_DEADLINE, what });
}
