import { expect, test } from "@jest/globals";
import { peopleOnlyIn } from "../../../domain/agent/settings.ts";
import { readIntent } from "../../../domain/inbox/intent/read.ts";
import { CAME_AT, LABELLED_REPLIES, type Label } from "./labelled-replies.ts";

const REPLIES = Object.values(LABELLED_REPLIES).flat();

/**
 * The label that the rules alone give a reply, in the order in which they are asked: a request to stop is settled when
 * the email is stored.
 */
function labelOf(words: string): Label {
  const intent = readIntent({ words });
  if (intent.optOut !== null) return intent.optOut === "CLEAR" ? "UNSUBSCRIBE" : "MAYBE";
  return peopleOnlyIn(intent) ?? "NONE";
}

function promisedIn(text: string): string[] {
  const { clauses } = readIntent({ words: text, at: CAME_AT, timeZone: "Europe/Berlin", ownAddresses: ["ann@a.test"] });
  return clauses.flatMap(({ intent, date, address }) => (intent === "LATER" ? (date ?? []) : (address ?? [])));
}

test("there are 120 labelled replies, 15 in each of eight languages", () => {
  expect(Object.values(LABELLED_REPLIES).map((of) => of.length)).toEqual(Array.from({ length: 8 }, () => 15));
});

test("rules alone find the category of at least 85 of 100 labelled replies, and suppress only people who ask for it", () => {
  const wrong = REPLIES.flatMap(([text, label]) =>
    labelOf(text) === label ? [] : [`${text} => ${labelOf(text)}, not ${label}`],
  );
  expect([wrong.length <= REPLIES.length * 0.15, wrong]).toEqual([true, expect.anything()]);
  expect(REPLIES.filter(([text, label]) => label !== "UNSUBSCRIBE" && labelOf(text) === "UNSUBSCRIBE")).toEqual([]);
});

test("at least 90 of 100 promises in labelled replies are found with their date, and no other promise is found", () => {
  const made = REPLIES.filter(([, , promised]) => promised !== undefined);
  const missed = made.flatMap(([text, , promised]) =>
    promisedIn(text)[0] === promised ? [] : [`${text} => ${promisedIn(text)}`],
  );
  expect([missed.length <= made.length * 0.1, missed]).toEqual([true, expect.anything()]);
  const invented = REPLIES.flatMap(([text, , promised]) => {
    const others = promisedIn(text).filter((one) => one !== promised);
    return others.length === 0 ? [] : [`${text} => ${others}`];
  });
  expect(invented).toEqual([]);
});
