import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { randomFrom } from "../system/killed-worker.ts";

const NOW = { value: 0, unit: "MINUTES" };

let sending: SendingWorld;
beforeAll(async () => {
  sending = await startSendingWorld();
}, 90_000);
afterAll(() => sending.close(), 30_000);

interface Written {
  stepId: string;
  variants: { subject: string }[];
}

const mail = (subject: string, more: object = {}) => ({ subject, body: `<p>${subject}</p>`, delay: NOW, ...more });
const subjectsTo = (email: string) => sending.mailsTo(email).map(({ subject }) => subject);

const campaignIdOf = (path: string) => path.split("/").at(-1) ?? "";

async function stepsOf(path: string): Promise<Written[]> {
  return (await sending.rest.get(`${path}/sequence`)).body.steps;
}

async function replace(path: string, steps: object[]) {
  const answer = await sending.rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.steps;
}

/** The one recipient of a campaign, once it waits for its second step, which is due in some days. */
async function waitingForSecond(email: string, days: number) {
  const delay = { value: days, unit: "DAYS" };
  const path = await sending.campaign(
    [email],
    [mail("One"), mail("Two", { delay }), mail("Three", { delay: { value: 5, unit: "DAYS" } })],
    {
      mode: "DEFAULT",
    },
  );
  await sending.launch(path);
  await until(() => subjectsTo(email).length === 1, { ...MAIL_DEADLINE, what: "the first mail" });
  await until(async () => (await recipientOf(path)).sentCount === 1, { ...MAIL_DEADLINE, what: "its record" });
  return path;
}

async function recipientOf(path: string) {
  return (await sending.rest.get(`${path}/recipients`)).body.items[0];
}

test("when the step that a recipient waits for is removed, the next step comes after its own delay, counted from the last email", async () => {
  const path = await waitingForSecond("moved@people.test", 1);
  const [one, , three] = await stepsOf(path);
  await replace(path, [one ?? {}, three ?? {}]);
  const moved = await until(
    async () => {
      const recipient = await recipientOf(path);
      return recipient.nextStepId === three?.stepId && Date.parse(recipient.nextSendAt) > Date.now() + 4 * DAY_MS
        ? recipient
        : null;
    },
    { ...MAIL_DEADLINE, what: "the recipient to wait for the third step" },
  );
  expect(Date.parse(moved?.nextSendAt) - Date.parse(moved?.lastSentAt)).toBeGreaterThanOrEqual(5 * DAY_MS - 1_000);
  expect(subjectsTo("moved@people.test")).toEqual(["One"]);
});

test("when a reorder puts an already sent step ahead again, the recipient skips that step and still gets the steps after it", async () => {
  const path = await waitingForSecond("turned@people.test", 1);
  const [one, two, three] = await stepsOf(path);
  const order = [two, one, three].map((step) => step?.stepId);
  expect(await sending.rest.put(`${path}/sequence`, { action: "reorder", orderedStepIds: order })).toMatchObject({
    status: 200,
  });
  await replace(
    path,
    (await stepsOf(path)).map((step) => ({ ...step, delay: NOW })),
  );
  // The booked day has come
  const { id, campaignId } = await recipientOf(path);
  const db = scoped(sending.workspaceId);
  await db.Send.updateOne({ recipientId: id, stepId: two?.stepId }, { $set: { slotAt: new Date() } });
  await db.OutboxRow.insert({
    _id: `out_${id}`,
    kind: "RECIPIENT",
    payload: { recipientId: id, campaignId, signal: "replan" },
  });
  await sending.ended(path);
  expect(subjectsTo("turned@people.test")).toEqual(["One", "Two", "Three"]);
});

test("a recipient gets steps inserted before the awaited step first, in order, and a step added at the end last", async () => {
  const path = await waitingForSecond("between@people.test", 1);
  const [one, two] = await stepsOf(path);
  await replace(path, [mail("First of all"), one ?? {}, mail("Before"), { ...two, delay: NOW }, mail("After")]);
  await sending.ended(path);
  expect(subjectsTo("between@people.test")).toEqual(["One", "First of all", "Before", "Two", "After"]);
});

test("in a large campaign Temporal carries out an edit that removes a one-day delay, and the waiting recipient gets the email immediately", async () => {
  const path = await waitingForSecond("crowd@people.test", 1);
  await scoped(sending.workspaceId).Campaign.updateOne(
    { _id: campaignIdOf(path) },
    { $set: { recipientCount: 1_001 } },
  );
  const [one, two] = await stepsOf(path);
  await replace(path, [one ?? {}, { ...two, delay: NOW }]);
  await sending.ended(path);
  expect(subjectsTo("crowd@people.test")).toEqual(["One", "Two"]);
  expect((await scoped(sending.workspaceId).Campaign.get(campaignIdOf(path)))?.unsettled).toBeNull();
});

test("a running campaign refuses an edit that leaves steps, subject or body empty; a known step without text in the edit keeps its text", async () => {
  const path = await waitingForSecond("blank@people.test", 1);
  const [one, two, three] = await stepsOf(path);
  for (const [steps, code] of [
    [[], "NO_STEPS"],
    [[{ stepId: one?.stepId, subject: "", body: "x" }], "FIRST_STEP_NO_SUBJECT"],
    [[one, two, { stepId: "new" }], "STEP_EMPTY_BODY"],
  ] as const) {
    expect(await sending.rest.put(`${path}/sequence`, { action: "replaceSteps", steps })).toMatchObject({
      status: 422,
      body: { code: "CAMPAIGN_NOT_VALID", details: { validation: { valid: false, errors: [{ code }] } } },
    });
  }
  const kept = await replace(
    path,
    [one, two, three].map((step) => ({ stepId: step?.stepId })),
  );
  expect(kept.map(({ variants }: Written) => variants)).toEqual([one, two, three].map((step) => step?.variants));
});

