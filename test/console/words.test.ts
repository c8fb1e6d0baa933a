import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { codesOf } from "../../api/openapi/errors.ts";
import { consoleRoutes, routes } from "../../api/routes.ts";
import { Refusal } from "../../console/api/refusal.ts";
import { type Change, changesInWords, idsBefore } from "../../console/words/changes.ts";
import { isPlain, placeInWords, sentenceOf } from "../../console/words/codes.ts";
import { ruleInWords } from "../../console/words/rules.ts";
import { SENTENCES } from "../../console/words/sentences.ts";
import { branchesInWords, delayInWords } from "../../console/words/steps.ts";
import { rule } from "../../domain/recipients/explain.ts";
import { DELAY_UNITS, type Step } from "../../domain/sequences/sequence.ts";
import type { Route } from "../../operations/declaration.ts";

const inWords = (reason: string | null) =>
  ruleInWords({ code: "RETRY", text: "", values: { attempts: 1, reason } }, () => null);

test("the reason of a failed attempt is shown in words, and a reason without words is shown as the service names it", () => {
  expect(inWords("RCPT_REFUSED")).toBe("Attempts that failed in a row: 1. The last: the server refused the recipient");
  expect(inWords("CONNECT_TIMEOUT")).toContain("no answer in time to the connection");
  expect(inWords("AUTH_CLOSED")).toContain("the server hung up at the sign-in");
  for (const unknown of ["RCPT_UNHEARD", "WITHDRAWN", "constructor_REFUSED"])
    expect(inWords(unknown)).toContain(unknown);
  const { code, values } = rule("RETRY", { attempts: 2, reason: null });
  expect(ruleInWords({ code, text: "", values }, () => null)).toBe(
    "Attempts that failed in a row: 2. The last: nothing",
  );
});

const NONE = { value: 0, unit: "DAYS" } as const;
const placed = (stepId: string, order: number, more: Partial<Step> = {}) => ({
  stepId,
  order,
  type: "EMAIL" as const,
  delay: NONE,
  conditions: [],
  ...more,
});

test("the wait before a step is counted from admission, from the email before or from the step before", () => {
  const steps = [placed("a", 1), placed("b", 2, { delay: { value: 1, unit: "DAYS" }, type: "WAIT" }), placed("c", 3)];
  expect(steps.map((step) => delayInWords(step, steps))).toEqual([
    "Immediately after admission",
    "1 day after the email before",
    "Immediately after the step before",
  ]);
  const waits = DELAY_UNITS.map((unit) => delayInWords(placed("a", 1, { delay: { value: 1_440, unit } }), []));
  expect(waits).toEqual(["minutes", "hours", "days", "business days"].map((units) => `1,440 ${units} after admission`));
});

