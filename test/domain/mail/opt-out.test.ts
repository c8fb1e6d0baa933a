import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readOptOut } from "../../../domain/mail/opt-out.ts";

test.each([
  "STOP",
  "Please stop.",
  "unsubscribe",
  "Unsubscribe me please",
  "Please remove me from your list",
  "Could you take me off your list?",
  "Stop emailing me",
  "Do not contact me again",
  "don’t email me",
  "not interested please remove me",
  "No more emails",
  "Bitte nehmen Sie mich aus dem Verteiler",
  "Keine weiteren E-Mails bitte",
  "Merci de me désinscrire",
  "Ne me contactez plus",
  "No me escriba más",
  "Quiero darme de baja",
  "Non contattatemi più",
  "Favor descadastrar",
  "Graag uitschrijven",
  "Отпишите меня",
  "配信停止してください",
  "退订",
])("%s: clearly an opt-out", (text) => {
  expect(readOptOut(text)).toBe("CLEAR");
});

test.each([
  "How do I unsubscribe?",
  "Don't unsubscribe me, I am interested",
  "Do not write to me on Friday, I am off",
  "If this goes on I will opt out",
  "We want to stop using our current vendor",
])("%s: left to a user's decision", (text) => {
  expect(readOptOut(text)).toBe("AMBIGUOUS");
});

test.each([
  "",
  "Not interested",
  "Can you stop by on Tuesday?",
  "Is it a one-stop shop?",
  "Our opt-out rate is 2 %",
  "Sure, send more",
  "Who are you?",
])("%s: no opt-out", (text) => {
  expect(readOptOut(text)).toBeNull();
});

test("in more than thirty words even clear words are only ambiguous", () => {
  const filler = fc.array(fc.constantFrom("we", "read", "your", "mail", "with", "care"), { minLength: 30, maxLength: 200 });
  fc.assert(fc.property(filler, (words) => readOptOut(`${words.join(" ")} unsubscribe me`) === "AMBIGUOUS"));
});
