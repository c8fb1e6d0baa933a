import { expect, test } from "@jest/globals";
import { splitAddresses } from "../../console/pages/campaign-setup/parse-addresses.ts";

test.each([
  ["one per line", "ada@x.test\r\ngrace@x.test\n\n", ["ada@x.test", "grace@x.test"]],
  [
    "commas, semicolons and tabs",
    "ada@x.test, grace@x.test;mira@x.test\tcyd@x.test",
    ["ada@x.test", "grace@x.test", "mira@x.test", "cyd@x.test"],
  ],
  ["names", "Ada Lovelace <ada@x.test>, <grace@x.test>", ["Ada Lovelace <ada@x.test>", "<grace@x.test>"]],
  [
    "a comma in a quoted name",
    '"Lovelace, Ada" <ada@x.test>, grace@x.test',
    ['"Lovelace, Ada" <ada@x.test>', "grace@x.test"],
  ],
  ["a comma in a name without quotes", "Lovelace, Ada <ada@x.test>", ["Lovelace Ada <ada@x.test>"]],
  [
    "what is no address, for the server to refuse",
    "someone, ada@x.test\nnothing",
    ["someone", "ada@x.test", "nothing"],
  ],
  ["repetitions", "ada@x.test\nada@x.test", ["ada@x.test"]],
  ["nothing", " \n,;\n", []],
])("pasted addresses are split: %s", (_, text, entries) => {
  expect(splitAddresses(text)).toEqual(entries);
});
