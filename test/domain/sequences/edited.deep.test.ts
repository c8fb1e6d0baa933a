import { test } from "@jest/globals";
import { editWhileMailsGoOut } from "./edited.ts";

test("in 10,000 random courses of edits and emails no step is skipped and none comes twice", () => {
  editWhileMailsGoOut(10_000);
}, 120_000);
