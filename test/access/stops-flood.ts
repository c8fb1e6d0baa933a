import { signToken } from "../../domain/access/tokens.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { Services } from "../../operations/context.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";

/** Makes what is to be stopped, and returns the call that stops it: the making does not count in the stop's time. */
type Stop = (round: number) => Promise<() => Promise<{ status: number }>>;

/** Every kind of stop, at a workspace of its own. `baseUrl` is that of the service. */
export async function stopsOf(
  { baseUrl, signing }: { baseUrl: string; signing: Services["signing"] },
  rest: Rest,
  workspaceId: string,
): Promise<Record<string, Stop>> {
  const { Lead, Mailbox, Recipient, Send, Campaign } = scoped(workspaceId);
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId);
  return {
    async suppress() {
      const { body } = await rest.post("/leads", { email: `${newId("led").toLowerCase()}@customer.test` });
      return () => rest.post("/leads/suppress", { action: "suppress", ids: [body.id] });
    },
    block: async (round) => () => rest.post("/block-list", { value: `blocked${round}.test` }),
    async pause() {
      await Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" } });
      return () => rest.post(`${path}/control`, { action: "pause" });
    },
    killSwitch: async () => () => rest.post("/workspace", { action: "pauseSending" }),
    async mailboxPause() {
      await Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "CONNECTED" } });
      return () => rest.post("/mailboxes/manage", { action: "pause", mailboxId: mailbox._id });
    },
    async unsubscribe() {
      const to = `${newId("led").toLowerCase()}@customer.test`;
      const [leadId, recipientId, sendId] = [newId("led"), newId("rcp"), newId("snd")];
      await Lead.insert({ _id: leadId, email: to, emailDomain: "customer.test" });
      await Recipient.insert({
        _id: recipientId,
        campaignId,
        leadId,
        email: to,
        shard: 0,
        cid: newId("rcp"),
        status: "IN_PROGRESS",
      });
      await Send.insert({ _id: sendId, to, recipientId, leadId, campaignId, state: "SENT" });
      return () => fetch(`${baseUrl}/u/${signToken(signing, "u", sendId)}`, { method: "POST" });
    },
  };
}

/**
 * Six connections without the scope and as many that may, each of which writes the audit log. Each connection asks for
 * its own credential.
 */
export async function floodWith({
  refusedBy,
  rightfulBy,
}: Record<"refusedBy" | "rightfulBy", () => Promise<Rest>>): Promise<Flood> {
  const flood = new Flood();
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const [refused, rightful] = [await refusedBy(), await rightfulBy()];
    flood.run(() => refused.post("/leads/suppress", { action: "suppress", ids: [newId("led")] }), 403);
    const { body: hook } = await rightful.post("/webhooks", { url: "https://subscriber.example/hook" });
    flood.run(() => rightful.patch(`/webhooks/${hook.id}`, { enabled: true }), 200);
  }
  return flood;
}

const CONNECTIONS = 6;

const OVERLOADED = 503;

/** Calls that are repeated as fast as they are answered. */
class Flood {
  calls = 0;
  /** Statuses that were not expected. A service with too much to do may refuse the flood, but never a stop. */
  readonly surprises: number[] = [];
  private readonly loops: Promise<void>[] = [];
  private isOver = false;

  run(call: () => Promise<{ status: number }>, expected: number): void {
    const loop = async () => {
      while (!this.isOver) {
        const { status } = await call();
        if (status === expected) this.calls++;
        else if (status !== OVERLOADED) this.surprises.push(status);
      }
    };
    this.loops.push(loop());
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }
}