test.each<[Step["conditions"][number], string]>([
  [{ if: "OPENED", nextStepId: "c" }, "If the recipient opens this email before the next step: go to step 3."],
  [{ if: "OPENED", withinDays: 1, nextStepId: "c" }, "If the recipient opens this email within 1 day: go to step 3."],
  [
    { if: "CLICKED", ofStepId: "c", nextStepId: null },
    "If the recipient clicks a link in the email of step 3 before the next step: end the sequence.",
  ],
  [
    { if: "REPLIED", ofStepId: "gone", nextStepId: "c" },
    "If the recipient replies to the email of a removed step before the next step: go to step 3.",
  ],
  [
    { if: "NOT_OPENED", withinDays: 3, nextStepId: "c" },
    "If the recipient does not open this email within 3 days: go to step 3.",
  ],
  [
    { if: "NOT_CLICKED", withinDays: 3, nextStepId: "c" },
    "If the recipient clicks no link in this email within 3 days: go to step 3.",
  ],
  [
    { if: "NOT_REPLIED", withinDays: 3, nextStepId: "gone" },
    "If the recipient does not reply to this email within 3 days: end the sequence, because the next step was removed.",
  ],
  [
    { if: "CATEGORY_IS", category: "INTERESTED", withinDays: 3, nextStepId: "c" },
    "If the newest reply is in the category “interested” within 3 days: go to step 3.",
  ],
  [
    { if: "CATEGORY_IS", category: "Partner", nextStepId: "c" },
    "If the newest reply is in the category “Partner” before the next step: go to step 3.",
  ],
  [{ if: "RANDOM", percent: 33.3, nextStepId: "c" }, "For 33.3% of recipients, drawn at random: go to step 3."],
  [{ if: "WEATHER_IS", nextStepId: "c" }, "If the condition “weather is” is met: go to step 3."],
  [{ if: "constructor", nextStepId: "c" }, "If the condition “constructor” is met: go to step 3."],
  [{ if: "FIELD_MATCHES", filterRules: {}, nextStepId: "c" }, "For every lead: go to step 3."],
  [
    {
      if: "FIELD_MATCHES",
      filterRules: { jobTitle: ["CEO", "CTO"], tags: "warm", "customFields.seats": 3 },
      nextStepId: "c",
    },
    "If the lead's job title is one of “CEO”, “CTO” and tags has any of “warm” and “seats” is 3: go to step 3.",
  ],
])("a branch is described by a sentence with its condition and its target: %j", (condition, sentence) => {
  const step = placed("a", 1, { conditions: [condition] });
  const steps = [step, placed("b", 2), placed("c", 3)];
  expect(branchesInWords(step, steps)).toEqual([sentence, "Otherwise: go to step 2."]);
});

test("nothing is described after a condition that always holds or after the last step, and no step is described as before the first email", () => {
  const always = { if: "ALWAYS", nextStepId: "b" };
  const asks = { if: "OPENED", nextStepId: "b" };
  const [first, last] = [
    placed("a", 1, { type: "CONDITION", conditions: [asks, always] }),
    placed("b", 2, { conditions: [asks] }),
  ];
  expect(branchesInWords(first, [first, last])).toEqual([
    "If the recipient opens the last email before the next step: go to step 2.",
    "Otherwise: go to step 2.",
  ]);
  expect(branchesInWords({ ...first, conditions: [always] }, [first, last])).toEqual(["Always: go to step 2."]);
  expect(branchesInWords(last, [first, last]).at(-1)).toBe("Otherwise: end the sequence.");
  expect(branchesInWords(placed("a", 1), [])).toEqual([]);
});

test("the sentence for a nested filter uses brackets and names only the first five of many values", () => {
  const among = { field: "country", operator: "NOT_IN", value: ["DE", "AT", "CH", "FR", "IT", "ES", "PT"] };
  const either = {
    combinator: "OR",
    rules: [
      { field: "phone", operator: "IS_SET" },
      { field: "createdAt", operator: "AFTER", value: "2026-01-01" },
    ],
  };
  const step = placed("a", 1, {
    conditions: [{ if: "FIELD_MATCHES", filterRules: { rules: [among, either] }, nextStepId: null }],
  });
  expect(branchesInWords(step, [step])[0]).toBe(
    "If the lead's country is none of “DE”, “AT”, “CH”, “FR”, “IT”, 2 more and (phone is filled in or created at is after “2026-01-01”): end the sequence.",
  );
});

const names = { orderOf: (id: string) => (id === "b" ? 2 : null), labelOf: (id: string) => (id === "v" ? "A" : null) };
const changed = (field: string, before: unknown, after: unknown, place: Partial<Change> = {}) => ({
  stepId: "b",
  variantId: null,
  field,
  before,
  after,
  ...place,
});
const ofVariant = { variantId: "v" };
const ofCampaign = { stepId: null };

