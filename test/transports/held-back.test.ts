import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { openApiLine } from "../../activities/sending/api-line.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { scoped } from "../../models/scoped.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());

test("when Microsoft reports that a mailbox has sent too much today, the mailbox rests and no recipient counts as bounced", async () => {
  const { Mailbox, Recipient } = scoped(here.workspaceId);
  const mailboxId = here.mailboxes.GRAPH;
  const diagnostic =
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients";
  here.graph.settings.transportLimit = (recipient) =>
    recipient === "limited@people.test" ? { status: "5.1.90", diagnostic } : null;
  const path = await here.launched(
    "GRAPH",
    ["limited@people.test"],
    [{ subject: "Hi", body: "<p>Hello</p>", delay: 0 }],
  );
  await until(async () => (await Mailbox.get(mailboxId))?.status === "COOLING_DOWN", {
    ...MAIL_DEADLINE,
    what: "the mailbox to rest",
  });
  const recipient = await Recipient.findOne({ campaignId: path.split("/").at(-1) ?? "" });
  expect(recipient?.bouncedAt).toBeNull();
  expect((await here.rest.get(`/mailboxes/${mailboxId}`)).body.status).toBe("COOLING_DOWN");
}, 120_000);

test.each(APIS)(
  "an email over %s whose request cannot begin in time does not leave, is held back, and says nothing against the provider",
  async (api) => {
    const { keyRing, settings } = here.world.services;
    const { providers } = settings;
    const egress = createEgress({ allow: parseAllow("localhost:*,127.0.0.1:*"), ownAddresses: [] });
    const log = pino({ level: "silent" });
    const mailbox = await scoped(here.workspaceId).Mailbox.get(here.mailboxes[api]);
    if (mailbox === null) throw new Error("No mailbox");
    const logins = createLogins({ egress, keyRing, providers, log });
    const line = openApiLine({ egress, logins, providers, log }, mailbox);
    const to = `late-${api.toLowerCase()}@people.test`;
    const bytes = Buffer.from(`From: ${mailbox.email}\r\nTo: ${to}\r\nSubject: Late\r\n\r\nHello\r\n`);
    const transmission = await line.transmit(to, bytes, async () => {
      setImmediate(beBusy, 400);
      return true;
    });
    await egress.close();
    expect(transmission).toEqual({ kind: "late" });
    expect(here.sent(api).filter((mail) => mail.to.includes(to))).toEqual([]);
    await until(() => here.drafts(api) === 0, { ...MAIL_DEADLINE, what: "the draft to be deleted" });
  },
);

/** Keeps this process from doing anything else for so many milliseconds. */
function beBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
