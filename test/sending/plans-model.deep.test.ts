import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

type Verb = "launch" | "resume";
/** What a plan of a verb showed, as the model knows it. */
interface Shown {
  verb: Verb;
  effect: string;
}

/** A campaign, and beside it, in plain words, what must be true of it. */
async function modelled() {
  const { rest, workspaceId, withPolicy, person } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["first@example.test"]);
  const second = await storedMailbox(workspaceId);
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id, second._id] });
  const agents = { planner: await withPolicy({ sends: "PLAN" }), asker: await withPolicy({ sends: "APPROVAL" }) };
  const somebody = await person();
  const people = [somebody, somebody];
  const { ActivityEvent, Approval, Mailbox, Sequence } = scoped(workspaceId);

  let status = "DRAFT";
  let starts = 0;
  let [joined, text, isConnected] = [1, 0, true];
  const audience: number[] = [1];
  const plans: (Shown & { token: string; isCommitted: boolean })[] = [];
  const asked: (Shown & { id: string; version: number; status: "PENDING" | "APPROVED" | "EXPIRED" })[] = [];

  const isDone = () => status === "ACTIVE";
  const isWrong = (verb: Verb) => verb === "resume" && status === "DRAFT";
  const effectNow = (verb: Verb) =>
    isDone() ? `${verb} done` : JSON.stringify([verb, status, audience, text, isConnected]);
  const control = (by: Rest, action: string, fields: object = {}) => by.post(`${path}/control`, { action, ...fields });
  const told = ({ status, body }: RestAnswer): string => (status === 200 ? "done" : body.code);
  const start = () => {
    if (!isDone()) starts += 1;
    status = "ACTIVE";
  };

  async function commit(plan: (typeof plans)[number] | undefined) {
    if (plan === undefined) return;
    const answer = told(await control(agents.planner, plan.verb, { planToken: plan.token }));
    const isShown = plan.isCommitted ? isDone() : plan.effect === effectNow(plan.verb);
    expect(answer).toBe(isWrong(plan.verb) ? "INVALID_STATE_TRANSITION" : isShown ? "done" : "PLAN_STALE");
    if (answer !== "done") return;
    plan.isCommitted ||= !isDone();
    start();
  }

  /** Two people approve at once, each what they have looked at. */
  async function approve(question: (typeof asked)[number] | undefined) {
    if (question === undefined) return;
    const decision = { action: "approve", expectedVersion: question.version };
    const answers = (await Promise.all(people.map((by) => by.post(`/approvals/${question.id}`, decision)))).map(told);
    if (question.status === "EXPIRED")
      expect(answers).toEqual(["INVALID_STATE_TRANSITION", "INVALID_STATE_TRANSITION"]);
    else if (question.status === "APPROVED") expect(answers).toEqual(["done", "done"]);
    else if (question.effect === effectNow(question.verb)) {
      expect(answers).toEqual(["done", "done"]);
      question.status = "APPROVED";
      start();
    } else {
      for (const answer of answers) expect(["PLAN_STALE", "VERSION_CONFLICT"]).toContain(answer);
      expect(answers).toContain("PLAN_STALE");
      question.effect = effectNow(question.verb);
      question.version += 1;
    }
  }

  const moves = {
    async join() {
      joined += 1;
      await rest.post(`${path}/recipients`, { action: "addManual", emails: [`p${joined}@example.test`] });
      audience.push(joined);
    },
    async leave() {
      if (audience.length < 2) return;
      const recipient = await scoped(workspaceId).Recipient.findOne({
        campaignId,
        email: `p${audience.pop()}@example.test`,
      });
      await rest.post(`${path}/recipients`, { action: "bulkRemove", recipientIds: [recipient?._id] });
    },
    async write() {
      text += 1;
      await Sequence.updateOne({ campaignId }, { $set: { "steps.0.variants.0.bodyHtml": `<p>Text ${text}</p>` } });
    },
    async reconnect() {
      isConnected = !isConnected;
      await Mailbox.updateOne({ _id: second._id }, { $set: { status: isConnected ? "CONNECTED" : "DISCONNECTED" } });
    },
    async pause() {
      const answer = told(await control(rest, "pause"));
      expect(answer).toBe(status === "DRAFT" ? "INVALID_STATE_TRANSITION" : "done");
      if (answer === "done") status = "PAUSED";
    },
    async plan(verb: Verb) {
      const answer = await control(agents.planner, verb, { planOnly: true });
      expect(told(answer)).toBe(isWrong(verb) ? "INVALID_STATE_TRANSITION" : "done");
      if (answer.status === 200)
        plans.push({ verb, effect: effectNow(verb), token: answer.body.planToken, isCommitted: false });
    },
    async ask(verb: Verb) {
      const answer = await control(agents.asker, verb);
      expect(told(answer)).toBe(isWrong(verb) ? "INVALID_STATE_TRANSITION" : "done");
      const { approval } = answer.body;
      expect(approval !== undefined).toBe(answer.status === 200 && !isDone());
      if (approval !== undefined)
        asked.push({ verb, effect: effectNow(verb), id: approval.id, version: 1, status: "PENDING" });
    },
    commitFirst: () => commit(plans[0]),
    commitLast: () => commit(plans.at(-1)),
    approveFirst: () => approve(asked[0]),
    approveLast: () => approve(asked.at(-1)),
    async expire() {
      const question = asked.findLast((one) => one.status === "PENDING");
      if (question === undefined) return;
      question.status = "EXPIRED";
      await Approval.updateOne({ _id: question.id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    },
  };
  return {
    moves,
    async check() {
      expect((await rest.get(path)).body.status).toBe(status);
      expect(await ActivityEvent.count({ type: "STATUS_CHANGED", "data.to": "ACTIVE" })).toBe(starts);
    },
  };
}

type Step =
  | { name: "plan" | "ask"; verb: Verb }
  | { name: "join" | "leave" | "write" | "reconnect" | "pause" | "expire" }
  | { name: "commitFirst" | "commitLast" | "approveFirst" | "approveLast" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constantFrom("join", "leave", "write", "reconnect", "pause", "expire") }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constantFrom("plan", "ask"), verb: fc.constantFrom("launch", "resume") }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ name: fc.constantFrom("commitFirst", "commitLast", "approveFirst", "approveLast") }),
  },
);

const plan = { name: "plan", verb: "launch" } as const;
const ask = { name: "ask", verb: "launch" } as const;
const [commit, approve, pause] = [{ name: "commitLast" }, { name: "approveLast" }, { name: "pause" }] as const;
/** Orders in which each refusal and each success comes at least once. */
const ALWAYS: Step[][] = [
  [plan, { name: "join" }, commit, plan, commit, commit, pause, commit, plan, { name: "write" }, commit],
  [ask, { name: "reconnect" }, approve, approve, approve, pause, approve, ask, { name: "expire" }, approve],
];

test("in random orders of edits, plans and approvals, also by two users at once, a launch does exactly what its plan showed", async () => {
  const walk = async (steps: readonly Step[]) => {
    const { moves, check } = await modelled();
    for (const step of steps) {
      await ("verb" in step ? moves[step.name](step.verb) : moves[step.name]());
      await check();
    }
  };
  for (const steps of ALWAYS) await walk(steps);
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), walk), { numRuns: 8 });
}, 180_000);
