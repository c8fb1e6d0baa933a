import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { isAnswerable } from "../../../domain/inbox/answerable.ts";
import {
  type AnsweredMessage,
  addresseeOf,
  argumentHash,
  headersOfAnswer,
  replyWorkflowId,
} from "../../../domain/inbox/reply.ts";
import { INBOUND_KINDS, OUTBOUND_KINDS } from "../../../models/inbox/message.ts";

const OWN = "ann@a.test";
const written: AnsweredMessage = {
  direction: "INBOUND",
  kind: "REPLY",
  from: "bob@b.test",
  fromName: "Bob",
  replyTo: null,
  rfcMessageId: "<3@b.test>",
  inReplyTo: "<2@a.test>",
  references: ["<1@a.test>", "<2@a.test>"],
};

test("only an inbound email written by a person can be answered", () => {
  const answered = [...INBOUND_KINDS, ...OUTBOUND_KINDS].filter((kind) => isAnswerable({ direction: "INBOUND", kind }));
  expect(answered).toEqual(["REPLY", "OTHER"]);
  expect(isAnswerable({ direction: "OUTBOUND", kind: "REPLY" })).toBe(false);
});

test.each<[Partial<AnsweredMessage>, { address: string; name: string | null } | null]>([
  [{}, { address: "bob@b.test", name: "Bob" }],
  [{ replyTo: "Team@B.test" }, { address: "team@b.test", name: null }],
  [{ replyTo: "bob@b.test" }, { address: "bob@b.test", name: "Bob" }],
  [{ replyTo: OWN }, { address: "bob@b.test", name: "Bob" }],
  [{ replyTo: "nobody" }, { address: "bob@b.test", name: "Bob" }],
  [{ from: OWN }, null],
  [{ from: null, replyTo: null }, null],
  [{ from: "" }, null],
])("a reply to %j goes to %j", (more, expected) => {
  expect(addresseeOf({ ...written, ...more }, OWN)).toEqual(expected);
});

test("a reply names the message it answers, last in a chain of at most 20 ids that keeps the first", () => {
  expect(headersOfAnswer(written)).toEqual({
    inReplyTo: "<3@b.test>",
    references: ["<1@a.test>", "<2@a.test>", "<3@b.test>"],
  });
  expect(headersOfAnswer({ ...written, references: [] }).references).toEqual(["<2@a.test>", "<3@b.test>"]);
  expect(headersOfAnswer({ ...written, references: [], inReplyTo: null, rfcMessageId: null })).toEqual({
    inReplyTo: null,
    references: [],
  });
  const ids = fc.uniqueArray(
    fc.integer({ min: 1, max: 10_000 }).map((n) => `<${n}@c.test>`),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(ids, (references) => {
      const { references: chain } = headersOfAnswer({ ...written, inReplyTo: null, references });
      expect(chain.length).toBeLessThanOrEqual(20);
      expect(chain.at(-1)).toBe("<3@b.test>");
      if (references.length > 0) expect(chain[0]).toBe(references[0]);
    }),
  );
});

test("one idempotency key leads to one workflow, and different keys or workspaces never share a workflow", () => {
  expect(replyWorkflowId("wsp_1", "key-00001")).toMatch(/^single-send\/[0-9a-f]{64}$/);
  const ids = ["wsp_1", "wsp_2"].flatMap((workspace) =>
    ["key-00001", "key-00002"].map((key) => replyWorkflowId(workspace, key)),
  );
  expect(new Set(ids).size).toBe(4);
  expect(argumentHash(["a", null])).toBe(argumentHash(["a", null]));
  expect(argumentHash(["a", null])).not.toBe(argumentHash([null, "a"]));
});