test.each<[Change, string]>([
  [
    changed("delay", { value: 3, unit: "DAYS" }, { value: 1, unit: "FORTNIGHTS" }),
    "Step 2: delay 3 days → 1 fortnights",
  ],
  [changed("type", "WAIT", "TASK"), "Step 2: type Wait → Task"],
  [changed("conditions", [], [{ if: "ALWAYS" }]), "Step 2: what comes next changed"],
  [changed("config", { apiKey: "s3cr3t" }, {}), "Step 2: details changed"],
  [changed("winner", {}, {}), "Step 2: rule for the winner changed"],
  [changed("order", 3, 2), "Step 3 is now step 2"],
  [changed("step", 4, null), "Step 4 removed"],
  [changed("delay", null, null, { stepId: "gone" }), "A step: delay none → none"],
  [changed("constructor", 1, 2), "Step 2: constructor changed"],
  [changed("variant", null, "B", ofVariant), "Step 2: variant B added"],
  [changed("variant", "B", null, { variantId: "gone" }), "Step 2: variant B removed"],
  [changed("bodyHtml", null, null, ofVariant), "Step 2: text of variant A changed"],
  [changed("attachments", [], ["a.pdf"], { variantId: "gone" }), "Step 2: attachments of a variant changed"],
  [changed("weight", 50, 10, ofVariant), "Step 2: weight of variant A 50 → 10"],
  [changed("enabled", true, false, ofVariant), "Step 2: variant A disabled"],
  [changed("label", "A", "Short", ofVariant), "Step 2: variant A is now called Short"],
  [changed("mode", "DEFAULT", "VISUAL", ofCampaign), "Type of sequence: linear → with branches"],
  [changed("settings.dailyLimit", 1_500, null, ofCampaign), "Setting dailyLimit: 1,500 → none"],
  [changed("settings.holdOut", 0, 0.125, ofCampaign), "Setting holdOut: 0 → 0.125"],
  [changed("settings.trackOpens", false, true, ofCampaign), "Setting trackOpens: no → yes"],
  [changed("settings.rotation", "WEIGHTED", "ROUND_ROBIN", ofCampaign), "Setting rotation: WEIGHTED → ROUND_ROBIN"],
  [changed("settings.ccList", [], ["ada@example.test"], ofCampaign), "Setting ccList changed"],
  [changed("settings.token", null, "s3cr3t", ofCampaign), "Setting token changed"],
])("a change of a campaign is described in a line of plain words without possible secrets: %j", (change, line) => {
  expect(changesInWords([change], names)).toEqual([line]);
});

test("the positions of steps before an edit are computed from the current positions and from the added, removed and moved steps", () => {
  const place = (stepId: string, field: "step" | "order", before: number | null, after: number | null) =>
    changed(field, before, after, { stepId });
  const edits: [before: string, after: string, changes: Change[]][] = [
    ["ab", "xab", [place("x", "step", null, 1)]],
    ["axb", "ab", [place("x", "step", 2, null)]],
    ["abc", "cba", [place("c", "order", 3, 1), place("a", "order", 1, 3)]],
    [
      "axbc",
      "ycba",
      [place("y", "step", null, 1), place("c", "order", 4, 2), place("a", "order", 1, 4), place("x", "step", 2, null)],
    ],
    ["ab", "ab", [changed("delay", null, null, { stepId: "a" })]],
  ];
  for (const [before, after, changes] of edits) expect(idsBefore([...after], changes).join("")).toBe(before);
});

/** The codes that every call can meet, whatever it is about. */
const OF_ALL = [
  "CROSS_SITE_REFUSED",
  "STEP_UP_REQUIRED",
  "SECOND_FACTOR_REQUIRED",
  "WORKSPACE_NOT_FOUND",
  "ROUTE_NOT_FOUND",
  "INTERNAL_ERROR",
];
const ALL_ROUTES: readonly Route[] = [...consoleRoutes, ...routes];

test("every error code that the console can receive has a sentence without API terms", () => {
  const codes = new Set<string>([
    ...OF_ALL,
    ...ALL_ROUTES.flatMap(([method, , operation]) => codesOf(method, operation)),
  ]);
  expect(codes.size).toBeGreaterThan(60);
  for (const code of codes) {
    const sentence = Object.entries(SENTENCES).find(([one]) => one === code)?.[1] ?? "";
    expect([code, sentence]).toEqual([code, expect.stringMatching(/^[A-Z].*[.]$/)]);
    expect([code, isPlain(sentence.replace("(PUBLIC_URL)", ""))]).toEqual([code, true]);
  }
});

