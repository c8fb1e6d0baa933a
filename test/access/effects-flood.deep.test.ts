import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { examples } from "../../api/examples.ts";
import { EFFECTS, type Way } from "../../domain/access/policy.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
import { isAway, startExamples } from "../doors/example-world.ts";

let started: Awaited<ReturnType<typeof startExamples>>;
beforeAll(async () => {
  started = await startExamples();
});
afterAll(() => started.world.close());

const all = (way: Way) => ({ SENDS: way, CHANGES_SENDING: way, DISCLOSES: way, DESTROYS: way });
const REFUSALS = ["SENDING_NOT_ALLOWED", "EFFECT_NOT_ALLOWED"];

type Row = { _id: string } & Record<string, unknown>;
type State = Record<string, Row[]>;
/** Where a loss would be seen. */
const KEPT = [
  "Lead",
  "Note",
  "Deal",
  "LeadList",
  "CustomField",
  "Mailbox",
  "WebhookSubscription",
  "SearchList",
  "SavedSearch",
  "WarmupPool",
];

/** What has an effect on somebody, as it stands. */
async function stateOf(workspaceId: string): Promise<State> {
  const own = scoped(workspaceId);
  const known = {
    ...{ Recipient: own.Recipient, Sequence: own.Sequence, Campaign: own.Campaign, Send: own.Send, ScheduledReply: own.ScheduledReply },
    ...{ Lead: own.Lead, Note: own.Note, Deal: own.Deal, LeadList: own.LeadList, CustomField: own.CustomField, Mailbox: own.Mailbox },
    ...{ WebhookSubscription: own.WebhookSubscription, CrmConnection: own.CrmConnection, Invite: own.Invite, AgentSetup: own.AgentSetup },
    ...{ SearchList: own.SearchList, SavedSearch: own.SavedSearch, WarmupPool: own.WarmupPool, WarmupEnrolment: own.WarmupEnrolment },
    ...{ BlockListEntry: own.BlockListEntry, ReplyPromise: own.ReplyPromise, SavedDraft: own.SavedDraft, Job: own.Job },
  };
  const rows = await Promise.all(
    Object.entries(known).map(async ([name, model]): Promise<[string, Row[]]> => [name, (await model.find({})).map((one) => ({ ...one }))]),
  );
  const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  return { ...Object.fromEntries(rows), Workspace: [{ ...workspace, _id: workspaceId }] };
}

/** What a call of a key that may cause nothing has done all the same; nothing, if the gate holds. */
function causedIn(before: State, after: State): string[] {
  const begun = new Set(
    (before["Campaign"] ?? []).filter(({ status }) => ["ACTIVE", "SCHEDULED", "PAUSED"].includes(String(status))).map(({ _id }) => _id),
  );
  const isOpen = ({ status }: Row) => status === "PENDING" || status === "IN_PROGRESS";
  const rowsOf = (state: State, name: string) => new Map((state[name] ?? []).map((row) => [row._id, row]));
  const opened = [...rowsOf(after, "Recipient").values()].filter(
    (row) => begun.has(String(row["campaignId"])) && isOpen(row) && !isOpen(rowsOf(before, "Recipient").get(row._id) ?? { _id: "" }),
  );
  const booked = [...rowsOf(after, "Send").keys()].filter((id) => !rowsOf(before, "Send").has(id));
  const rewritten = [...rowsOf(after, "Sequence").values()].filter(
    (row) => begun.has(String(row["campaignId"])) && JSON.stringify(row) !== JSON.stringify(rowsOf(before, "Sequence").get(row._id)),
  );
  const told = [...rowsOf(after, "WebhookSubscription").values()].filter(
    ({ _id, url }) => rowsOf(before, "WebhookSubscription").get(_id)?.["url"] !== url,
  );
  const lost = KEPT.flatMap((name) => [...rowsOf(before, name).keys()].filter((id) => !rowsOf(after, name).has(id)));
  return [...opened.map(({ _id }) => _id), ...booked, ...rewritten.map(({ _id }) => _id), ...told.map(({ _id }) => _id), ...lost];
}

test("every example of the reference is refused or without effect for a key that may cause nothing, needs a token under PLAN, and has its effect for one that goes directly", async () => {
  const { rest, withPolicy, workspaceId } = started.workspace;
  const [none, plan] = [await withPolicy(all("NONE")), await withPolicy(all("PLAN"))];
  const caused = new Map<string, number>();
  let refused = 0;
  for (const example of examples.filter(({ body }) => body["planOnly"] !== true)) {
    const { at, title } = example;
    const before = await stateOf(workspaceId);
    let answer = await started.send(example, none);
    const after = await stateOf(workspaceId);
    if (REFUSALS.includes(answer.body?.code)) {
      refused++;
      expect([title, after]).toEqual([title, before]);
      const { effect } = answer.body.details;
      expect([title, await started.send(example, plan)]).toMatchObject([title, { status: 403, body: { code: "PLAN_REQUIRED" } }]);
      expect([title, await stateOf(workspaceId)]).toEqual([title, before]);
      answer = await started.send(example, rest);
      // The same input has its effect where the policy lets it: the refusals above were no 404 and no 422
      if (!isAway(example)) expect([title, answer.status < 300]).toEqual([title, true]);
      const now = await stateOf(workspaceId);
      if (JSON.stringify(now) !== JSON.stringify(before)) caused.set(effect, (caused.get(effect) ?? 0) + 1);
    } else {
      expect([title, causedIn(before, after)]).toEqual([title, []]);
    }
    await started.learn(at, answer);
  }
  expect(refused).toBeGreaterThan(20);
  expect([...caused.keys()].sort()).toEqual([...EFFECTS].sort());
}, 300_000);
