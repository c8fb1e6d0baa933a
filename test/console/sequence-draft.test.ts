import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { dropSequences, placeOfSequence, placesOfSequences } from "../../console/frame/kept.ts";
import { keepCopy, openDraft } from "../../console/pages/sequence/copies.ts";
import {
  type Draft,
  draftOf,
  hasChanges,
  type Step,
  type Stored,
  withAnswer,
  withNews,
  withPresentIds,
  withSend,
} from "../../console/pages/sequence/draft.ts";
import {
  removeStep,
  removeVariant,
  restoreStep,
  restoreVariant,
  takeTextBack,
} from "../../console/pages/sequence/edits.ts";

const SECRET = "https://hooks.example.com/T0?token=s3cr3t";
const PLACE = "place";

function emailOf(subject: string, stepId = "one"): Step {
  return {
    stepId,
    order: 1,
    type: "EMAIL",
    delay: { value: 0, unit: "DAYS" },
    threadMode: "NEW_THREAD",
    conditions: [],
    config: {},
    variants: [
      {
        variantId: `${stepId}-A`,
        label: "A",
        subject,
        bodyHtml: null,
        bodyText: "Hello",
        weight: 50,
        enabled: true,
        attachments: [],
      },
    ],
    winner: {},
  };
}

function hookOf(config: Step["config"], stepId = "hook"): Step {
  return { ...emailOf("", stepId), order: 2, type: "WEBHOOK", config, variants: [] };
}

const storedOf = (version: number, ...steps: Step[]): Stored => ({ version, mode: "VISUAL", steps });
const write = (draft: Draft, ...steps: Step[]): Draft => ({ ...draft, steps });
const BASE = storedOf(1, emailOf("Stored"));

const first = withSend(write(draftOf(BASE), emailOf("First")), [emailOf("First")]);
const second = withSend(write(first, emailOf("Second")), [emailOf("Second")]);
const many = ["3", "4", "5", "6", "7"].reduce((draft, text) => withSend(draft, [emailOf(text)]), second);

test.each([
  ["the save that is under way", first, "First", false],
  ["an earlier save whose answer is missing", second, "First", true],
  ["the last save whose answer is missing", second, "Second", false],
  ["the first of many saves without an answer", many, "First", true],
  ["the last of many saves without an answer", many, "7", true],
])("a version that comes from %s is no conflict", (_, draft, subject, isUnsaved) => {
  const news = withNews(draft, storedOf(2, emailOf(subject)));
  expect([news.conflict, news.base.version, hasChanges(news)]).toEqual([null, 2, isUnsaved]);
  expect(news.steps[0]?.variants[0]?.subject).toBe(draft.steps[0]?.variants[0]?.subject);
});

test("text that was withdrawn while the answer to its save was missing stays withdrawn", () => {
  const withdrawn = write(withSend(draftOf(BASE), [emailOf("Withdrawn")]), ...BASE.steps);
  const news = withNews(withdrawn, storedOf(2, emailOf("Withdrawn")));
  expect([news.conflict, news.base.version, hasChanges(news), news.steps]).toEqual([null, 2, true, BASE.steps]);
});

test("a version of another author is a conflict, and the own text stays", () => {
  const news = withNews(second, storedOf(2, emailOf("Theirs")));
  expect([news.conflict?.version, news.base.version, news.steps]).toEqual([2, 1, [emailOf("Second")]]);
});

test.each([
  ["note", "  "],
  ["title", "\n"],
])("a blank %s that is typed during a save stays in its field", (name, blank) => {
  const taskOf = (text: string): Step => ({ ...hookOf({ [name]: text }, "task"), type: "TASK" });
  const sent = [taskOf("")];
  const draft = withSend(write(draftOf(BASE), ...sent), sent);
  const answered = withAnswer(write(draft, taskOf(blank)), storedOf(2, taskOf("")), sent);
  expect([answered.steps[0]?.config, hasChanges(answered)]).toEqual([{ [name]: blank }, false]);
});

