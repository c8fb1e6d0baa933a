import { test } from "@jest/globals";
import { editWhileMailsGoOut } from "./edited.ts";

test("in 10,000 random series of edits and emails no recipient misses a step or receives a step twice", () => {
  editWhileMailsGoOut(10_000);
}, 120_000);
