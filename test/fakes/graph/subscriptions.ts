import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { type GraphAnswer, refuse } from "./faults.ts";
import type { GraphChange, GraphMailbox } from "./mailbox.ts";
import type { GraphCaller, GraphSettings } from "./settings.ts";

export type LifecycleEvent = "missed" | "subscriptionRemoved" | "reauthorizationRequired";

const Asked = z.object({
  changeType: z.string(),
  notificationUrl: z.string(),
  lifecycleNotificationUrl: z.string().optional(),
  resource: z.string(),
  expirationDateTime: z.string(),
  clientState: z.string().optional(),
});

interface Subscription {
  id: string;
  asked: z.infer<typeof Asked>;
  mailbox: GraphMailbox;
  /** Null for the whole mailbox. */
  folderId: string | null;
  isImmutable: boolean;
  expiresAt: Date;
  /** Until it is authorized anew. */
  isPaused: boolean;
}

interface SubscriptionCall {
  method: string;
  id: string;
  isReauthorization: boolean;
  caller: GraphCaller;
  isImmutable: boolean;
  body: Buffer;
}

const [VALIDATION_MS, TENANT] = [10_000, randomUUID()];
const LEAST_MINUTES = 45;
const MOST_CLIENT_STATE = 128;
const CHANGE_TYPES = { created: "created", updated: "updated", removed: "deleted" } as const;

