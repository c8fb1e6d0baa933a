import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { KEY_POLICY, type SendPolicy } from "../../domain/access/send-policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { refusal } from "../sending/permit-parts.ts";
import { agentOf } from "../support/mcp.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { egressAllow: "hooks.test:443" } });
});
afterAll(() => world.close());

/** A running campaign with two people, and what can be done to it. */
async function running() {
  const made = await world.workspace();
  const { rest, workspaceId } = made;
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["ada@people.test", "bob@people.test"]);
  expect((await rest.post(`${path}/control`, { action: "launch" })).status).toBe(200);
  const [ada] = (await rest.get(`${path}/recipients`)).body.items;
  const { body: list } = await rest.post("/lead-lists", { name: "Some", type: "STATIC" });
  const { body: note } = await rest.post("/leads/manage", { action: "createNote", leadId: ada.leadId, body: "Met in May" });
  return { ...made, path, campaignId, mailboxId: mailbox._id, ada, list, note };
}
type Running = Awaited<ReturnType<typeof running>>;

/** Calls by the effect that they have beside a running campaign. */
const CAUSING: [effect: string, name: string, call: (by: Rest, at: Running) => Promise<RestAnswer>][] = [
  ["SENDS", "adds a person", (by, { path }) => by.post(`${path}/recipients`, { action: "addManual", emails: ["cid@people.test"] })],
  [
    "SENDS",
    "goes on with a person",
    (by, { path, ada }) => by.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [ada.id] }),
  ],
  ["SENDS", "takes a suppression back", (by, { ada }) => by.post("/leads/suppress", { action: "unsuppress", ids: [ada.leadId] })],
  ["SENDS", "resumes a mailbox", (by, { mailboxId }) => by.post("/mailboxes/manage", { action: "resume", mailboxId })],
  ["SENDS", "starts warmup", (by, { mailboxId }) => by.post("/warmup/manage", { action: "start", mailboxId })],
  [
    "CHANGES_SENDING",
    "renames a person who waits",
    (by, { ada }) => by.post("/leads/manage", { action: "update", leadId: ada.leadId, patch: { firstName: "Eve" } }),
  ],
  [
    "CHANGES_SENDING",
    "rewrites a step",
    (by, { path }) => by.put(`${path}/sequence`, { action: "replaceSteps", steps: [{ subject: "Other", body: "<p>Other</p>" }] }),
  ],
  ["CHANGES_SENDING", "sets the windows", (by, { path }) => by.patch(`${path}/settings`, { dailyLimit: 9 })],
  [
    "CHANGES_SENDING",
    "sets a reply address",
    (by, { mailboxId }) => by.post("/mailboxes/manage", { action: "updateSettings", mailboxId, patch: { replyTo: "other@people.test" } }),
  ],
  [
    "CHANGES_SENDING",
    "sets the postal address",
    (by) => by.post("/workspace", { action: "update", patch: { postalAddress: "1 Other Street" } }),
  ],
  ["DISCLOSES", "subscribes a webhook", (by) => by.post("/webhooks", { url: "https://hooks.test/in", events: ["REPLIED"] })],
  ["DESTROYS", "deletes a note", (by, { note }) => by.post("/leads/manage", { action: "deleteNote", noteId: note.noteId })],
  ["DESTROYS", "deletes a list", (by, { list }) => by.post("/lead-lists/manage", { action: "delete", listId: list.id })],
  ["DESTROYS", "deletes leads", (by, { ada }) => by.post("/leads/manage", { action: "bulkDelete", ids: [ada.leadId] })],
];
const CODES: Record<string, string> = { SENDS: "SENDING_NOT_ALLOWED" };

/** What may not change: who is in the campaign, its texts and settings, leads, destinations and lists. */
async function stateOf({ workspaceId }: Running): Promise<unknown> {
  const { Recipient, Sequence, Campaign, Lead, Mailbox, WebhookSubscription, LeadList, Note, WarmupEnrolment } = scoped(workspaceId);
  const all = [Recipient, Sequence, Campaign, Lead, Mailbox, WebhookSubscription, LeadList, Note, WarmupEnrolment];
  const rows = await Promise.all(all.map((model) => model.find({}, { sort: { _id: 1 } })));
  return [...rows, await Workspace.findOne({ _id: workspaceId }).lean<Workspace>()];
}

