import { expect, test } from "@jest/globals";
import { readRelayId, relayKeyOf } from "../../../domain/sending/relay-id.ts";

const SES = "0102018b5c3c0a4f-3c2f4a1e-8a7b-4c1d-9e2f-5a6b7c8d9e0f-000000";

test.each([
  [`250 Ok ${SES}`, { keys: [SES], messageId: null }],
  [`250 2.0.0 Ok: queued as ${SES.toUpperCase()}`, { keys: [SES], messageId: null }],
  [`250 Ok <${SES}>`, { keys: [SES], messageId: null }],
  [`250 2.0.0 OK <${SES}@eu-west-1.amazonses.com>`, { keys: [SES], messageId: `<${SES}@eu-west-1.amazonses.com>` }],
  [
    "250 2.0.0 OK <AM0PR01MB1234@prod.outlook.example> [Hostname=AM0PR01MB1234.eurprd01.prod.exchangelabs.com]",
    { keys: [], messageId: "<AM0PR01MB1234@prod.outlook.example>" },
  ],
  ["250 OK message-id=1f0a2b3c4d5e6f708192", { keys: ["1f0a2b3c4d5e6f708192"], messageId: null }],
])("the relay id is read from the SMTP response %s", (answer, id) => {
  expect(readRelayId(answer)).toEqual(id);
});

test.each([
  "250 2.0.0 Ok: queued as 4WxYz12AbC",
  "250 Great success",
  "250 accepted by mail-1234567890.relay.example.com",
  "250 taken for person1234567890123@b.test",
  "",
])("no unique relay id is found in the SMTP response %j", (answer) => {
  expect(readRelayId(answer)).toBeNull();
});

test("a relay id is the same with and without brackets, domain and capitals", () => {
  for (const form of [SES, `<${SES}>`, `${SES}@email.amazonses.com`, `<${SES.toUpperCase()}@email.amazonses.com>`]) {
    expect(relayKeyOf(form)).toBe(SES);
  }
});
