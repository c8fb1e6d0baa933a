import { expect, test } from "@jest/globals";
import { isErrorGuideFresh } from "../support/error-guide.ts";
import { expectVerification } from "./webhook-snippets.ts";

test("the webhook guide's verification in JavaScript accepts a genuine delivery and refuses forged ones", () => {
  expectVerification("js");
});

test("the guide on errors has every code of the table with its text: npm run docs", () => {
  expect(isErrorGuideFresh()).toBe(true);
});
