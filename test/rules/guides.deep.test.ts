import { test } from "@jest/globals";
import { expectVerification, isInstalled, LANGUAGES } from "./webhook-snippets.ts";

for (const name of Object.keys(LANGUAGES)) {
  const title = `the webhook guide's verification in ${name} accepts a genuine delivery and refuses forged ones`;
  if (isInstalled(name)) test(title, () => expectVerification(name), 120_000);
  else test.skip(`${title}: the language is not installed`, () => {});
}
