import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

const HEADERS = ["List-Unsubscribe", "List-Unsubscribe-Post", "X-Mail-Ref"];
/** What no API of the stand-ins keeps: both replace the Message-ID, and Gmail makes the text anew. */
const CHANGED = { GMAIL_API: { messageId: false, text: false }, GRAPH: { messageId: false, text: true } };
const KEPT = { from: true, date: true, listUnsubscribe: true, listUnsubscribePost: true, ownHeaders: true };
const LOST = { ...KEPT, listUnsubscribe: false, listUnsubscribePost: false, ownHeaders: false };

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());
beforeEach(async () => {
  here.gmail.settings.drops = [];
  here.graph.settings.drops = [];
  // As if the last probe had been sent more than a minute ago
  await scoped(here.workspaceId).OutgoingMail.deleteMany({ kind: "PROBE" });
});

const shown = async (api: Api) => (await here.rest.get(`/mailboxes/${here.mailboxes[api]}`)).body;

/** Tests the mailbox by its verb, and returns what survived and the probe email. */
async function tested(api: Api) {
  const { at: before = null } = (await shown(api)).headerSurvival ?? {};
  const mailboxId = here.mailboxes[api];
  await here.rest.post(`/mailboxes/${mailboxId}/verify-dns`, { action: "resend" });
  const isKnown = async () => ((await shown(api)).headerSurvival?.at ?? null) !== before;
  await until(isKnown, { ...MAIL_DEADLINE, what: "the result of the probe" });
  const probes = here.sent(api).filter(({ subject }) => subject.startsWith("Mailbox check"));
  return { found: (await shown(api)).headerSurvival, probe: probes.at(-1) };
}

test.each(APIS)(
  "a probe email over %s shows which headers survive, and creates no conversation, lead or event",
  async (api) => {
    const { ActivityEvent, Lead, Message, Thread } = scoped(here.workspaceId);
    const [events, leads, threads] = await Promise.all([ActivityEvent.count(), Lead.count(), Thread.count()]);
    const { found, probe } = await tested(api);
    expect(found).toEqual({ at: expect.any(String), ...KEPT, ...CHANGED[api] });
    expect(probe?.to).toEqual([probe?.from]);
    const filed = () => Message.find({ mailboxId: here.mailboxes[api], subject: probe?.subject ?? "" });
    // The copy in Sent and the one in the inbox have one Message-ID, so they may be filed as one
    await until(async () => (await filed()).length > 0, { ...MAIL_DEADLINE, what: "the probe to be read" });
    for (const { kind, threadId } of await filed()) expect({ kind, threadId }).toEqual({ kind: "OWN", threadId: null });
    expect(await Promise.all([ActivityEvent.count(), Lead.count(), Thread.count()])).toEqual([events, leads, threads]);
    expect((await shown(api)).sentToday).toMatchObject({ campaign: 0 });
  },
  120_000,
);

test.each(APIS)(
  "when %s drops headers, the mailbox shows it, and a campaign warns that one-click unsubscribe is lost",
  async (api) => {
    const mailboxId = here.mailboxes[api];
    const { body } = await here.rest.post("/campaigns", { name: "Warned" });
    await here.rest.patch(`/campaigns/${body.id}/settings`, { mailboxIds: [mailboxId] });
    const warned = async () => {
      const { warnings } = (await here.rest.get(`/campaigns/${body.id}/validate`)).body;
      return warnings.find(({ code }: { code: string }) => code === "ONE_CLICK_UNSUBSCRIBE_LOST");
    };
    here.gmail.settings.drops = HEADERS;
    here.graph.settings.drops = HEADERS;
    const { found, probe } = await tested(api);
    expect(found).toMatchObject(LOST);
    expect(headerOf(probe?.raw ?? Buffer.from(""), "X-Mail-Ref")).toBeUndefined();
    expect((await warned()).details).toEqual({ count: 1, mailboxIds: [mailboxId] });
    await here.rest.patch(`/campaigns/${body.id}/settings`, { unsubscribeHeader: false });
    expect(await warned()).toBeUndefined();
  },
  120_000,
);
