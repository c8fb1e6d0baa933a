import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Way } from "../../domain/access/policy.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { refusal } from "../sending/permit-parts.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { egressAllow: "hooks.test:443" } });
});
afterAll(() => world.close());

const all = (way: Way) => ({ SENDS: way, CHANGES_SENDING: way, DISCLOSES: way, DESTROYS: way });
const KINDS = ["add", "write", "tell", "lose"] as const;
type Kind = (typeof KINDS)[number];

/** A call with its input, the content of its plan as the model knows it, and its effect on the model. */
interface Write {
  kind: Kind;
  call(by: Rest, fields: object): Promise<RestAnswer>;
  /** Null where it has no effect that a policy asks about. */
  effectNow(): string;
  isBound(): boolean;
  apply(): void;
}
interface Plan extends Write {
  effect: string;
  token: string;
  isCommitted: boolean;
}

/** A running campaign, and beside it, in plain words, what must be true of it. */
async function modelled() {
  const { rest, workspaceId, withPolicy } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId, ["base@people.test"]);
  expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
  const [planner, other] = [await withPolicy(all("PLAN")), await withPolicy(all("PLAN"))];

  let [isSuspended, isHeld] = [false, false];
  let [status, revision, text, drawn] = ["ACTIVE", 0, "Hello, shall we talk?", 0];
  const members = new Set(["base@people.test"]);
  const leads = new Set(["base@people.test"]);
  const blocked = new Set<string>();
  const hooks = new Set<string>();
  const plans: Plan[] = [];

  const steps = (words: string) => ({ action: "replaceSteps", steps: [{ subject: "Hello", body: `<p>${words}</p>` }] });
  const writeSteps = (words: string) => {
    text = words;
    revision++;
  };
  const join = (emails: string[]) => {
    for (const email of emails.filter((one) => !blocked.has(one))) {
      leads.add(email);
      members.add(email);
    }
  };
  const done = ({ status: code, body }: RestAnswer): string => (code < 300 ? "done" : body.code);

  const add = (emails: string[]): Write => ({
    kind: "add",
    call: (by, fields) => by.post(`${path}/recipients`, { action: "addManual", emails, ...fields }),
    isBound: () => status === "ACTIVE",
    effectNow() {
      const joining = emails.filter((one) => !blocked.has(one) && !members.has(one));
      return JSON.stringify([status === "ACTIVE", joining, joining.filter((one) => !leads.has(one))]);
    },
    apply: () => join(emails),
  });
  const write = (words: string): Write => ({
    kind: "write",
    call: (by, fields) => by.put(`${path}/sequence`, { ...steps(words), ...fields }),
    isBound: () => true,
    effectNow: () => JSON.stringify([revision, words]),
    apply: () => writeSteps(words),
  });
  const tell = (url: string): Write => ({
    kind: "tell",
    call: (by, fields) => by.post("/webhooks", { url, events: ["REPLIED"], ...fields }),
    isBound: () => true,
    effectNow: () => url,
    apply: () => void hooks.add(url),
  });
  const lose = (lost: { id: string; email: string }[]): Write => ({
    kind: "lose",
    call: (by, fields) => by.post("/leads/manage", { action: "bulkDelete", ids: lost.map(({ id }) => id), ...fields }),
    isBound: () => true,
    effectNow: () => JSON.stringify(lost.filter(({ email }) => leads.has(email))),
    apply: () => {
      for (const { email } of lost) leads.delete(email);
    },
  });

  /** A new write of each kind. */
  const draw: Record<Kind, () => Promise<Write>> = {
    add: async () => add([`a${++drawn}@people.test`, `b${drawn}@people.test`]),
    write: async () => write(`Text ${++drawn}`),
    tell: async () => tell(`https://hooks.test/${++drawn}`),
    async lose() {
      const emails = [`l${++drawn}@people.test`, `m${drawn}@people.test`];
      const made = await Promise.all(emails.map((email) => rest.post("/leads", { email })));
      for (const email of emails) leads.add(email);
      return lose(made.map(({ body }, at) => ({ id: body.id, email: emails[at] ?? "" })));
    },
  };

  /** One call or two at once with the token of a plan: the effect comes once, and only as it was shown. */
  async function commit(plan: Plan | undefined, times = 1) {
    if (plan === undefined) return;
    // A token that was used before finds what was done, where the call would have no effect any more
    const isFree = plan.isCommitted && !plan.isBound();
    const isAsShown = !plan.isCommitted && plan.effect === plan.effectNow();
    const calls = Array.from({ length: times }, () => plan.call(planner, { planToken: plan.token }));
    const answers = (await Promise.all(calls)).map(done);
    expect([plan.kind, answers.filter((answer) => answer === "done").length]).toEqual([
      plan.kind,
      isFree ? times : isAsShown ? 1 : 0,
    ]);
    for (const answer of answers) expect(["done", "PLAN_STALE", "LEAD_NOT_FOUND"]).toContain(answer);
    if (!isAsShown && !isFree) return;
    plan.isCommitted = true;
    plan.apply();
  }

  const openPlans = (kind: Kind) => plans.filter((plan) => plan.kind === kind && !plan.isCommitted);
  const moves = {
    async plan(kind: Kind) {
      const asked = await draw[kind]();
      const answer = await asked.call(planner, { planOnly: true });
      expect([kind, done(answer)]).toEqual([kind, "done"]);
      plans.push({ ...asked, effect: asked.effectNow(), token: answer.body.planToken, isCommitted: false });
    },
    /** Without a token: refused where it has an effect, and nothing happens. */
    async bare(kind: Kind) {
      const asked = await draw[kind]();
      const isBound = asked.isBound();
      expect([kind, done(await asked.call(planner, {}))]).toEqual([kind, isBound ? "PLAN_REQUIRED" : "done"]);
      if (!isBound) asked.apply();
    },
    /** By a credential that sends directly. */
    async directly(kind: Kind) {
      const asked = await draw[kind]();
      expect([kind, done(await asked.call(rest, {}))]).toEqual([kind, "done"]);
      asked.apply();
    },
    commitFirst: () => commit(plans.find(({ isCommitted }) => !isCommitted)),
    commitLast: () => commit(plans.at(-1)),
    commitTwice: () => commit(plans.at(-1), 2),
    commitAgain: () => commit(plans.findLast(({ isCommitted }) => isCommitted)),
    async foreign() {
      const plan = plans.at(-1);
      if (plan === undefined) return;
      expect(await plan.call(other, { planToken: plan.token })).toMatchObject(refusal(400, "VALIDATION_FAILED"));
    },
    /** Part of what a plan showed is done before the plan is committed. */
    async overtake() {
      for (const plan of [openPlans("add").at(-1), openPlans("lose").at(-1)]) {
        const [first] = JSON.parse(plan?.effect ?? "[]").flat();
        if (plan?.kind === "add") {
          const [, [email = ""] = []] = JSON.parse(plan.effect);
          if (email === "") continue;
          expect(done(await rest.post(`${path}/recipients`, { action: "addManual", emails: [email] }))).toBe("done");
          join([email]);
        } else if (first !== undefined && leads.has(first.email)) {
          expect(done(await rest.post("/leads/manage", { action: "delete", leadId: first.id }))).toBe("done");
          leads.delete(first.email);
        }
      }
    },
    async block() {
      const [, [email = ""] = []] = JSON.parse(openPlans("add").at(-1)?.effect ?? "[]");
      if (email === "" || blocked.has(email)) return;
      expect(done(await rest.post("/block-list", { value: email }))).toBe("done");
      blocked.add(email);
    },
    /** An edit that changes nothing that a plan showed. */
    async rename() {
      expect(done(await rest.patch(path, { name: `Name ${++drawn}` }))).toBe("done");
      expect(done(await rest.patch(`${path}/settings`, { dailyLimit: drawn }))).toBe("done");
    },
    async pause() {
      expect(done(await rest.post(`${path}/control`, { action: "pause" }))).toBe("done");
      status = "PAUSED";
      isHeld = false;
    },
    async launch() {
      const answer = done(await rest.post(`${path}/control`, { action: "resume" }));
      if (!isSuspended) expect(answer).toBe("done");
      if (answer === "done") status = "ACTIVE";
    },
    /** The kill switch pauses running campaigns; switched off, it resumes them. */
    async kill() {
      isSuspended = !isSuspended;
      if (isSuspended) isHeld = status === "ACTIVE";
      if (isHeld) status = isSuspended ? "PAUSED" : "ACTIVE";
      expect(done(await rest.post("/workspace", { action: isSuspended ? "pauseSending" : "resumeSending" }))).toBe(
        "done",
      );
    },
  };

  const { Recipient, Lead, Sequence, WebhookSubscription, Send, Campaign } = scoped(workspaceId);
  return {
    moves,
    async check() {
      const [people, known, sequence, told, campaign, workspace] = await Promise.all([
        Recipient.find({ campaignId }),
        Lead.find({}),
        Sequence.findOne({ campaignId }),
        WebhookSubscription.find({}),
        Campaign.get(campaignId),
        Workspace.findOne({ _id: workspaceId }).lean<Workspace>(),
      ]);
      expect(people.map(({ email }) => email).sort()).toEqual([...members].sort());
      expect(known.map(({ email }) => email).sort()).toEqual([...leads].sort());
      expect(sequence?.steps[0]?.variants[0]?.bodyHtml).toBe(`<p>${text}</p>`);
      expect(told.map(({ url }) => url).sort()).toEqual([...hooks].sort());
      expect([campaign?.status, workspace?.isSuspended]).toEqual([status, isSuspended]);
      expect(await Send.count()).toBe(0);
    },
  };
}