test.each<[code: string, message: string, said: string]>([
  ["INVITE_ALREADY_EXISTS", "This address has an open invite: `resend` it", SENTENCES.INVITE_ALREADY_EXISTS],
  ["LIMIT_EXCEEDED", "A workspace has at most 20 private pools", "A workspace has at most 20 private pools."],
  ["RATE_LIMITED", "Ask with `pageSize` later", SENTENCES.RATE_LIMITED],
  ["LIMIT_EXCEEDED", "The mailbox has reached dailySendLimit", SENTENCES.LIMIT_EXCEEDED],
  ["SEND_FAILED", "POST /session/confirm first", SENTENCES.SEND_FAILED],
  ["NO_SENDING_MAILBOX", "No mailbox of the campaign can send now: BLOCKED", SENTENCES.NO_SENDING_MAILBOX],
  ["ROLE_NOT_ALLOWED", "Your role may not give leads:read", SENTENCES.ROLE_NOT_ALLOWED],
  ["OF_A_NEWER_SERVICE", "This is in plain words", "This is in plain words."],
  ["OF_A_NEWER_SERVICE", "The field `tags` is wrong", "Something went wrong."],
  ["constructor", "", "Something went wrong."],
])(
  "the sentence of %s contains the message of the service only if the message has no API terms: %s",
  (code, message, said) => {
    expect(sentenceOf(new Refusal(422, { code, message }), SENTENCES)).toBe(said);
  },
);

test("errors of form fields and of an unreachable database are described without API field names", () => {
  expect(["steps.0.subject", "dailySendLimit", "first_name"].map(placeInWords)).toEqual([
    "Steps, 1, subject",
    "Daily send limit",
    "First name",
  ]);
  const away = {
    code: "SERVICE_UNAVAILABLE",
    message: "The database did not answer: try again",
    details: { away: "DATABASE" },
  };
  expect(sentenceOf(new Refusal(503, away), SENTENCES)).toBe("The database is not responding. Retrying...");
  const engine = { code: "SERVICE_UNAVAILABLE", message: "The workflow engine cannot be reached: try again" };
  expect(sentenceOf(new Refusal(503, engine), SENTENCES)).toBe("The workflow engine cannot be reached: try again.");
});

/** What strangers stumbled over, and what the field calls otherwise. */
const BANNED: readonly RegExp[] = [
  /weighs? much/,
  /came back(?: for good)?\b/,
  /[Pp]ut away|takes it back|taken back/,
  /written to/,
  /[Gg]ood replies/,
  /[Tt]he engine\b/,
  /free slot/,
  /[Ll]ooking…/,
  / in all\b/,
  /which cannot be\b/,
  /\b(?:[Ss]ome|[Nn]o|[Ee]very)body\b/,
  /[Ww]hoever/,
  /[Ll]ooks? after/,
  /, this once/,
  /[Bb]egin with/,
  /\bmails\b/,
  /\bthe (?:REST )?interface\b/,
  /\bthe reference\b/,
  /a consent in the browser/,
  /are better than signs/,
  /[Aa]s the system/,
  /[Ss]top all mail|let it go on/i,
  /whose time has come/,
  /follows from decisions/,
  /ticks itself/,
];

test("no sentence of the console or of the sign-in pages contains a phrase that readers did not understand", async () => {
  const folders = ["console/words", "api/pages"];
  const found: [file: string, words: string][] = [];
  for (const folder of folders) {
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const source = await readFile(join(folder, name), "utf8");
      // Comments are for readers of the source
      const said = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|^import .*$/gm, "");
      for (const text of said.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []) {
        const inner = [...text.matchAll(/\$\{[^}]*\}/g)].flatMap(([code]) => code.match(/"[^"\n]*"/g) ?? []);
        const parts = [text.replaceAll(/\$\{[^}]*\}/g, ""), ...inner];
        for (const banned of BANNED)
          if (parts.some((part) => banned.test(part))) found.push([`${folder}/${name}`, text]);
      }
    }
  }
  expect(found).toEqual([]);
});