test.each<SendPolicy["sends"]>(["NONE", "PLAN", "APPROVAL"])(
  "a key under %s causes no email, no change of one, and under NONE neither a new destination nor a loss, by any verb",
  async (sends) => {
    const at = await running();
    const by = await at.withPolicy({ sends });
    const before = await stateOf(at);
    for (const [effect, name, call] of CAUSING) {
      if (sends !== "NONE" && !["SENDS", "CHANGES_SENDING"].includes(effect)) continue;
      const details = { effect, sends, reason: sends === "NONE" ? "POLICY" : "DIRECT_ONLY" };
      expect([name, await call(by, at)]).toMatchObject([name, refusal(403, CODES[effect] ?? "EFFECT_NOT_ALLOWED", details)]);
    }
    expect(await stateOf(at)).toEqual(before);
  },
  60_000,
);

test("the same calls of a key that sends directly have these effects", async () => {
  const at = await running();
  for (const [, name, call] of CAUSING) {
    const before = JSON.stringify(await stateOf(at));
    const { status, body } = await call(at.rest, at);
    expect([name, status < 300, body.code]).toEqual([name, true, undefined]);
    if (!["goes on with a person", "takes a suppression back", "resumes a mailbox"].includes(name))
      expect([name, JSON.stringify(await stateOf(at)) !== before]).toEqual([name, true]);
  }
}, 60_000);

test("what sends nothing is free under NONE: a campaign that does not run, stops, and reading", async () => {
  const at = await running();
  const by = await at.withPolicy({ sends: "NONE" });
  const { body: draft } = await by.post("/campaigns", { name: "Draft" });
  const steps = [{ subject: "Hello", body: "<p>Hello</p>" }];
  const free: [string, RestAnswer][] = [
    ["settings", await by.patch(`/campaigns/${draft.id}/settings`, { dailyLimit: 9 })],
    ["sequence", await by.put(`/campaigns/${draft.id}/sequence`, { action: "replaceSteps", steps })],
    ["people", await by.post(`/campaigns/${draft.id}/recipients`, { action: "addManual", emails: ["dan@people.test"] })],
    ["lead", await by.post("/leads", { email: "eve@people.test" })],
    ["suppression", await by.post("/leads/suppress", { action: "suppress", ids: [at.ada.leadId] })],
    ["block", await by.post("/block-list", { value: "fay@people.test" })],
    ["mailbox", await by.post("/mailboxes/manage", { action: "pause", mailboxId: at.mailboxId })],
    ["campaign", await by.post(`${at.path}/control`, { action: "pause" })],
    ["kill switch", await by.post("/workspace", { action: "pauseSending" })],
    ["reading", await by.get(`${at.path}/recipients`)],
  ];
  expect(free.filter(([, { status }]) => status >= 300).map(([name, { body }]) => [name, body])).toEqual([]);
  // The campaign of the draft is launched by somebody else: from then on it is as any other
  expect(await by.post(`${at.path}/control`, { action: "resume" })).toMatchObject(refusal(403, "SENDING_NOT_ALLOWED"));
});

test("the tools are bound as the endpoints are", async () => {
  const at = await running();
  const policy = { ...KEY_POLICY, sends: "NONE" as const };
  const { key } = await createKey({ workspaceId: at.workspaceId, name: "bound", scopes: ALL_SCOPES, createdBy: at.ownerId, policy });
  const agent = await agentOf(world, key);
  const { campaignId } = at;
  const add = await agent.call("recipients_manage", { campaignId, action: "addManual", emails: ["gus@people.test"] });
  expect([add.isError, add.body.code]).toEqual([true, "SENDING_NOT_ALLOWED"]);
  const hook = await agent.call("webhooks_manage", { action: "create", url: "https://hooks.test/in" });
  expect([hook.isError, hook.body.code]).toEqual([true, "EFFECT_NOT_ALLOWED"]);
  await agent.close();
});
