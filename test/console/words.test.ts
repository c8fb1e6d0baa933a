import { expect, test } from "@jest/globals";
import { ruleInWords } from "../../console/words/rules.ts";
import { rule } from "../../domain/recipients/explain.ts";

const inWords = (reason: string | null) => ruleInWords({ code: "RETRY", text: "", values: { attempts: 1, reason } }, () => null);

test("why an attempt failed is said in words, whatever failed where, and what the page does not know as the service says it", () => {
  expect(inWords("RCPT_REFUSED")).toBe("Attempts that failed in a row: 1. The last: the server refused the recipient");
  expect(inWords("CONNECT_TIMEOUT")).toContain("no answer in time to the connection");
  expect(inWords("AUTH_CLOSED")).toContain("the server hung up at the sign-in");
  for (const unknown of ["RCPT_UNHEARD", "WITHDRAWN", "constructor_REFUSED"]) expect(inWords(unknown)).toContain(unknown);
  const { code, values } = rule("RETRY", { attempts: 2, reason: null });
  expect(ruleInWords({ code, text: "", values }, () => null)).toBe("Attempts that failed in a row: 2. The last: nothing");
});
