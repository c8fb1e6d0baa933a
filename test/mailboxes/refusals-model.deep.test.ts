import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { findMailHosts } from "../../activities/mail-hosts.ts";
import { learnProviders } from "../../activities/mailboxes/refusals.ts";
import { readRefusal } from "../../domain/bounces/refusal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { MailDomain } from "../../models/deliverability/mail-domain.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endTrial, wakeMailboxes } from "../../store/mailboxes/faults.ts";
import { findRefusalBar } from "../../store/mailboxes/refusal-bar.ts";
import { heedRefusal, noteAccepted } from "../../store/mailboxes/refusals.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

/** Two organisations at each of three providers, and two that receive their mail themselves. */
const PLACES = ["a1@big", "a2@big", "a3@big", "b1@mid", "b2@mid", "c1@own-c", "d1@own-d", "e1@big"] as const;
const TEXTS = {
  policy: "5.7.1 Access denied",
  rule: "5.7.1 You have been blocked by the recipient",
  listed: "5.7.1 Client host is on a block list",
};

type Event =
  | { kind: "attempt"; place: number; answer: "accepted" | keyof typeof TEXTS }
  /** A report about the last accepted mail to that organisation. */
  | { kind: "report"; place: number; answer: keyof typeof TEXTS }
  | { kind: "rested" }
  | { kind: "resumed" }
  | { kind: "later"; hours: number };

const place = fc.nat(PLACES.length - 1);
const answer = fc.constantFrom(
  "accepted" as const,
  "accepted" as const,
  "policy" as const,
  "policy" as const,
  "rule" as const,
  "listed" as const,
);
const events = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant("attempt" as const), place, answer }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("report" as const),
        place,
        answer: fc.constantFrom("policy", "rule", "listed"),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: "rested" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "resumed" as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("later" as const), hours: fc.integer({ min: 1, max: 30 }) }),
    },
  ),
  { minLength: 10, maxLength: 60 },
);

interface Tried {
  at: number;
  organisation: string;
  provider: string;
  /** Undefined: the answer says nothing about the mailbox. */
  refused: boolean | undefined;
  isClaim: boolean;
}

/** The rules of a mailbox in the plainest form, over everything that ever happened to it. */
class Model {
  tried: Tried[] = [];
  coolingUntil: number | null = null;
  countsFrom = 0;
  rests = 0;
  pauses = new Map<string, { until: number; times: number }>();
  trial: { refusedBy: Set<string>; restsUntil: number } | null = null;
  claims = new Map<string, number>();

  window(now: number): Tried[] {
    return this.tried
      .filter(({ at }) => at > now - DAY_MS && at > this.countsFrom)
      .sort((one, other) => other.at - one.at)
      .slice(0, 20);
  }

  /** Whether the mailbox writes to that organisation now. */
  mayTry(organisation: string, provider: string, now: number): boolean {
    if (this.coolingUntil !== null) return false;
    if ((this.pauses.get(provider)?.until ?? 0) > now) return false;
    return !(this.trial?.refusedBy.has(organisation) && this.trial.restsUntil + 4 * HOUR_MS > now);
  }

  refusedBy(tried: readonly Tried[], by: "organisation" | "provider", isClaimToo: boolean): string[] {
    const names = [...new Set(tried.map((one) => one[by]))];
    return names.filter((name) => {
      const there = tried.filter((one) => one[by] === name);
      const no = there.filter(({ refused, isClaim }) => refused === true || (isClaim && isClaimToo)).length;
      return no > there.filter(({ refused }) => refused === false).length;
    });
  }

  judge(now: number): void {
    const tried = this.window(now);
    const counted = tried.filter(({ refused }) => refused !== undefined);
    const providers = this.refusedBy(counted, "provider", false);
    const last = [...new Set(counted.map(({ organisation }) => organisation))].slice(0, 5);
    const refusing = this.refusedBy(counted, "organisation", false);
    if (providers.length >= 2 || (last.length === 5 && last.every((name) => refusing.includes(name)))) {
      this.rest(now, tried);
      return;
    }
    const [provider] = providers;
    if (provider === undefined) return;
    const no = counted.filter((one) => one.provider === provider && one.refused);
    if (new Set(no.map(({ organisation }) => organisation)).size < 3) return;
    const before = this.pauses.get(provider);
    if (before !== undefined && before.until > now) return;
    const times = before !== undefined && before.until > now - DAY_MS ? before.times + 1 : 1;
    this.pauses.set(provider, { times, until: now + Math.min(7, 2 ** (times - 1)) * DAY_MS });
  }

  rest(now: number, tried = this.window(now), claimant: string[] = []): void {
    if (this.coolingUntil !== null) return;
    const restsUntil = now + Math.min(7, 2 ** this.rests++) * DAY_MS;
    const refusedBy = new Set([
      ...(this.trial?.refusedBy ?? []),
      ...this.refusedBy(tried, "organisation", true),
      ...claimant,
    ]);
    this.coolingUntil = restsUntil;
    this.trial = { refusedBy, restsUntil };
    this.countsFrom = now;
  }
}

