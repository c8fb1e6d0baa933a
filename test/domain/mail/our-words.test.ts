import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readIntent } from "../../../domain/inbox/intent/read.ts";
import { withoutOurs } from "../../../domain/mail/our-words.ts";
import { threadMs } from "../../support/thread-time.ts";

const LINK = "https://ours.example/u/v1.abc.def";
const FOOTERS = [
  `Unsubscribe: ${LINK}`,
  `If you do not want to hear from me again, unsubscribe here: ${LINK}`,
  "Not interested? Reply stop and I will remove you from our list.",
  `Abmelden: ${LINK}`,
  `Pour ne plus recevoir nos messages, désabonnez-vous : ${LINK}`,
  `配信停止: ${LINK}`,
  `Click ${LINK} to unsubscribe.`,
];
const mailWith = (footer: string) =>
  `Hi Bob,\n\ndo you use widgets?\n\nAnn Lee\nOurs Ltd, 1 Main Street, London\n\n${footer}`;
const asks = (words: string, ours: string) => readIntent({ words, ours: [ours] }).optOut;

test.each(FOOTERS)("our footer %j is not read as an opt-out when a reply quotes our email in any layout", (footer) => {
  const ours = mailWith(footer);
  const oneLine = ours.replace(/\s+/g, " ");
  for (const pasted of [
    ours,
    oneLine,
    ours.toUpperCase().replace(LINK.toUpperCase(), LINK),
    ours.replace(/ /g, "\n"),
    ours.replace(/^/gm, "| "),
  ]) {
    expect(asks(`Thank you, tell me more.\n\n${pasted}`, ours)).toBeNull();
    expect(asks(pasted, ours)).toBeNull();
    expect(asks(`${pasted}\nWhat does it cost?`, ours)).toBeNull();
  }
  expect(
    asks(`Tell me more.\n${ours.replace(LINK, `https://scan.example/?url=${encodeURIComponent(LINK)}&d=1`)}`, ours),
  ).toBeNull();
});

test("our footer alone is recognised by the unsubscribe link and not read as an opt-out", () => {
  const ours = mailWith(FOOTERS[0] ?? "");
  expect(asks(`Tell me more.\n\nUnsubscribe: ${LINK}`, ours)).toBeNull();
  expect(asks(`Tell me more.\n\nUnsubscribe <${LINK}>`, ours)).toBeNull();
});

test.each(FOOTERS)("a recipient's opt-out counts, even above our quoted email with the footer %j", (footer) => {
  const ours = mailWith(footer);
  for (const words of [
    "unsubscribe",
    "STOP",
    "Please remove me from your list.",
    "Abmelden",
    "Reply stop",
    "Not interested, remove me",
  ]) {
    expect(asks(`${words}\n\n${ours}`, ours)).toBe("CLEAR");
    expect(asks(`${words}\n\n${ours.replace(/\s+/g, " ")}`, ours)).toBe("CLEAR");
    expect(asks(words, ours)).toBe("CLEAR");
  }
  expect(asks(`Please unsubscribe me: ${LINK}`, ours)).toBe("CLEAR");
});

test("a recipient who writes the opt-out sentence that our email suggests opts out", () => {
  const ours = mailWith('To stop, answer "please remove me from your list".');
  expect(asks("Please remove me from your list", ours)).toBe("CLEAR");
  expect(asks(`Please remove me from your list\n\n${ours}`, ours)).toBe("CLEAR");
});

test("removing our words never makes a reply longer, and a reply without our words stays unchanged", () => {
  const words = fc
    .array(fc.constantFrom("we", "use", "widgets", "stop", "please", LINK, "a", "b", ",", "\n"), { maxLength: 40 })
    .map((some) => some.join(" "));
  fc.assert(
    fc.property(words, words, fc.string(), (theirs, ours, any) => {
      const left = withoutOurs(theirs, [ours, any]);
      expect(left.replace(/\s/g, "").length).toBeLessThanOrEqual(theirs.replace(/\s/g, "").length);
      expect(withoutOurs(theirs, [])).toBe(theirs);
    }),
    { numRuns: 2_000 },
  );
  expect(withoutOurs("Please stop writing to me about widgets.", [mailWith("x")])).toBe(
    "Please stop writing to me about widgets.",
  );
});

test.each(["a ", "a a b ", `${LINK} `, "の", "\n", "a. "])(
  "two texts that only repeat %j are compared in under two seconds of processor time",
  (unit) => {
    const text = unit.repeat(20_000);
    const started = threadMs();
    withoutOurs(text, [text, `x${text}`]);
    withoutOurs(text, [`${text.slice(0, 9_000)} z ${text}`]);
    expect(threadMs() - started).toBeLessThan(2_000);
  },
);