test("undo after a save brings back a step or variant under the ids that the save gave", () => {
  const twoVariants = (id: string): Step => ({
    ...emailOf("First", id),
    variants: ["A", "B"].flatMap((label) => emailOf(label, `${id}-${label}`).variants),
    conditions: [{ if: "ALWAYS", nextStepId: id.replace("1", "2") }],
  });
  const second = (id: string): Step => ({ ...emailOf("Second", id), order: 2 });
  const before = [twoVariants("new-1"), second("new-2")];
  const after = [twoVariants("stp-1"), second("stp-2")];
  const sent = withSend(write(draftOf(BASE), ...before), before);
  const saved = (steps: Step[]) => withAnswer(write(sent, ...steps), storedOf(2, ...after), before);
  const withoutStep = saved(removeStep(before, "new-2"));
  expect(restoreStep(withoutStep.steps, withPresentIds(withoutStep, before), 1)).toEqual(after);
  const withoutVariant = saved(removeVariant(before, "new-1-B-A"));
  const [present] = withPresentIds(withoutVariant, before);
  expect(withoutVariant.steps[0]?.variants).toHaveLength(1);
  expect(restoreVariant(withoutVariant.steps, present, 1)).toEqual(after);
});

test("undo brings back the thread of the next step, and the winner of a step that was not changed since", () => {
  const before: Step[] = [emailOf("One"), { ...emailOf("Two", "two"), order: 2, threadMode: "SAME_THREAD" }];
  expect(restoreStep(removeStep(before, "one"), before, 0)).toEqual(before);
  const [one] = emailOf("One").variants;
  const winner = { mode: "AUTO", winnerVariantId: "one-A" };
  const won: Step = {
    ...emailOf("One"),
    variants: [...emailOf("One").variants, ...emailOf("B", "b").variants],
    winner,
  };
  const left = removeVariant([won], one?.variantId ?? "");
  expect(left[0]?.winner["winnerVariantId"]).toBeNull();
  expect(restoreVariant(left, won, 0)).toEqual([won]);
  const off = left.map((step) => ({ ...step, winner: { ...step.winner, mode: "OFF" } }));
  expect(restoreVariant(off, won, 0)[0]?.winner).toEqual({ mode: "OFF", winnerVariantId: null });
});

const TEMPLATE = { subject: "Template", bodyHtml: null, bodyText: "Hello" };
const EARLIER = { subject: "Earlier", bodyHtml: "<p>Earlier</p>", bodyText: null };

test.each([
  ["the text is still that of the template", "Template", "one-A", "Earlier"],
  ["the text was changed since", "Template, changed", "one-A", null],
  ["the variant was removed since", "Template", "gone", null],
])("undo of a template, when %s", (_, subject, variantId, expected) => {
  const back = takeTextBack([emailOf(subject)], variantId, TEMPLATE, EARLIER);
  expect(back?.[0]?.variants[0]?.subject ?? null).toBe(expected);
});

/** A storage of the browser, with room for so many characters in each value. */
function storageWith(room: number): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    key: (at) => [...values.keys()][at] ?? null,
    getItem: (name) => values.get(name) ?? null,
    removeItem: (name) => void values.delete(name),
    setItem: (name, value) => {
      if (value.length > room) throw new Error("QuotaExceededError");
      values.set(name, value);
    },
  };
}

const NAMES = ["sessionStorage", "localStorage"] as const;
const own = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

function giveStorages(room: number): void {
  for (const name of NAMES)
    Object.defineProperty(globalThis, name, { value: storageWith(room), configurable: true, writable: true });
}

beforeEach(() => giveStorages(Number.POSITIVE_INFINITY));
afterEach(() => {
  for (const [name, descriptor] of own) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
  }
});

const copies = () => NAMES.map((name) => globalThis[name].getItem(PLACE) ?? "");

test("a reload during a save is no conflict with oneself", () => {
  keepCopy(PLACE, write(first, emailOf("Second")));
  const draft = openDraft(PLACE, storedOf(2, emailOf("First")));
  expect([draft.conflict, draft.steps[0]?.variants[0]?.subject]).toEqual([null, "Second"]);
});