const OF_KIND = ["plan", "bare", "directly"] as const;
const COMMITS = ["commitFirst", "commitLast", "commitTwice", "commitAgain", "foreign"] as const;
const EDITS = ["overtake", "block", "rename", "pause", "launch", "kill"] as const;
type Step =
  | { name: (typeof OF_KIND)[number]; kind: Kind }
  | { name: (typeof COMMITS)[number] | (typeof EDITS)[number] };

const kind = fc.constantFrom(...KINDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constant("plan" as const), kind }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constantFrom("bare" as const, "directly" as const), kind }) },
  { weight: 6, arbitrary: fc.record({ name: fc.constantFrom(...COMMITS) }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom(...EDITS) }) },
);

const plan = (of: Kind) => ({ name: "plan", kind: of }) as const;
const [commit, twice, again] = [{ name: "commitLast" }, { name: "commitTwice" }, { name: "commitAgain" }] as const;
const [pause, launch] = [{ name: "pause" }, { name: "launch" }] as const;
/** Orders in which each kind of refusal and of success comes at least once. */
const ALWAYS: Step[][] = [
  // The token is refused while the effect would be another one, and works again once the effect is the same
  [
    plan("add"),
    pause,
    commit,
    launch,
    commit,
    again,
    plan("add"),
    { name: "overtake" },
    commit,
    plan("add"),
    { name: "block" },
    commit,
  ],
  [
    plan("write"),
    { name: "rename" },
    commit,
    again,
    plan("write"),
    { name: "directly", kind: "write" },
    commit,
    plan("write"),
    pause,
    twice,
  ],
  [
    plan("lose"),
    { name: "overtake" },
    commit,
    plan("lose"),
    { name: "foreign" },
    twice,
    again,
    plan("tell"),
    { name: "kill" },
    twice,
    again,
  ],
  [
    ...KINDS.map((of) => ({ name: "bare", kind: of }) as const),
    plan("add"),
    { name: "kill" },
    commit,
    pause,
    { name: "bare", kind: "add" },
  ],
  // A campaign that someone pauses while the kill switch is on is still paused once the switch is off
  [plan("add"), { name: "kill" }, pause, { name: "kill" }, commit, launch, commit],
];

test("in any order of plans, edits, commits and pauses, a commit does once what its plan showed, and a call that needs a plan does nothing without one", async () => {
  const walk = async (steps: readonly Step[]) => {
    const { moves, check } = await modelled();
    for (const step of steps) {
      await ("kind" in step ? moves[step.name](step.kind) : moves[step.name]());
      await check();
    }
  };
  for (const steps of ALWAYS) await walk(steps);
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), walk), {
    numRuns: 10,
    endOnFailure: true,
  });
}, 120_000);
