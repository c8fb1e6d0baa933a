import { describe, expect, test } from "@jest/globals";
import { splitByShares } from "../../../domain/warmup/enrolment.ts";
import { hasPartner, type PlannedMailbox } from "../../../domain/warmup/partners.ts";
import { type PlannedOpening, planOpenings } from "../../../domain/warmup/plan.ts";
import { breachesOf, DAY, isWeak, mailbox, metOf, planOf, SHARED } from "./plan-rules.ts";

const PROVIDERS = ["PROVIDERA", "PROVIDERB", "SMTP"] as const;
const pairsOf = (plan: readonly PlannedOpening[]) => plan.map(({ from, to }) => `${from}>${to}`).sort();
const opens = (count: number, pool = SHARED) => ({ target: count, openings: [{ pool, count }] });

function many(count: number, more: (index: number) => Partial<PlannedMailbox>): PlannedMailbox[] {
  return Array.from({ length: count }, (_, index) =>
    mailbox(`m${index}`, { provider: PROVIDERS[index % 3] ?? "SMTP", ...more(index) }),
  );
}

function countsBy(plan: readonly PlannedOpening[], of: (opening: PlannedOpening) => string): Map<string, number> {
  return new Map([...Map.groupBy(plan, of)].map(([key, openings]) => [key, openings.length]));
}

describe("mailboxes without a warmup partner", () => {
  test.each<[string, PlannedMailbox[]]>([
    ["one alone", [mailbox("a")]],
    [
      "several of one domain, in workspaces of their own",
      [1, 2, 3].map((index) => mailbox(`m${index}`, { organisation: "one.test" })),
    ],
    [
      "one of whom the others share the workspace, but one that shares the domain",
      [
        mailbox("a", { workspaceId: "w", organisation: "a.test" }),
        mailbox("b", { workspaceId: "w", organisation: "b.test", pools: [], openings: [] }),
        mailbox("c", { workspaceId: "x", organisation: "a.test" }),
      ],
    ],
    ["a weak one beside one in WATCH", [mailbox("a", { band: "THROTTLED" }), mailbox("b", { band: "WATCH" })]],
    ["a BLOCKED one", [mailbox("a", { band: "BLOCKED" }), mailbox("b")]],
    ["members of different pools", [mailbox("a"), mailbox("b", { pools: ["wpl_1"], ...opens(3, "wpl_1") })]],
  ])("%s: no opening is planned, and hasPartner returns false", (_, all) => {
    expect(planOf(all)).toEqual([]);
    expect(all.map((one) => hasPartner(one, all))).toEqual(all.map(() => false));
  });

  test("a mailbox has a partner, but sends nothing while that partner has no emails planned for the day", () => {
    const all = [mailbox("a"), mailbox("b", { target: 0, openings: [] })];
    expect(planOf(all)).toEqual([]);
    expect(hasPartner(mailbox("a"), all)).toBe(true);
  });
});

