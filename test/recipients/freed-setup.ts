import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { accept } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";

export const [ANN, BOB] = ["ann@a.test", "bob@b.test"] as const;

export let sending: SendingWorld;

/** A new workspace with mailboxes of the sandbox, and campaigns without gaps that send from them. */
export async function workspaceWith(...addresses: string[]) {
  const { world, sandbox } = sending;
  const { rest, workspaceId } = await world.workspace();
  const mailboxIds = await Promise.all(addresses.map((address) => mailboxIn(world, workspaceId, address, sandbox)));
  const [mailboxId = ""] = mailboxIds;
  return {
    rest,
    workspaceId,
    mailboxId,
    db: scoped(workspaceId),
    patchMailbox: (patch: object) => rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId, patch }),
    async launched(emails: string[], steps: object[], settings: object = {}): Promise<string> {
      const { body } = await rest.post("/campaigns", { name: "Freed" });
      const path = `/campaigns/${body.id}`;
      const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };
      await rest.patch(`${path}/settings`, { ...quick, mailboxIds, ...settings });
      await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
      await rest.post(`${path}/recipients`, { action: "addManual", emails });
      expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
      return path;
    },
  };
}

export const people = (count: number) =>
  Array.from({ length: count }, () => `${newId("rcp").toLowerCase()}@people.test`);

export const mailsTo = (emails: string[]) =>
  sending.sandbox.ledger.filter(({ to }) => to.some((address) => emails.includes(address)));

export const arrived = (emails: string[], count: number, what: string) =>
  until(() => mailsTo(emails).length >= count, { ...MAIL_DEADLINE, what: `${count} mails: ${what}` });

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    sending = await startSendingWorld();
  });
  beforeEach(() => sending.sandbox.smtp.setRules(() => accept));
  afterAll(() => sending.close());
}