/** Every domain is known already, so no name server is asked. */
const knownHosts = findMailHosts({ records: () => Promise.reject(new Error("No name server is asked")) });

let world: World;
let rest: Rest;
let workspaceId: string;
beforeAll(async () => {
  world = await startWorld({ apart: true });
  ({ workspaceId, rest } = await world.workspace());
  for (const one of PLACES) {
    const [name, host] = one.split("@");
    const hosts = [`mx.${host}.test`];
    await MailDomain.create({ _id: `${name}.test`, hosts, staleAt: new Date(Date.now() + DAY_MS) });
  }
});
afterAll(() => world.close());

/** Moves the stored mailbox back by some time, as if everything had happened that much longer ago. */
async function goBack({ _id }: Mailbox, ms: number): Promise<void> {
  const { Mailbox, RefusalEvidence } = scoped(workspaceId);
  const earlier = (field: string) => ({ $cond: [{ $ifNull: [field, false] }, { $subtract: [field, ms] }, null] });
  const pauses = {
    $map: {
      input: "$pausedProviders",
      in: {
        $mergeObjects: [
          "$$this",
          { since: { $subtract: ["$$this.since", ms] }, until: { $subtract: ["$$this.until", ms] } },
        ],
      },
    },
  };
  const trial = {
    $cond: [
      { $ifNull: ["$trial", false] },
      { $mergeObjects: ["$trial", { restsUntil: { $subtract: ["$trial.restsUntil", ms] } }] },
      null,
    ],
  };
  const moved = {
    retryAt: earlier("$retryAt"),
    refusalsSince: earlier("$refusalsSince"),
    pausedProviders: pauses,
    trial,
  };
  await Mailbox.changeOne({ _id }, [{ $set: moved }]);
  const recent = {
    $map: { input: "$recent", in: { $mergeObjects: ["$$this", { at: { $subtract: ["$$this.at", ms] } }] } },
  };
  const dates = {
    lastAt: earlier("$lastAt"),
    lastAcceptedAt: earlier("$lastAcceptedAt"),
    lastSenderAt: earlier("$lastSenderAt"),
    recent,
  };
  for (const { _id: id } of await RefusalEvidence.find({ mailboxId: _id }))
    await RefusalEvidence.changeOne({ _id: id }, [{ $set: dates }]);
}

test("in random orders of answers, reports, cool-downs and resumes a mailbox stops exactly when a model of the rules does", async () => {
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const { Mailbox } = scoped(workspaceId);
      const mailbox = await storedMailbox(workspaceId);
      const model = new Model();
      let now = Date.now();
      const sent = new Map<string, { send: Send; tried: Tried }>();
      for (const event of all) {
        now = Math.max(now + 1, Date.now());
        const before = await Mailbox.get(mailbox._id);
        if (before === null) throw new Error("The mailbox is gone");
        switch (event.kind) {
          case "later": {
            const ms = event.hours * HOUR_MS;
            await goBack(mailbox, ms);
            for (const one of model.tried) one.at -= ms;
            for (const pause of model.pauses.values()) pause.until -= ms;
            for (const [name, at] of model.claims) model.claims.set(name, at - ms);
            model.countsFrom -= ms;
            if (model.coolingUntil !== null) model.coolingUntil -= ms;
            if (model.trial !== null) model.trial.restsUntil -= ms;
            break;
          }
          case "rested": {
            await wakeMailboxes();
            if (model.coolingUntil !== null && model.coolingUntil <= Date.now()) model.coolingUntil = null;
            break;
          }
          case "resumed": {
            if (model.coolingUntil === null) break;
            expect(
              (await rest.post("/mailboxes/manage", { action: "resume", mailboxId: mailbox._id })).body,
            ).toMatchObject({
              status: "CONNECTED",
            });
            model.coolingUntil = null;
            model.trial = null;
            model.pauses.clear();
            model.countsFrom = (await Mailbox.get(mailbox._id))?.refusalsSince?.getTime() ?? 0;
            break;
          }
          default: {
            const [organisation, provider] = namesOf(event.place);
            const bar = await findRefusalBar(before, `x@${organisation}`, now);
            const may = before.status === "CONNECTED" && bar === null;
            expect(may).toBe(model.mayTry(organisation, provider, now));
            if (event.kind === "report") {
              await report(mailbox, model, event.answer, sent.get(organisation), now);
              sent.delete(organisation);
              break;
            }
            if (!may) break;
            await attempt(mailbox, before, model, event, sent, now);
          }
        }
        const after = await Mailbox.get(mailbox._id);
        expect({
          isCooling: after?.status === "COOLING_DOWN",
          coolDowns: after?.coolDowns,
          refusedBy: after?.trial?.refusedBy.toSorted() ?? null,
        }).toEqual({
          isCooling: model.coolingUntil !== null,
          coolDowns: model.rests,
          refusedBy: model.trial === null ? null : [...model.trial.refusedBy].sort(),
        });
        // Each clock is read on its own
        if (model.coolingUntil !== null && event.kind !== "later") adoptRest(model, after);
      }
    }),
    { numRuns: 60, includeErrorInReport: true },
  );
}, 600_000);