describe("allowed warmup pairs", () => {
  test("in the shared pool a mailbox never writes within its own workspace if there are other workspaces", () => {
    const all = ["a", "b"].map((id) => mailbox(id, { workspaceId: "w" }));
    const plan = planOf([...all, mailbox("c", { openings: [], target: 20 })]);
    expect(countsBy(plan, ({ to }) => to)).toEqual(new Map([["c", 6]]));
  });

  test("with a single workspace, mailboxes in the shared pool write to mailboxes of that workspace on other domains", () => {
    const all = ["a", "b", "c"].map((id) =>
      mailbox(id, { workspaceId: "w", organisation: id === "c" ? "other.test" : "one.test" }),
    );
    const plan = planOf(all);
    expect(new Set(pairsOf(plan))).toEqual(new Set(["a>c", "b>c", "c>a", "c>b"]));
    expect(plan).toHaveLength(8); // c may receive five of the six
  });

  test("in a private pool the mailboxes of a workspace write to each other and to no mailbox outside", () => {
    const pools = { workspaceId: "w", pools: ["wpl_1"], ...opens(2, "wpl_1") };
    const all = [mailbox("a", pools), mailbox("b", pools), mailbox("c", { workspaceId: "w" }), mailbox("d")];
    const plan = planOf(all);
    expect(pairsOf(plan.filter(({ pool }) => pool === "wpl_1"))).toEqual(["a>b", "a>b", "b>a", "b>a"]);
    expect(pairsOf(plan.filter(({ pool }) => pool === SHARED))).toEqual(["c>d", "c>d", "c>d", "d>c", "d>c", "d>c"]);
  });

  test("a mailbox opens no conversation in a pool of which the mailbox is not a member", () => {
    expect(planOf([mailbox("a", opens(2, "wpl_1")), mailbox("b", { pools: [SHARED, "wpl_1"], openings: [] })])).toEqual(
      [],
    );
  });

  test("no mailbox receives more than 1.3 times the mailbox's own target, or two emails if that is more", () => {
    const writers = many(30, () => opens(20));
    const receivers = [1, 2, 4, 10].map((target) =>
      mailbox(`to${target}`, { target, openings: [], organisation: "to.test" }),
    );
    const oneDomain = writers.map((one) => ({ ...one, organisation: "writers.test" }));
    const received = countsBy(planOf([...oneDomain, ...receivers]), ({ to }) => to);
    expect([1, 2, 4, 10].map((target) => received.get(`to${target}`))).toEqual([2, 2, 5, 13]);
  });

  test("emails already planned for a mailbox count towards the receiving limit", () => {
    const all = [mailbox("a", opens(20)), mailbox("b", { target: 10, openings: [], planned: 10, received: 12 })];
    expect(planOf(all)).toHaveLength(1);
  });

  test("a healthy mailbox accepts a fifth of the receiving limit, but at least one email, from weak mailboxes, and weak ones accept healthy ones only", () => {
    const weak = many(9, (index) => ({ ...opens(10), band: index % 2 === 0 ? "THROTTLED" : "QUARANTINED" }));
    const others = [mailbox("small", { target: 2, openings: [] }), mailbox("large", { target: 20, openings: [] })];
    const watched = mailbox("watched", { band: "WATCH", target: 50, openings: [{ pool: SHARED, count: 50 }] });
    const plan = planOf([...weak, ...others, watched]);
    const fromWeak = plan.filter(({ from }) => weak.some(({ mailboxId }) => mailboxId === from));
    expect(countsBy(fromWeak, ({ to }) => to)).toEqual(
      new Map([
        ["large", 5],
        ["small", 1],
      ]),
    );
    expect(plan.filter(({ from }) => from === "watched").map(({ to }) => to)).not.toContain("m0");
    const before = [
      mailbox("a", { band: "THROTTLED" }),
      mailbox("b", { target: 20, openings: [], received: 4, receivedFromWeak: 4 }),
    ];
    expect(planOf(before)).toHaveLength(1);
  });
});

describe("preferred warmup partners", () => {
  test("a mailbox prefers partners at other providers", () => {
    const all = many(30, () => opens(4));
    const provider = new Map(all.map((one) => [one.mailboxId, one.provider]));
    const alike = planOf(all).filter(({ from, to }) => provider.get(from) === provider.get(to));
    expect(alike.length).toBeLessThanOrEqual(6); // of 120; by chance there would be 39
  });

  test("a mailbox prefers the partners met least often", () => {
    const all = many(12, () => ({ ...opens(2), provider: "SMTP" }));
    const met = ["m1", "m2", "m3", "m4", "m5"].map((to) => ({ from: to, to: "m0" }));
    const fromM0 = planOf(all, met).filter(({ from }) => from === "m0");
    expect(fromM0).toHaveLength(2);
    expect(fromM0.filter(({ to }) => met.some(({ from }) => from === to))).toEqual([]);
  });

  test("the only partner not yet met twice is chosen, at any place in the pool", () => {
    for (let only = 0; only < 80; only += 8) {
      const all = [mailbox("a", opens(1)), ...many(80, () => ({ target: 5, openings: [], planned: 5 }))];
      const met = all
        .filter(({ mailboxId }) => mailboxId !== `m${only}`)
        .flatMap(({ mailboxId: to }) => [0, 1].map(() => ({ from: "a", to })));
      expect(pairsOf(planOf(all, met))).toEqual([`a>m${only}`]);
    }
  });

  test("twelve openings of a late mailbox go to twelve different mailboxes that are equally far behind in receiving", () => {
    const there = many(12, () => ({ target: 10, openings: [], planned: 7, received: 7, provider: "SMTP" }));
    const plan = planOf([...there, mailbox("late", opens(12))]);
    expect(plan.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, number) => number));
    expect(new Set(plan.map(({ to }) => to)).size).toBe(12);
  });

  test("most partners of a mailbox change from one day to the next", () => {
    const all = many(40, () => opens(3));
    const other = [...planOpenings("2026-05-05", all, metOf([]))].flat();
    expect(pairsOf(other).filter((pair) => pairsOf(planOf(all)).includes(pair)).length).toBeLessThan(30); // of 120
  });
});

