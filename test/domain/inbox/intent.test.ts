import { expect, test } from "@jest/globals";
import { readIntent } from "../../../domain/inbox/intent/read.ts";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { FACTS, reply } from "../mail/mail.ts";
import { languagesMade, sentencesMade } from "./intent-grammar.ts";
import { figuresOf, readSet } from "./intent-sets.ts";

const optOutOf = (words: string) => readIntent({ words }).optOut;

test("400 labelled sentences in sixteen languages are read as they are labelled", () => {
  const set = readSet("labelled-intents.json");
  const wrong = set.filter(({ label, read }) => (read.optOut ?? "NONE") !== label);
  const lacking = set.filter(({ intents, read }) =>
    intents.some((wanted) => !read.clauses.some(({ intent }) => intent === wanted)),
  );
  expect(set.length).toBeGreaterThanOrEqual(400);
  expect(new Set(set.map(({ language }) => language)).size).toBe(16);
  expect(wrong.map(({ text, read }) => `${text} => ${read.optOut}`)).toEqual([]);
  expect(lacking.map(({ text }) => text)).toEqual([]);
});

test("among unseen sentences no friendly one suppresses, and nearly every opt-out request is found", () => {
  const figures = figuresOf(readSet("unseen-intents.json"));
  expect(figures.friendlyClear).toBe(0);
  expect(figures.friendlyAsk).toBeLessThanOrEqual(0.05);
  expect(figures.seen).toBeGreaterThanOrEqual(0.97);
  expect(figures.clear).toBeGreaterThanOrEqual(0.85);
});

test("280 sentences made by grammar in fourteen languages are read as they were made", () => {
  const made = sentencesMade(20_261_124, 20);
  expect([made.length, languagesMade().length]).toEqual([280, 14]);
  expect(made.filter(({ label, text }) => (optOutOf(text) ?? "NONE") !== label).map(({ text }) => text)).toEqual([]);
});

test("an opt-out request inside a longer text never suppresses, and a user is asked", () => {
  const story = "We have read what you wrote about your company and its tools. ".repeat(6);
  expect(optOutOf("Please unsubscribe me from your list.")).toBe("CLEAR");
  expect(optOutOf(`${story}Please unsubscribe me from your list.`)).toBe("ASK");
});

test("a request in an unknown language never suppresses, and a user is asked", () => {
  expect(
    optOutOf("Unsubscribe. Sitaki ujumbe wenu tena kamwe, ahsante sana kwa kuelewa jambo hili rafiki yangu."),
  ).toBe("ASK");
  expect(
    optOutOf(
      "Unsubscribe.\nJu lutem mos më dërgoni më mesazhe, kjo nuk më intereson fare dhe nuk kam nevojë për asgjë.",
    ),
  ).toBe("ASK");
});

test("a negation turns an opt-out request around, and a user is asked when the person also wants something else", () => {
  expect(optOutOf("Do not take me off the list.")).toBeNull();
  expect(optOutOf("Please do not remove us from your list, we like reading it.")).toBeNull();
  expect(optOutOf("Remove me from your list. Are you free on Thursday?")).toBe("ASK");
  expect(readIntent({ words: "Do not take me off the list." }).clauses).toMatchObject([{ intent: "INTERESTED" }]);
});

test("asking for the way to unsubscribe is a question for the user, even in the form of a request", () => {
  expect(optOutOf("Bitte sagen Sie mir, wie ich mich abmelden kann.")).toBe("ASK");
  expect(optOutOf("配信停止の方法を教えてください。")).toBe("ASK");
  expect(optOutOf("Mi dica come non ricevere più le vostre email.")).toBe("ASK");
  expect(optOutOf("I do not know how you got my address. Unsubscribe me.")).toBe("CLEAR");
});

test("a wish for no email is limited by what is wanted instead, not by a complaint that they keep coming", () => {
  expect(optOutOf("I do not want your emails, but they keep coming.")).toBe("ASK");
  expect(optOutOf("I do not want emails about pricing but about security.")).toBeNull();
});

test("a sentence that reports stopped mail asks for nothing", () => {
  expect(optOutOf("Ditt meddelande har stoppats av vårt spamfilter.")).toBeNull();
  expect(optOutOf("Uw bericht is gestopt door ons filter.")).toBeNull();
  expect(optOutOf("These emails have to stop.")).not.toBeNull();
});

test("an opt-out request that names someone else's address asks a user; one that names the sender's own address is clear", () => {
  const reply = { words: "Please remove bob@b.test from your list.", ownAddresses: ["bob@b.test"] };
  expect(readIntent(reply).optOut).toBe("CLEAR");
  expect(readIntent({ ...reply, ownAddresses: ["eva@b.test"] }).optOut).toBe("ASK");
});

test("unsubscribe words of our own email are not an opt-out request", () => {
  const ours = [
    "Hi Bob,\n\ndo you use widgets?\n\nNot interested? Unsubscribe here, and you are taken off our list at once.",
  ];
  expect(readIntent({ words: ours[0] ?? "", ours }).optOut).toBeNull();
  expect(readIntent({ words: `Please unsubscribe me.\n\n${ours[0]}`, ours }).optOut).toBe("CLEAR");
});

test("a subject of the person's own is read as a request; a subject that follows Re: is not", () => {
  expect(readIntent({ words: "Thanks, Bob", subject: "Please unsubscribe me" }).optOut).toBe("CLEAR");
  expect(readIntent({ words: "Thanks, Bob", subject: "Re: Please unsubscribe me" }).optOut).toBeNull();
  expect(readIntent({ words: "Danke, Bob", subject: "AW: Bitte abmelden" }).optOut).toBeNull();
});

test("a clear request is a person's, even beside automatic text, unless a header proves an auto-reply", () => {
  const kind = (text: string, headers = {}) => kindOf(reply(headers, text), { ...FACTS, attributedBy: 2 });
  expect(kind("We have received your message.\nYour ticket is 4711.")).toBe("AUTO_REPLY");
  expect(kind("We have received your message. Unsubscribe me.")).toBe("REPLY");
  expect(kind("We have received your message. Unsubscribe me.", { "Auto-Submitted": "auto-replied" })).toBe(
    "AUTO_REPLY",
  );
});