test.each([
  ["the version that the changes began from", 1],
  ["a version with another setting", 2],
])("a copy leaves out what the server knows of a webhook, and takes it from %s", (_, version) => {
  const hook = hookOf({ url: SECRET, apiKey: "s3cr3t" });
  const changed = write(draftOf(storedOf(1, emailOf("Stored"), hook)), emailOf("Mine"), hook);
  expect(keepCopy(PLACE, withSend(changed, changed.steps))).toBe(true);
  for (const text of copies()) {
    expect(text).toContain("Mine");
    expect(text).not.toContain("s3cr3t");
  }
  const draft = openDraft(PLACE, storedOf(version, emailOf("Stored"), hook));
  expect([draft.conflict, draft.base.version, draft.steps]).toEqual([null, version, changed.steps]);
});

test("a copy keeps the new URL of a webhook until it is saved", () => {
  const stored = storedOf(1, hookOf({ url: SECRET }), hookOf({ url: SECRET }, "other"));
  const steps = [hookOf({ url: "https://new.example.com/" }), hookOf({ url: SECRET }, "other")];
  keepCopy(PLACE, write(draftOf(stored), ...steps));
  expect(copies().join("")).not.toContain("s3cr3t");
  expect(openDraft(PLACE, stored).steps).toEqual(steps);
});

const MINE = "https://mine.example.com/";
const THEIRS = "https://theirs.example.com/";
const base3 = storedOf(3, emailOf("Stored"), hookOf({ url: SECRET }));

test.each([
  [
    "the URL of someone else is a conflict with the own one",
    [hookOf({ url: MINE })],
    4,
    [hookOf({ url: THEIRS })],
    MINE,
    4,
  ],
  [
    "the own URL whose save was answered too late is no conflict",
    [hookOf({ url: MINE })],
    4,
    [hookOf({ url: MINE })],
    MINE,
    null,
  ],
  [
    "the URL of someone else is taken over without an own one",
    [hookOf({ url: SECRET })],
    4,
    [hookOf({ url: THEIRS })],
    THEIRS,
    null,
  ],
  ["an older version gives no URL", [hookOf({ url: SECRET })], 2, [hookOf({ url: THEIRS })], undefined, null],
  ["a webhook that was removed is a conflict", [hookOf({ url: SECRET })], 4, [], undefined, 4],
])("a copy is opened: %s", (_, own, version, theirs, url, conflict) => {
  keepCopy(PLACE, write(draftOf(base3), emailOf("Mine"), ...own));
  const draft = openDraft(
    PLACE,
    storedOf(version, emailOf(url === MINE && conflict === null ? "Mine" : "Stored"), ...theirs),
  );
  expect([draft.steps[1]?.config["url"], draft.conflict?.version ?? null]).toEqual([url, conflict]);
});

test("a copy of an earlier version of the console, which has no list of saves, is opened", () => {
  keepCopy(PLACE, first);
  const { sends: _, ...earlier } = JSON.parse(copies()[0] ?? "{}");
  giveStorages(Number.POSITIVE_INFINITY);
  sessionStorage.setItem(PLACE, JSON.stringify(earlier));
  expect(openDraft(PLACE, BASE).steps).toEqual([emailOf("First")]);
});

test("a full storage keeps the text rather than the saves without an answer, and nothing if the text does not fit", () => {
  keepCopy(PLACE, first);
  const [room = 0] = copies().map(({ length }) => length);
  giveStorages(room - 1);
  expect(keepCopy(PLACE, first)).toBe(true);
  expect(openDraft(PLACE, BASE).steps).toEqual([emailOf("First")]);
  giveStorages(100);
  expect([keepCopy(PLACE, first), ...copies()]).toEqual([false, "", ""]);
});

// The last test: after a sign-out, a page keeps no copies until it is loaded again
test("after a sign-out, no copy is kept", () => {
  const place = placeOfSequence("campaign", "user");
  for (const one of [place, placeOfSequence("other", "user"), placeOfSequence("campaign", "someone")])
    keepCopy(one, first);
  expect(placesOfSequences("user").size).toBe(2);
  dropSequences("user");
  expect([keepCopy(place, first), placesOfSequences("user").size, placesOfSequences("someone").size]).toEqual([
    false,
    0,
    1,
  ]);
});
