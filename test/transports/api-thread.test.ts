import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { headerOf, type SentMail } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { APIS, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  here = await startApiWorld();
}, 120_000);
afterAll(() => here.close());

const idOf = (raw: Buffer) => headerOf(raw, "Message-ID") ?? "none";
const idsIn = (raw: Buffer) => (headerOf(raw, "References") ?? "").split(/\s+/).filter((id) => id !== "");

/** What the person's mail program writes as an answer to the email that they got. */
function answerTo({ raw, from }: SentMail, person: string, text: string): Buffer {
  const subject = (headerOf(raw, "Subject") ?? "").replace(/^Re: /, "");
  const head = {
    From: person,
    To: from,
    Subject: `Re: ${subject}`,
    "Message-ID": `<${crypto.randomUUID()}@people.test>`,
    "In-Reply-To": idOf(raw),
    References: [...idsIn(raw), idOf(raw)].join(" "),
    Date: new Date().toUTCString(),
    "Content-Type": "text/plain; charset=utf-8",
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}\r\n`);
}

test.each(APIS)(
  "six emails back and forth over %s are one conversation for both sides, although the provider replaces our Message-IDs",
  async (api: Api) => {
    const { Message, Thread } = scoped(here.workspaceId);
    const person = `talks-${api.toLowerCase()}@people.test`;
    const arrived = () => here.sent(api).filter(({ to }) => to.includes(person));
    const stored = () =>
      Message.find({ leadId: leadId(), mailboxId: here.mailboxes[api] }, { sort: { receivedAt: 1 } });
    let lead = "";
    const leadId = () => lead;
    const talk: Buffer[] = [];

    async function got(count: number): Promise<void> {
      await until(() => arrived().length === count, { ...MAIL_DEADLINE, what: `our email ${count}` });
      talk.push(arrived().at(-1)?.raw ?? Buffer.from(""));
    }
    async function answers(text: string): Promise<void> {
      const mail = arrived().at(-1);
      if (mail === undefined) throw new Error("Nothing to answer");
      const raw = answerTo(mail, person, text);
      if (api === "GMAIL_API") here.gmail.mailbox(mail.from).receive(raw);
      else await here.graph.arrive(mail.from, raw);
      talk.push(raw);
      const isRead = async () => (await Message.findOne({ rfcMessageId: idOf(raw) })) !== null;
      await until(isRead, { ...MAIL_DEADLINE, what: `"${text}" to be read` });
    }
    async function weAnswer(text: string): Promise<void> {
      const { threadId } = (await Message.findOne({ rfcMessageId: idOf(talk.at(-1) ?? Buffer.from("")) })) ?? {};
      const { status } = await here.rest.post(`/inbox/threads/${threadId}/reply`, {
        text,
        idempotencyKey: crypto.randomUUID(),
      });
      expect(status).toBe(200);
    }

    const path = await here.launched(api, [person], [{ subject: "A talk", body: "<p>Hello</p>", delay: 0 }]);
    await got(1);
    lead = (await here.sendTo(person))?.leadId ?? "";
    await answers("Tell me more");
    await weAnswer("Gladly: it is short.");
    await got(2);
    await answers("And the price?");
    await weAnswer("Ten.");
    await got(3);
    await answers("Agreed");
    expect(await here.statusOf(path, person)).toBe("REPLIED");

    // The mail program of either side threads by these headers
    const ids = talk.map(idOf);
    expect(new Set(ids).size).toBe(6);
    for (const [index, raw] of talk.entries()) {
      if (index === 0) continue;
      expect(headerOf(raw, "In-Reply-To")).toBe(ids[index - 1]);
      expect(idsIn(raw)).toEqual(ids.slice(0, index));
      expect(headerOf(raw, "Subject")).toBe("Re: A talk");
    }
    // One thread in our inbox, with all six in their order
    const rows = (await stored()).filter(({ threadId }) => threadId !== null);
    expect(rows.map(({ direction }) => direction)).toEqual([
      "OUTBOUND",
      "INBOUND",
      "OUTBOUND",
      "INBOUND",
      "OUTBOUND",
      "INBOUND",
    ]);
    expect(new Set(rows.map(({ threadId }) => threadId)).size).toBe(1);
    expect(await Thread.count({ mailboxId: here.mailboxes[api] })).toBe(1);
    if (api !== "GMAIL_API") return;
    // Gmail joins a draft to a conversation only where its threadId is named
    const kept = [...here.gmail.mailbox("ann@a.test").messages.values()];
    expect(new Set(kept.map(({ threadId }) => threadId)).size).toBe(1);
    expect(kept).toHaveLength(6);
  },
  180_000,
);
