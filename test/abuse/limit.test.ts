import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { limit } from "../../operations/abuse/limit.ts";
import { claim } from "../../store/sending/claim.ts";
import type { ClaimRequest } from "../../store/sending/claim-conditions.ts";
import { recordNotSent } from "../../store/sending/record.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { type Claiming, claimingIn } from "../sending/claiming.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
// The day is the same from the first line of a test to its last
beforeEach(() => dayGoesOn(20_000));

const REACHED = { kind: "replan", by: "workspace", resetsAt: expect.any(Date) };

/** Claims of new emails of a campaign, each from the next mailbox. */
async function emailsOf(claiming: Claiming, count: number): Promise<ClaimRequest[]> {
  const campaignId = await claiming.activeCampaign();
  const sends = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      claiming.bookedSend(campaignId, `${randomUUID()}@people.test`, claiming.mailboxes[index % 8]),
    ),
  );
  return sends.map((send) => claiming.claimFor(send, campaignId, randomUUID()));
}

async function singleOf(workspaceId: string, claiming: Claiming, kind: "REPLY" | "WARMUP"): Promise<ClaimRequest> {
  const mailboxId = claiming.mailboxes[0]?._id ?? "";
  const _id = newId("snd");
  const send = await scoped(workspaceId).Send.insert({
    _id,
    kind,
    to: `${_id}@people.test`,
    mailboxId,
    sendKey: randomUUID(),
    state: "RESERVED",
    slotAt: new Date(Date.now() - 1_000),
  });
  return { ...claiming.claimFor(send, "cmp_none", randomUUID()), campaign: null };
}

test("with a limit of the operator exactly that many emails of a day are claimed, however many are claimed at once (rules/access 8.1)", async () => {
  const { workspaceId, rest } = await world.workspace();
  const claiming = await claimingIn(workspaceId);
  await limit(workspaceId, 10, "A trial");
  const results = await Promise.all((await emailsOf(claiming, 25)).map((request) => claim(request)));
  expect(results.filter(({ kind }) => kind === "claimed")).toHaveLength(10);
  for (const result of results) if (result.kind !== "claimed") expect(result).toEqual(REACHED);
  expect((await rest.get("/workspace")).body.sendingCap).toEqual({
    most: 10,
    sentToday: 10,
    by: "OPERATOR",
    reason: "A trial",
  });
  const [warmup, ...replies] = await Promise.all([
    singleOf(workspaceId, claiming, "WARMUP"),
    ...Array.from({ length: 11 }, () => singleOf(workspaceId, claiming, "REPLY")),
  ]);
  expect((await claim(warmup)).kind).toBe("claimed");
  const answered = [];
  for (const reply of replies) answered.push((await claim(reply)).kind);
  expect(answered).toEqual([...Array.from({ length: 10 }, () => "claimed"), "replan"]);
});

test("an email that was not sent does not count, and the next day starts at zero", async () => {
  const { workspaceId } = await world.workspace();
  const claiming = await claimingIn(workspaceId);
  await limit(workspaceId, 1, "A trial");
  const [first, second, third] = await emailsOf(claiming, 3);
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are no emails");
  const claimed = await claim(first);
  expect([claimed.kind, await claim(second)]).toEqual(["claimed", REACHED]);
  if (claimed.kind === "claimed") await recordNotSent(claimed.send, first.attemptId, null);
  expect((await claim(second)).kind).toBe("claimed");
  expect(await claim(third)).toEqual(REACHED);
  await scoped(workspaceId).SendingCap.updateOne({ _id: workspaceId }, { $set: { day: "2020-01-01" } });
  expect((await claim(third)).kind).toBe("claimed");
});

test("a new limit counts what was sent earlier on the same day (rules/access 8.1)", async () => {
  const { workspaceId, rest } = await world.workspace();
  const claiming = await claimingIn(workspaceId);
  const [last, ...earlier] = await emailsOf(claiming, 4);
  if (last === undefined) throw new Error("There are no emails");
  for (const request of earlier) expect((await claim(request)).kind).toBe("claimed");
  await limit(workspaceId, 3, "A trial");
  expect(await claim(last)).toEqual(REACHED);
  expect((await rest.get("/workspace")).body.sendingCap).toMatchObject({ most: 3, sentToday: 3 });
});

test("without a limit nothing is counted, and a removed limit stops no email", async () => {
  const { workspaceId, rest } = await world.workspace();
  const claiming = await claimingIn(workspaceId);
  await limit(workspaceId, 0, "A trial");
  const [first, second] = await emailsOf(claiming, 2);
  if (first === undefined || second === undefined) throw new Error("There are no emails");
  // The day of a limit of 0 never begins, except for replies, which have a reserve
  expect(await claim(first)).toEqual({ ...REACHED, resetsAt: null });
  for (let reply = 0; reply < 10; reply++)
    expect((await claim(await singleOf(workspaceId, claiming, "REPLY"))).kind).toBe("claimed");
  expect(await claim(await singleOf(workspaceId, claiming, "REPLY"))).toEqual(REACHED);
  await limit(workspaceId, null, "It is over");
  expect((await claim(second)).kind).toBe("claimed");
  expect([(await rest.get("/workspace")).body.sendingCap, await scoped(workspaceId).SendingCap.count()]).toEqual([
    null,
    0,
  ]);
});

test("the limit of one workspace counts no email of another", async () => {
  const [held, other] = [await world.workspace(), await world.workspace()];
  await limit(held.workspaceId, 0, "A trial");
  const [request] = await emailsOf(await claimingIn(other.workspaceId), 1);
  if (request === undefined) throw new Error("There is no email");
  expect((await claim(request)).kind).toBe("claimed");
});

test.each([-1, 1.5, 1_000_001])("a limit of %d is refused with a sentence", async (most) => {
  const { workspaceId } = await world.workspace();
  await expect(limit(workspaceId, most, "A trial")).rejects.toThrow("must be a whole number from 0 to 1000000");
});