/** The end of a cool-down is set by the database's clock. */
function adoptRest(model: Model, mailbox: Mailbox | null): void {
  const retryAt = mailbox?.retryAt?.getTime() ?? 0;
  const expected = model.coolingUntil ?? 0;
  expect(Math.abs(retryAt - expected)).toBeLessThan(MINUTE_MS);
  model.coolingUntil = retryAt;
  if (model.trial !== null) model.trial.restsUntil = mailbox?.trial?.restsUntil.getTime() ?? 0;
  model.countsFrom = mailbox?.refusalsSince?.getTime() ?? 0;
}

function namesOf(index: number): [string, string] {
  const [name = "", host = ""] = (PLACES[index] ?? "").split("@");
  return [`${name}.test`, `${host}.test`];
}

function sendTo(mailbox: Mailbox, organisation: string): Promise<Send> {
  const fields = { mailboxId: mailbox._id, to: `x@${organisation}`, stepId: "stp_one" };
  return scoped(workspaceId).Send.insert({ _id: newId("snd"), kind: "CAMPAIGN", ...fields });
}

async function attempt(
  mailbox: Mailbox,
  before: Mailbox,
  model: Model,
  event: Extract<Event, { kind: "attempt" }>,
  sent: Map<string, { send: Send; tried: Tried }>,
  now: number,
): Promise<void> {
  const [organisation, provider] = namesOf(event.place);
  const send = await sendTo(mailbox, organisation);
  const at = new Date(now);
  const tried: Tried = { at: now, organisation, provider, refused: undefined, isClaim: false };
  model.tried.push(tried);
  if (event.answer === "accepted") {
    await inTransaction(() => noteAccepted(send, at));
    if (before.trial) await endTrial(before);
    tried.refused = false;
    model.trial = null;
    sent.set(organisation, { send, tried });
    return;
  }
  const refusal = readRefusal({ stage: "RCPT", code: 550, text: TEXTS[event.answer] });
  await learnProviders(knownHosts, { workspaceId, mailboxId: mailbox._id }, organisation);
  await inTransaction(() => heedRefusal({ send, mailboxId: mailbox._id, refusal, code: "550", at }));
  refuse(model, tried, event.answer, now);
}

/** The mail of an attempt comes back: the attempt counts as refused, at its own instant. */
async function report(
  mailbox: Mailbox,
  model: Model,
  answer: keyof typeof TEXTS,
  about: { send: Send; tried: Tried } | undefined,
  now: number,
) {
  if (about === undefined) return;
  const refusal = readRefusal({ stage: "RCPT", code: 550, text: TEXTS[answer] });
  await learnProviders(knownHosts, { workspaceId, mailboxId: mailbox._id });
  const heard = { send: about.send, mailboxId: mailbox._id, refusal, code: "550", isReport: true, at: new Date(now) };
  await inTransaction(() => heedRefusal(heard));
  about.tried.refused = undefined;
  refuse(model, about.tried, answer, now);
}

function refuse(model: Model, tried: Tried, answer: keyof typeof TEXTS, now: number): void {
  if (answer === "rule") return;
  const { organisation } = tried;
  const claimed = model.claims.get(organisation);
  const isContradicted = model.tried.some(
    (one) => one.refused === false && one.organisation !== organisation && claimed !== undefined && one.at > claimed,
  );
  if (answer === "policy" || isContradicted) {
    tried.refused = true;
    model.judge(now);
    return;
  }
  tried.isClaim = true;
  model.claims.set(organisation, now);
  model.rest(now, model.window(now), [organisation]);
}

test("the model pauses one provider after three refusals there, and cools the mailbox down after refusals at a second provider", () => {
  const model = new Model();
  const no = (organisation: string, provider: string, at: number) =>
    model.tried.push({ at, organisation, provider, refused: true, isClaim: false });
  no("a", "p", MINUTE_MS);
  no("b", "p", 2 * MINUTE_MS);
  model.judge(3 * MINUTE_MS);
  expect([model.coolingUntil, model.pauses.size]).toEqual([null, 0]);
  no("c", "p", 3 * MINUTE_MS);
  model.judge(4 * MINUTE_MS);
  expect([model.coolingUntil, model.pauses.has("p")]).toEqual([null, true]);
  no("d", "q", 4 * MINUTE_MS);
  model.judge(5 * MINUTE_MS);
  expect(model.coolingUntil).not.toBeNull();
});