/** `mailboxOf` finds by `me`, an address or an id, and only what the caller may read. */
export function startSubscriptions(
  settings: GraphSettings,
  mailboxOf: (user: string, caller: GraphCaller) => GraphMailbox | undefined,
) {
  const all = new Map<string, Subscription>();
  const notices: { url: string; body: unknown; status: number | null }[] = [];

  async function answer(call: SubscriptionCall): Promise<GraphAnswer> {
    for (const { id, expiresAt } of all.values()) if (expiresAt.getTime() < Date.now()) all.delete(id);
    if (call.method === "POST" && call.id === "") return create(call);
    if (call.id === "") return { status: 200, body: { value: [...all.values()].map(shown) } };
    const subscription = all.get(call.id);
    if (subscription === undefined) return refuse("ResourceNotFound");
    if (call.method === "DELETE") {
      all.delete(call.id);
      return { status: 204 };
    }
    if (call.method === "PATCH") {
      const expiresAt = expiryOf(
        z.object({ expirationDateTime: z.string() }).parse(json(call.body)).expirationDateTime,
      );
      if (typeof expiresAt === "string") return refuse("ErrorInvalidParameter", { message: expiresAt });
      subscription.expiresAt = expiresAt;
    }
    if (call.method === "PATCH" || call.isReauthorization) subscription.isPaused = false;
    return call.isReauthorization ? { status: 204 } : { status: 200, body: shown(subscription) };
  }

  async function create({ body, caller, isImmutable }: SubscriptionCall): Promise<GraphAnswer> {
    const read = Asked.safeParse(json(body));
    if (!read.success) {
      const missing = String(read.error.issues[0]?.path[0] ?? "");
      return refuse("InvalidRequest", { message: `${missing} is a required property for subscription creation` });
    }
    const asked = read.data;
    if ((asked.clientState ?? "").length > MOST_CLIENT_STATE)
      return refuse("InvalidRequest", { message: "clientState is longer than 128 characters." });
    const expiresAt = expiryOf(asked.expirationDateTime);
    if (typeof expiresAt === "string") return refuse("ExtensionError", { message: expiresAt });
    const parts = asked.resource
      .replace(/\?.*$/, "")
      .replace(/\('([^']*)'\)/g, "/$1")
      .replace(/^\//, "")
      .split("/");
    const user = parts[0]?.toLowerCase() === "users" ? parts.splice(0, 2)[1] : parts.splice(0, 1)[0];
    const mailbox = mailboxOf(user ?? "", caller);
    const forbidden = "Operation: Create; Exception: [Status Code: Forbidden; Reason: Forbidden]";
    // Consent of a user never reaches the mailbox of someone else here, shared or not
    const isForeign = caller.address !== null && mailbox?.address !== caller.address.toLowerCase();
    if (mailbox === undefined || isForeign) return refuse("ExtensionError", { status: 403, message: forbidden });
    const folder = parts[0]?.toLowerCase() === "mailfolders" ? mailbox.folder(parts[1] ?? "") : null;
    if (folder === undefined || parts.at(-1)?.toLowerCase() !== "messages") return refuse("ResourceNotFound");
    const urls = new Set([asked.notificationUrl, asked.lifecycleNotificationUrl ?? asked.notificationUrl]);
    for (const url of urls) {
      const failure = await validate(url);
      if (failure !== null) return refuse("ValidationError", { message: failure });
    }
    const id = randomUUID();
    const folderId = folder?.id ?? null;
    const subscription = { id, asked, mailbox, folderId, isImmutable, expiresAt, isPaused: false };
    all.set(id, subscription);
    return { status: 201, body: shown(subscription) };
  }

  /** Under 45 minutes is raised to that; above the most, the text of the refusal. */
  function expiryOf(text: string): Date | string {
    const minutes = (Date.parse(text) - Date.now()) / MINUTE_MS;
    if (Number.isNaN(minutes) || minutes < 0) return "Subscription expiration must be in the future.";
    if (minutes > settings.subscriptionMinutes)
      return `Subscription expiration can only be ${settings.subscriptionMinutes} minutes in the future.`;
    return new Date(Date.now() + Math.max(minutes, LEAST_MINUTES) * MINUTE_MS);
  }

  async function validate(url: string): Promise<string | null> {
    const token = `Validation: Testing client application reachability for subscription Request-Id: ${randomUUID()}`;
    const start = "Subscription validation request";
    try {
      const address = new URL(url);
      address.searchParams.set("validationToken", token);
      const headers = { "Content-Type": "text/plain; charset=utf-8" };
      const res = await fetch(address, { method: "POST", headers, signal: AbortSignal.timeout(VALIDATION_MS) });
      const isEchoed = (await res.text()) === token && (res.headers.get("content-type") ?? "").startsWith("text/plain");
      if (res.status === 200 && isEchoed) return null;
      return `${start} failed. HTTP status code is '${res.status}'. Notification endpoint must respond with 200 OK to validation request.`;
    } catch {
      return `${start} timed out.`;
    }
  }

  function shown({ id, asked, mailbox, expiresAt }: Subscription): object {
    const { lifecycleNotificationUrl = null, clientState = null } = asked;
    const expirationDateTime = expiresAt.toISOString();
    const more = { creatorId: mailbox.userId, latestSupportedTlsVersion: "v1_2", includeResourceData: null };
    return { id, ...asked, clientState, lifecycleNotificationUrl, expirationDateTime, ...more };
  }

  async function post(url: string, one: object, { id, asked, expiresAt }: Subscription): Promise<void> {
    const { clientState } = asked;
    const about = { subscriptionId: id, subscriptionExpirationDateTime: expiresAt.toISOString(), tenantId: TENANT };
    const body = { value: [{ ...about, ...(clientState !== undefined && { clientState }), ...one }] };
    const notice: (typeof notices)[number] = { url, body, status: null };
    notices.push(notice);
    const headers = { "Content-Type": "application/json" };
    const sent = fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    notice.status = await sent.then((res) => res.status).catch(() => null);
  }

  return {
    answer,
    notices,
    /** Tells subscribers of a change, late or not at all if the settings say so. */
    async notify(mailbox: GraphMailbox, change: Omit<GraphChange, "seq">): Promise<void> {
      const changeType = CHANGE_TYPES[change.kind];
      const chosen = [...all.values()].filter(
        (each) =>
          each.mailbox === mailbox &&
          (each.folderId === null || each.folderId === change.folderId) &&
          each.asked.changeType.split(",").includes(changeType) &&
          each.expiresAt.getTime() > Date.now() &&
          !each.isPaused,
      );
      if (settings.notices.missing) return;
      if (settings.notices.delayMs > 0) await delay(settings.notices.delayMs, undefined, { ref: false });
      for (const each of chosen) {
        const id = each.isImmutable ? change.immutableId : change.id;
        const resource = `Users/${mailbox.userId}/Messages/${id}`;
        const resourceData = { "@odata.type": "#Microsoft.Graph.Message", "@odata.id": resource, id };
        await post(each.asked.notificationUrl, { changeType, resource, resourceData }, each);
      }
    },
    /** Posts a lifecycle event to every subscription of the mailbox, and does what it says. */
    async lifecycle(mailbox: GraphMailbox, lifecycleEvent: LifecycleEvent): Promise<void> {
      for (const each of all
        .values()
        .filter((each) => each.mailbox === mailbox)
        .toArray()) {
        if (lifecycleEvent === "subscriptionRemoved") all.delete(each.id);
        if (lifecycleEvent === "reauthorizationRequired") each.isPaused = true;
        const url = each.asked.lifecycleNotificationUrl;
        if (url !== undefined) await post(url, { lifecycleEvent }, each);
      }
    },
  };
}

function json(body: Buffer): unknown {
  return JSON.parse(body.toString() || "{}");
}
