import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { answerLate } from "../fakes/gmail/faults.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());

const NOW = { delay: 0 };
/** Addresses are stored in lower case. */
const nameOf = (api: (typeof APIS)[number]) => api.toLowerCase();
const arrived = (api: (typeof APIS)[number], to: string) => here.sent(api).filter((mail) => mail.to.includes(to));

test.each(APIS)(
  "a campaign over %s sends each step once, quotes the Message-ID that left, and stops for a recipient who replies",
  async (api) => {
    const [quiet, answers] = [`quiet-${nameOf(api)}@people.test`, `reply-${nameOf(api)}@people.test`];
    const path = await here.launched(
      api,
      [quiet, answers],
      [
        { subject: "A talk", body: "<p>Hello</p>", ...NOW },
        { subject: "", body: "<p>Still there?</p>", delay: 1 },
      ],
    );
    await until(async () => (await here.statusOf(path, answers)) === "REPLIED", {
      ...MAIL_DEADLINE,
      what: "the reply to be read",
    });
    await until(() => arrived(api, quiet).length >= 1, { ...MAIL_DEADLINE, what: "the first email" });
    const [first] = arrived(api, quiet);
    const wireId = first?.messageId ?? "none";
    // The id that left differs from ours and is learnt from the provider or from the copy of the sent email
    await until(async () => (await here.sendTo(quiet))?.messageIds.includes(wireId) === true, {
      ...MAIL_DEADLINE,
      what: "the Message-ID that left to be learnt",
    });
    expect((await here.sendTo(quiet))?.messageId).not.toBe(wireId);
    await here.comesDue(path);
    await until(() => arrived(api, quiet).length === 2, { ...MAIL_DEADLINE, what: "the follow-up" });
    const followUp = arrived(api, quiet)[1]?.raw ?? Buffer.from("");
    expect(headerOf(followUp, "References")).toContain(wireId);
    expect(headerOf(followUp, "In-Reply-To")).toBe(wireId);
    expect(arrived(api, answers)).toHaveLength(1);
    await until(() => here.drafts(api) === 0, { ...MAIL_DEADLINE, what: "the sent drafts to be gone" });
  },
  180_000,
);

test.each(APIS)(
  "an email over %s whose campaign is paused while the draft is made does not leave, and the draft is deleted",
  async (api) => {
    const to = `stopped-${nameOf(api)}@people.test`;
    if (api === "GMAIL_API") here.gmail.fault("drafts.create", answerLate(4_000));
    else here.graph.settings.latencyMs = 4_000;
    const asked = () =>
      api === "GMAIL_API"
        ? here.gmail.asked.filter(({ method }) => method === "drafts.create").length
        : here.graph.asked.filter(({ route }) => route === "create").length;
    const before = asked();
    const path = await here.launched(api, [to], [{ subject: "Stop", body: "<p>Hello</p>", ...NOW }]);
    await until(() => asked() > before, { ...MAIL_DEADLINE, what: "the draft to be asked for" });
    expect((await here.rest.post(`${path}/control`, { action: "pause" })).status).toBe(200);
    here.graph.settings.latencyMs = 0;
    await until(async () => (await here.sendTo(to))?.state !== "SENDING", { ...MAIL_DEADLINE, what: "the withdrawal" });
    await until(() => here.drafts(api) === 0, { ...MAIL_DEADLINE, what: "the draft to be deleted" });
    expect(arrived(api, to)).toEqual([]);
  },
  120_000,
);

test.each(APIS)(
  "an email over %s goes to Cc and Bcc together with the recipient, and not to a suppressed copy",
  async (api) => {
    const to = `copied-${nameOf(api)}@people.test`;
    const [cc, bcc, no] = [`cc-${nameOf(api)}@own.test`, `bcc-${nameOf(api)}@own.test`, `no-${nameOf(api)}@own.test`];
    await suppressAddress(here.workspaceId, no, "UNSUBSCRIBED");
    const settings = { ccList: [cc, no], bccList: [bcc] };
    await here.launched(api, [to], [{ subject: "Copies", body: "<p>Hello</p>", ...NOW }], settings);
    await until(() => arrived(api, to).length > 0, { ...MAIL_DEADLINE, what: "the email" });
    const [mail] = arrived(api, to);
    expect(mail?.to.toSorted()).toEqual([bcc, cc, to].toSorted());
    expect(headerOf(mail?.raw ?? Buffer.from(""), "Cc")).toBe(cc);
    expect(headerOf(mail?.raw ?? Buffer.from(""), "Bcc")).toBeUndefined();
    expect(arrived(api, to)).toHaveLength(1);
    // The provider files a copy of each email, so the service files none
    await until(async () => (await here.sendTo(to))?.state === "SENT", { ...MAIL_DEADLINE, what: "the record" });
    expect(await scoped(here.workspaceId).DueCopy.count({ mailboxId: here.mailboxes[api] })).toBe(0);
  },
  120_000,
);
