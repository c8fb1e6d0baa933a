import { expect, test } from "@jest/globals";
import { Recipient } from "../../models/recipients/recipient.ts";

const MOST = 30;

test("a recipient is in no more indexes than docs/decisions/recipient-indexes.md says: name the reader of a new one there", () => {
  const own = Recipient.schema.indexes().length;
  expect(own + 1).toBeLessThanOrEqual(MOST); // and the index on _id
});
