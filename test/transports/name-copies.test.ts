import { expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { nameCopies } from "../../activities/sending/name-copies.ts";
import { composeMessage } from "../../connectors/smtp/compose.ts";

const written = (cc: string[]) =>
  composeMessage({
    from: { address: "ann@a.test" },
    to: { address: "bob@b.test", name: "Böb" },
    ...(cc.length > 0 && { cc: cc.map((address) => ({ address })) }),
    subject: "A rather long subject with an ümlaut, so that the header is encoded and folded over several lines",
    text: "Cc: nobody@text.test\r\n\r\nHello",
    html: "<p>Hello</p>",
    messageId: "<1@a.test>",
    date: new Date(),
  });

const addressesOf = (field: unknown) =>
  [field ?? []].flat().flatMap((one) => (one as { value: { address: string }[] }).value.map(({ address }) => address));

test.each([
  ["no copies", [], [], [], []],
  ["copies in Cc", ["c@c.test", "d@d.test"], ["c@c.test", "d@d.test"], ["c@c.test", "d@d.test"], []],
  ["a copy in Cc that may not go", ["c@c.test", "d@d.test"], ["d@d.test"], ["d@d.test"], []],
  ["a copy in Bcc", ["c@c.test"], ["c@c.test", "e@e.test"], ["c@c.test"], ["e@e.test"]],
  ["no copy that may go", ["c@c.test"], [], [], []],
] as const)("an email with %s names exactly the addresses that get it", async (_what, cc, copies, shown, hidden) => {
  const { bytes } = await written([...cc]);
  const mail = nameCopies(bytes, copies);
  const parsed = await simpleParser(mail);
  expect(addressesOf(parsed.to)).toEqual(["bob@b.test"]);
  expect(addressesOf(parsed.cc)).toEqual(shown);
  expect(addressesOf(parsed.bcc)).toEqual(hidden);
  expect(parsed.subject).toContain("ümlaut");
  expect(parsed.text).toContain("Cc: nobody@text.test");
  expect(mail.subarray(mail.indexOf("\r\n\r\n"))).toEqual(bytes.subarray(bytes.indexOf("\r\n\r\n")));
});

test("many copies are named in a header whose lines stay short", async () => {
  const many = Array.from({ length: 60 }, (_, index) => `person-number-${index}@copies.test`);
  const { bytes } = await written([]);
  const mail = nameCopies(bytes, many);
  const [head = ""] = mail.toString("latin1").split("\r\n\r\n");
  expect(Math.max(...head.split("\r\n").map((line) => line.length))).toBeLessThan(998);
  expect(addressesOf((await simpleParser(mail)).bcc)).toEqual(many);
});
