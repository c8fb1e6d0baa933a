import { afterAll, beforeAll, expect } from "@jest/globals";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

export const MAILBOXES = ["ann@a.test", "bob@b.test"];

const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

export let sandbox: Sandbox;

export let world: World;

export let rest: Rest;

export let workspaceId: string;

let mailboxIds: string[];

async function connect(email: string): Promise<string> {
  const servers = {
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(email),
  };
  const credentials = { email, password: sandbox.password, name: "Ann Sender", security: "SSL_TLS", ...servers };
  const connected = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  expect(connected).toMatchObject({ status: 200, body: { email, status: "CONNECTED" } });
  return connected.body.id;
}

export async function campaignOf(emails: string[], steps: object[], settings: object = {}): Promise<string> {
  const { body } = await rest.post("/campaigns", { name: "Sending" });
  const path = `/campaigns/${body.id}`;
  expect(await rest.patch(`${path}/settings`, { ...QUICK, mailboxIds, ...settings })).toMatchObject({ status: 200 });
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps })).toMatchObject({ status: 200 });
  if (emails.length > 0)
    expect(await rest.post(`${path}/recipients`, { action: "addManual", emails })).toMatchObject({ status: 200 });
  return path;
}

export const mailsTo = (email: string): SentMail[] => sandbox.ledger.filter(({ to }) => to.includes(email));

export const NOW = { value: 0, unit: "MINUTES" };

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    const certificate = await makeCertificate();
    sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate, reactionMs: { min: 20, max: 60 } });
    world = await startWorld({
      worker: realWorker({ extraCa: certificate.cert }),
      settings: { egressAllow: "localhost:*,127.0.0.1:*" },
    });
    ({ rest, workspaceId } = await world.workspace());
    mailboxIds = await Promise.all(MAILBOXES.map(connect));
  }, 90_000);
  afterAll(async () => {
    await world.close();
    await sandbox.close();
  }, 30_000);
}
