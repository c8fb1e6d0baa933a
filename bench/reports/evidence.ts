import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startRig } from "../rig.ts";
import { ms, quantile, type Row } from "../table.ts";

const EVENTS = 500;
const MAILS = 100;
const CALLS = 200;

/**
 * Measures the evidence about a lead with 500 events over REST. Each call reads everything in one snapshot, hashes it
 * and signs it.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { rest, workspaceId } = await rig.workspace();
    const { body: lead } = await rest.post("/leads", { email: "ada@people.test", company: "Engines Ltd" });
    await fillHistory(workspaceId, lead.id);
    const took: number[] = [];
    let size = 0;
    for (let call = 0; call < CALLS; call++) {
      const started = performance.now();
      const { status, body } = await rest.post(`/leads/${lead.id}/evidence`, {});
      took.push(performance.now() - started);
      if (status !== 200 || body.events < EVENTS) throw new Error(`Evidence was answered ${status}`);
      size = body.content.length;
    }
    const p95 = quantile(took, 0.95);
    return {
      title: "Evidence about a lead",
      how: `A lead with ${EVENTS} events, ${MAILS} mails with their texts and as many replies; ${CALLS} calls one after the other, each making the whole file (${(size / 1024).toFixed(0)} kB).`,
      measured: [
        { what: "p95", goal: "under 1 s", measured: ms(p95), met: p95 < 1_000 },
        { what: "p50", goal: "", measured: ms(quantile(took, 0.5)), met: null },
      ],
    };
  } finally {
    await rig.close();
  }
}

async function fillHistory(workspaceId: string, leadId: string): Promise<void> {
  const { ActivityEvent, Message, Recipient, Send } = scoped(workspaceId);
  const [recipientId, campaignId] = [newId("rcp"), newId("cmp")];
  const ids = { recipientId, leadId, campaignId };
  await Recipient.insert({
    _id: recipientId,
    campaignId,
    leadId,
    email: "ada@people.test",
    shard: 0,
    cid: newId("rcp"),
  });
  const ago = (count: number) => new Date(Date.now() - count * DAY_MS);
  const body = "A mail of some length about engines. ".repeat(60);
  for (let count = 0; count < MAILS; count++) {
    const checks = { suppressed: false, blockList: false, mailbox: "CONNECTED", verification: "VALID" };
    const sent = {
      state: "SENT" as const,
      sentAt: ago(count),
      subject: "Engines",
      content: { text: body, html: `<p>${body}</p>` },
    };
    await Send.insert({
      _id: newId("snd"),
      to: "ada@people.test",
      stepId: `stp_${count}`,
      ...ids,
      ...sent,
      checks,
      bytesHash: newId("snd"),
    });
    const reply = {
      kind: "REPLY" as const,
      bodyText: body,
      receivedAt: ago(count),
      mailboxId: "mbx_bench",
      contentKey: newId("msg"),
    };
    await Message.insert({ _id: newId("msg"), ...ids, ...reply });
  }
  const types = ["SENT", "OPEN", "CLICK", "REPLIED", "LEAD_UPDATED"];
  const events = Array.from({ length: EVENTS }, (_, count) => ({
    _id: newId("evt"),
    type: types[count % types.length] ?? "SENT",
    at: ago(count / 2),
    ...ids,
    data: { count },
  }));
  await ActivityEvent.storeAll(events);
}
