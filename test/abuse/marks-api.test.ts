import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { findReported } from "../../operations/abuse/find-workspace.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type ApiWorld, startApiWorld } from "../transports/api-world.ts";

const CONTACT = "https://operator.test/abuse";
let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld({ abuseContact: CONTACT });
}, 120_000);
afterAll(() => here.close());

test.each(APIS)(
  "an email over %s carries the abuse marks, and is found by the Message-ID that the provider gave it (rules/mail 1.7, 1.8)",
  async (api) => {
    const to = `marked-${api.toLowerCase()}@people.test`;
    await here.launched(api, [to], [{ subject: "A talk", body: "<p>Hello</p>", delay: 0 }]);
    const arrived = () => here.sent(api).find((mail) => mail.to.includes(to));
    await until(() => arrived() !== undefined, { ...MAIL_DEADLINE, what: "the email" });
    const { raw, messageId } = arrived() ?? { raw: Buffer.alloc(0), messageId: "" };
    expect(headerOf(raw, "X-Abuse")).toBe(CONTACT);
    expect(headerOf(raw, "Feedback-ID")).toMatch(/^[a-z2-7]{12}:[a-z2-7]{12}:campaign:[a-z2-7]{12}$/);
    const found = () => findReported(messageId, async () => here.world.services.signing);
    await until(async () => (await found()).length > 0, { ...MAIL_DEADLINE, what: "the Message-ID to be learnt" });
    expect(await found()).toMatchObject([{ workspaceId: here.workspaceId, send: { kind: "CAMPAIGN" } }]);
  },
  120_000,
);
