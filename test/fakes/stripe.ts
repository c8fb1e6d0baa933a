import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Stripe from "stripe";
import { listen } from "../../runtime/listen.ts";

/** A subscription, an invoice or a session as Stripe writes it, in the fields that are read. */
type StripeObject = { id: string; object: string; customer: string; created: number } & Record<string, unknown>;

interface AskedOfStripe {
  method: string;
  path: string;
  fields: URLSearchParams;
  key: string | undefined;
}

/**
 * Stripe on loopback: it keeps what was made, and answers the package's calls. Nothing is paid unless a test says so.
 */
export interface FakeStripe {
  url: string;
  subscriptions: StripeObject[];
  invoices: StripeObject[];
  /** Pages that were opened; each can be paid at while its `status` is open. */
  sessions: StripeObject[];
  asked: AskedOfStripe[];
  /** Somebody pays at a page that sells a plan: true, and there is a subscription, where it is open. */
  pay(sessionId: string): boolean;
  /** Lets the next call of this method and path wait before anything comes of it. */
  hold(call: string): { arrived: Promise<void>; release: () => void };
  /** Answers in the place of Stripe when it returns true. */
  fault(fault: (asked: AskedOfStripe, res: ServerResponse) => boolean): void;
  /** The bytes of an event and their signature, as Stripe would send them. */
  event(type: string, object: object, secondsAgo?: number): { body: string; signature: string };
  close(): Promise<void>;
}

export const WEBHOOK_SECRET = "whsec_of_the_tests";
const stripe = new Stripe("sk_test_1");
const WORST = JSON.stringify({
  error: { type: "invalid_request_error", message: "No such thing: sk_live_secret", code: "resource_missing" },
});

export const subscription = (
  customer: string,
  more: { id?: string; price?: string; quantity?: number; status?: string; created?: number },
) => {
  const {
    id = `sub_${randomUUID()}`,
    price = "price_team",
    quantity = 3,
    status = "active",
    created = 1_700_000_000,
  } = more;
  const item = {
    id: `si_${id}`,
    object: "subscription_item",
    quantity,
    price: { id: price, object: "price" },
    current_period_end: 1_900_000_000,
  };
  const method = { id: "pm_1", object: "payment_method", type: "card", card: { last4: "4242" } };
  const rest = { cancel_at_period_end: false, cancel_at: null, default_payment_method: method };
  return { id, object: "subscription", customer, status, created, items: { object: "list", data: [item] }, ...rest };
};

export const invoice = (
  customer: string,
  more: { id?: string; price?: string; quantity?: number; status?: string; created?: number },
) => {
  const {
    id = `in_${randomUUID()}`,
    price = "price_credits",
    quantity = 1,
    status = "paid",
    created = 1_700_000_000,
  } = more;
  const line = {
    id: `il_${id}`,
    object: "line_item",
    quantity,
    pricing: { type: "price_details", price_details: { price, product: "prod_1" } },
  };
  const lines = { object: "list", has_more: false, data: [line] };
  return { id, object: "invoice", customer, status, created, total: 1_000 * quantity, currency: "eur", lines };
};

export async function startStripe(secretKey: string): Promise<FakeStripe> {
  const [subscriptions, invoices, sessions]: [StripeObject[], StripeObject[], StripeObject[]] = [[], [], []];
  const asked: AskedOfStripe[] = [];
  const answers = new Map<string, object>();
  let waiting: { call: string; arrived: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | null =
    null;
  let fault: (asked: AskedOfStripe, res: ServerResponse) => boolean = () => false;

  const listOf = (all: StripeObject[], { path, fields }: AskedOfStripe) => {
    const wanted = fields.get("status") ?? "all";
    const own = all.filter(
      ({ customer, status }) => customer === fields.get("customer") && (wanted === "all" || status === wanted),
    );
    const from = own.findIndex(({ id }) => id === fields.get("starting_after")) + 1;
    const limit = Number(fields.get("limit") ?? 10);
    return { object: "list", url: path, has_more: own.length > from + limit, data: own.slice(from, from + limit) };
  };

  function answerOf(one: AskedOfStripe): object | null {
    const created = Math.floor(Date.now() / 1_000);
    const [, closed] = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(one.path) ?? [];
    if (closed !== undefined) return close(closed);
    switch (`${one.method} ${one.path}`) {
      case "POST /v1/customers":
        return { id: `cus_${randomUUID()}`, object: "customer", created };
      case "GET /v1/subscriptions":
        return listOf(subscriptions, one);
      case "GET /v1/invoices":
        return listOf(invoices, one);
      case "POST /v1/checkout/sessions":
        return openSession(one, created);
      case "GET /v1/checkout/sessions":
        return listOf(sessions, one);
      case "POST /v1/billing_portal/sessions":
        return {
          id: `bps_${randomUUID()}`,
          object: "billing_portal.session",
          url: "https://billing.stripe.example/p",
          created,
        };
      default:
        return null;
    }
  }

  function openSession({ fields }: AskedOfStripe, created: number): StripeObject {
    const [mode, order] = [fields.get("mode"), fields.get("metadata[order]")];
    const page = { url: "https://checkout.stripe.example/c", expires_at: created + 86_400 };
    const what = {
      mode,
      status: "open",
      metadata: order === null ? {} : { order },
      customer: fields.get("customer") ?? "",
    };
    const session = { id: `cs_${randomUUID()}`, object: "checkout.session", created, ...page, ...what };
    sessions.push(session);
    return session;
  }

  /** Only an open page can be closed. */
  function close(sessionId: string): object | null {
    const session = sessions.find(({ id, status }) => id === sessionId && status === "open");
    return session === undefined ? null : Object.assign(session, { status: "expired" });
  }

  function pay(sessionId: string): boolean {
    const session = sessions.find(({ id, status }) => id === sessionId && status === "open");
    if (session === undefined) return false;
    session["status"] = "complete";
    subscriptions.push(subscription(session.customer, {}));
    return true;
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://stripe");
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part);
    const fields = req.method === "GET" ? searchParams : new URLSearchParams(Buffer.concat(parts).toString());
    const one = { method: req.method ?? "", path: pathname, fields, key: [req.headers["idempotency-key"]].flat()[0] };
    asked.push(one);
    const say = (status: number, body: string) =>
      res.writeHead(status, { "Content-Type": "application/json" }).end(body);
    if (req.headers.authorization !== `Bearer ${secretKey}`) return void say(401, WORST);
    if (waiting !== null && `${one.method} ${one.path}` === waiting.call) {
      const { arrived, released } = waiting;
      waiting = null;
      arrived.resolve();
      await released.promise;
    }
    if (fault(one, res)) return;
    const known = one.key === undefined ? undefined : answers.get(one.key);
    const answer = known ?? answerOf(one);
    if (answer !== null && one.key !== undefined) answers.set(one.key, answer);
    say(answer === null ? 404 : 200, answer === null ? WORST : JSON.stringify(answer));
  }

  const server = createServer((req, res) => void serve(req, res));
  const listener = await listen((req, res) => server.emit("request", req, res), 0, { host: "127.0.0.1" });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    subscriptions,
    invoices,
    sessions,
    asked,
    pay,
    hold(call) {
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      waiting = { call, arrived, released };
      return { arrived: arrived.promise, release: released.resolve };
    },
    fault(next) {
      fault = next;
    },
    event(type, object, secondsAgo = 0) {
      const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
      const body = JSON.stringify({
        id: `evt_${randomUUID()}`,
        object: "event",
        type,
        created: timestamp,
        data: { object },
      });
      return {
        body,
        signature: stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET, timestamp }),
      };
    },
    close: listener.close,
  };
}