test("removing an approval step lets the recipients who waited for approval continue", async () => {
  const path = await sending.campaign(
    ["asked@people.test"],
    [{ type: "APPROVAL", config: {}, delay: NOW }, mail("Without asking")],
  );
  await sending.launch(path);
  await until(async () => (await recipientOf(path)).pauseReason === "APPROVAL_REQUIRED", {
    ...MAIL_DEADLINE,
    what: "the approval to be asked for",
  });
  const [, one] = await stepsOf(path);
  await replace(path, [one ?? {}]);
  await sending.ended(path);
  expect(subjectsTo("asked@people.test")).toEqual(["Without asking"]);
});

/**
 * A recipient who got an email after the last edit has had each step of the sequence, and got what came after the edit
 * in its order.
 */
async function expectOwedInOrder(campaignId: string, steps: string[], editedLast: number): Promise<void> {
  const sends = await scoped(sending.workspaceId).Send.find({ campaignId, state: "SENT" }, { sort: { sentAt: 1 } });
  const sentAfter = sends.filter(({ claimedAt }) => (claimedAt?.getTime() ?? 0) > editedLast);
  for (const recipientId of new Set(sentAfter.map((send) => send.recipientId))) {
    const all = new Set(sends.filter((send) => send.recipientId === recipientId).map(({ stepId }) => stepId));
    expect(steps.filter((stepId) => !all.has(stepId))).toEqual([]);
    const places = sentAfter
      .filter((send) => send.recipientId === recipientId)
      .map(({ stepId }) => steps.indexOf(stepId ?? ""));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
}

const EDITED = [
  ["mail alone", 11, "DEFAULT"],
  ["tasks and branches between the mails", 37, "VISUAL"],
  ["mail alone, other edits", 23, "DEFAULT"],
] as const;

test.each(EDITED)(
  "under random edits no recipient gets a step twice or after its removal, and every recipient completes the sequence: %s",
  async (_what, seed, mode) => {
    const random = randomFrom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const emails = Array.from({ length: 25 }, (_, index) => `edit${seed}x${index}@people.test`);
    let written = 0;
    const task = () => ({ type: "TASK", config: { title: `Task ${++written}` }, delay: NOW });
    const fresh = () => (mode === "VISUAL" && below(3) === 0 ? task() : mail(`Edit ${seed} mail ${++written}`));
    const first = mode === "VISUAL" ? { conditions: [{ if: "RANDOM", percent: 50, nextStepId: "far" }] } : {};
    const path = await sending.campaign(
      emails,
      [mail(`Edit ${seed} mail`, first), fresh(), { ...fresh(), stepId: "far" }, fresh()],
      {
        mode,
      },
    );
    await sending.launch(path);
    const removedAt = new Map<string, number>();
    for (let edit = 0; edit < 14; edit++) {
      const before = await stepsOf(path);
      const kind = below(3);
      const gone = before[below(before.length)];
      if (kind === 0) await put(before.toSpliced(below(before.length + 1), 0, fresh() as never));
      else if (kind === 1 && before.length > 2 && (await put(before.filter((step) => step !== gone))))
        removedAt.set(gone?.stepId ?? "", Date.now());
      else await put(before.map(({ stepId }) => stepId).sort(() => random() - 0.5));
      const editedAt = Date.now();
      await until(() => Date.now() - editedAt > 250, { ...MAIL_DEADLINE, what: "some mails" });
    }
    const editedLast = Date.now();
    const last = (await stepsOf(path)).map(({ stepId }) => stepId);
    await sending.ended(path, 300_000);
    if (mode === "DEFAULT") await expectOwedInOrder(campaignIdOf(path), last, editedLast);

    for (const email of emails) expect(new Set(subjectsTo(email)).size).toBe(subjectsTo(email).length);
    const campaignId = campaignIdOf(path);
    const sends = await scoped(sending.workspaceId).Send.find({ campaignId });
    const goneSince = (stepId: string | null) => removedAt.get(stepId ?? "") ?? Number.POSITIVE_INFINITY;
    expect(sends.filter(({ stepId, claimedAt }) => (claimedAt?.getTime() ?? 0) > goneSince(stepId))).toEqual([]);
    expect(sends.filter(({ state }) => state === "SENDING" || state === "UNKNOWN")).toEqual([]);
    expect(sends.filter(({ state }) => state === "SENT").length).toBeGreaterThanOrEqual(emails.length);
    const tasks = await scoped(sending.workspaceId).ActivityEvent.find({ campaignId, type: "TASK_ADDED" });
    const done = tasks.map(({ recipientId, data }) => `${recipientId} ${data["stepId"]}`);
    expect(new Set(done).size).toBe(done.length);
    expect(tasks.filter(({ at, data }) => at.getTime() > goneSince(String(data["stepId"])))).toEqual([]);
    const { stats } = (await sending.rest.get(`${path}/recipients`)).body;
    expect(stats.byStatus).toMatchObject({ COMPLETED: emails.length });

    /**
     * Whether the edit was accepted. Edits that would close a circle, name a removed step or begin without a subject
     * are refused.
     */
    async function put(steps: object[] | string[]): Promise<boolean> {
      const edit =
        typeof steps[0] === "string" ? { action: "reorder", orderedStepIds: steps } : { action: "replaceSteps", steps };
      const { status } = await sending.rest.put(`${path}/sequence`, edit);
      expect([200, 400, 422]).toContain(status);
      if (mode === "DEFAULT") expect(status).toBe(200);
      return status === 200;
    }
  },
  420_000,
);