describe("warmup plans of whole pools", () => {
  test("in a private pool of 500, each mailbox opens and receives exactly the mailbox's target", () => {
    const all = many(500, (index) => ({
      workspaceId: "w",
      organisation: `d${index % 50}.test`,
      pools: ["wpl_1"],
      ...opens(3 + (index % 18), "wpl_1"),
    }));
    const plan = planOf(all);
    expect(breachesOf(plan, all)).toEqual([]);
    const [sent, received] = [countsBy(plan, ({ from }) => from), countsBy(plan, ({ to }) => to)];
    expect(all.filter(({ mailboxId, target }) => sent.get(mailboxId) !== target)).toEqual([]);
    const uneven = all.filter(({ mailboxId, target }) => received.get(mailboxId) !== target);
    expect(uneven).toEqual([]);
  });

  test("with 90 of 100 mailboxes in one workspace, the other ten receive up to the limit and send all their emails to the large workspace", () => {
    const all = many(100, (index) => ({ workspaceId: index < 90 ? "large" : `w${index}`, ...opens(10) }));
    const plan = planOf(all);
    const isLarge = (id: string) => Number(id.slice(1)) < 90;
    expect(plan.filter(({ from }) => isLarge(from))).toHaveLength(130);
    expect(plan.filter(({ from, to }) => !isLarge(from) && isLarge(to))).toHaveLength(100);
  });

  test("mailboxes on one mail provider's domain use the full capacity of the few mailboxes on other domains, across workspaces", () => {
    const all = many(60, (index) => ({
      organisation: index % 6 === 0 ? `d${index}.test` : "mail.test",
      workspaceId: `w${index % 20}`,
      ...opens(2),
    }));
    const plan = planOf(all);
    expect(breachesOf(plan, all)).toEqual([]);
    expect(plan).toHaveLength(2 * 10 + 2 * 10); // ten of other domains: what they send, and what they may receive
  });

  test.each([[[0.5, 0.5]], [[0.34, 0.34, 0.34]]])(
    "shares of %j give each pool exactly the openings of that share",
    (shares) => {
      const names = shares.map((_, index) => (index === 0 ? SHARED : `wpl_${index}`));
      const parts = splitByShares(
        12,
        shares.map((share, index) => ({ type: names[index] ?? "", share })),
      );
      const openings = parts.map(({ type, count }) => ({ pool: type, count }));
      const all = many(12, () => ({ workspaceId: "w", target: 12, openings, pools: names }));
      const plan = planOf([
        ...all,
        ...many(4, (index) => ({
          mailboxId: `x${index}`,
          organisation: `x${index}.test`,
          workspaceId: "x",
          ...opens(18),
        })),
      ]);
      const own = plan.filter(({ from }) => from.startsWith("m"));
      expect(countsBy(own, ({ pool }) => pool)).toEqual(new Map(openings.map(({ pool, count }) => [pool, 12 * count])));
    },
  );

  test("every page of a plan except the last is full, and each mailbox's openings are numbered in order", () => {
    const all = many(20, () => opens(5));
    const pages = [...planOpenings(DAY, all, metOf([]), { pageSize: 30, heldBack: 20 })];
    expect(pages.map(({ length }) => length)).toEqual([30, 30, 30, 10]);
    for (const { mailboxId } of all) {
      const numbers = pages.flat().flatMap(({ from, number }) => (from === mailboxId ? [number] : []));
      expect(numbers).toEqual([0, 1, 2, 3, 4]);
    }
  });

  test("planning does not change the given mailboxes and meetings", () => {
    const all = many(20, (index) => ({ ...opens(5), band: index === 0 ? "THROTTLED" : "HEALTHY" }));
    const met = metOf([]);
    const before = structuredClone(all);
    const plan = [...planOpenings(DAY, all, met)].flat();
    expect(all).toEqual(before);
    expect(plan.some(({ from, to }) => met.times(from, to) > 0)).toBe(false);
    expect(all.filter(isWeak)).toHaveLength(1);
  });
});
