import Stripe from "stripe";
import type { PaidInvoice, PaidSubscription } from "../domain/billing/account.ts";
import type { StripeAccess } from "../domain/billing/plans.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import { EgressError } from "./net/connect.ts";
import type { Egress } from "./net/egress.ts";

/** Thrown when a call to Stripe fails. `refused` is permanent; the other kinds may be temporary. */
export class StripeTrouble extends Error {
  readonly kind: "key" | "refused" | "away";
  constructor(kind: StripeTrouble["kind"], options?: ErrorOptions) {
    super(`Stripe: ${kind}`, options);
    this.name = "StripeTrouble";
    this.kind = kind;
  }
}

/** A page that Stripe hosts. `expiresAt` is in epoch milliseconds. */
export interface HostedPage {
  id: string;
  url: string;
  expiresAt: number;
}

interface Sale {
  customerId: string;
  workspaceId: string;
  price: string;
  quantity: number;
  successUrl: string;
  cancelUrl: string;
}

const ANSWER_BYTES = 4 * 1024 * 1024;
/** Stripe does not say when a portal page expires. A page that is not opened expires after five minutes. */
const PORTAL_MS = 5 * MINUTE_MS;
const MOST = 100;
/** The most pages of one list that are read. */
const MOST_PAGES = 10;

/**
 * Stripe's API, used with Stripe's own package through the egress connector. `key` is the idempotency key of a request.
 */
export function stripeAt(
  egress: Pick<Egress, "request">,
  { secretKey, url }: StripeAccess,
  callMs: number,
  signal: AbortSignal,
) {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "https:";
  const stripe = new Stripe(secretKey, {
    host: hostname,
    port: port === "" ? (isTls ? 443 : 80) : Number(port),
    protocol: isTls ? "https" : "http",
    maxNetworkRetries: 0,
    timeout: callMs,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBy(egress, callMs, signal)),
  });

  return {
    createCustomer: (workspaceId: string, key: string) =>
      orTrouble(async () => (await stripe.customers.create({ metadata: { workspaceId } }, { idempotencyKey: key })).id),
    listSubscriptions: (customer: string) =>
      orTrouble(async () => {
        const query = { customer, status: "all" as const, limit: MOST, expand: ["data.default_payment_method"] };
        return (await allOf(stripe.subscriptions.list(query))).map(subscriptionOf);
      }),
    listInvoices: (customer: string) =>
      orTrouble(async () => (await allOf(stripe.invoices.list({ customer, limit: MOST }))).map(invoiceOf)),
    sellPlan: (sale: Sale, key: string) => {
      const subscription_data = { metadata: { workspaceId: sale.workspaceId } };
      return openCheckout(sale, key, { mode: "subscription", subscription_data, metadata: { order: key } });
    },
    /** The open pages that sell this customer a plan, with the order for which each was opened. */
    listPlanPages: (customer: string) =>
      orTrouble(async () => {
        const open = await allOf(stripe.checkout.sessions.list({ customer, status: "open", limit: MOST }));
        return open
          .filter(({ mode }) => mode === "subscription")
          .map(({ id, metadata }) => ({ id, order: metadata?.["order"] ?? null }));
      }),
    /** Closes a page, so that no one can pay on it. Returns false if it was already paid or has expired. */
    closePage: async (id: string): Promise<boolean> => {
      try {
        await orTrouble(() => stripe.checkout.sessions.expire(id));
        return true;
      } catch (err) {
        if (err instanceof StripeTrouble && err.kind === "refused") return false;
        throw err;
      }
    },
    sellCredits: (sale: Sale, key: string) =>
      openCheckout(sale, key, { mode: "payment", invoice_creation: { enabled: true } }),
    openPortal: (customer: string, returnUrl: string, key: string) =>
      openPortal({ customer, return_url: returnUrl }, key),
    /** Opens a page on which the customer confirms a change of the existing subscription. */
    openChange: (
      customer: string,
      { id, itemId }: PaidSubscription,
      { price, quantity, successUrl, cancelUrl }: Sale,
      key: string,
    ) => {
      const change = { subscription: id, items: [{ id: itemId, price, quantity }] };
      const after_completion = { type: "redirect" as const, redirect: { return_url: successUrl } };
      const flow_data = {
        type: "subscription_update_confirm" as const,
        subscription_update_confirm: change,
        after_completion,
      };
      return openPortal({ customer, return_url: cancelUrl, flow_data }, key);
    },
  };

  function openCheckout(
    sale: Sale,
    idempotencyKey: string,
    kind: Stripe.Checkout.SessionCreateParams,
  ): Promise<HostedPage> {
    const { customerId: customer, workspaceId, price, quantity, successUrl, cancelUrl } = sale;
    return orTrouble(async () => {
      const session = await stripe.checkout.sessions.create(
        {
          customer,
          client_reference_id: workspaceId,
          success_url: successUrl,
          cancel_url: cancelUrl,
          line_items: [{ price, quantity }],
          ...kind,
        },
        { idempotencyKey },
      );
      if (!session.url) throw new StripeTrouble("refused");
      return { id: session.id, url: session.url, expiresAt: session.expires_at * 1_000 };
    });
  }

  function openPortal(params: Stripe.BillingPortal.SessionCreateParams, idempotencyKey: string): Promise<HostedPage> {
    return orTrouble(async () => {
      const { id, url, created } = await stripe.billingPortal.sessions.create(params, { idempotencyKey });
      return { id, url, expiresAt: created * 1_000 + PORTAL_MS };
    });
  }
}

export type StripeCalls = ReturnType<typeof stripeAt>;

/** The `fetch` that the package uses. */
function fetchBy(egress: Pick<Egress, "request">, timeoutMs: number, signal: AbortSignal): typeof fetch {
  return async (target, init = {}) => {
    const address = target instanceof Request ? target.url : target;
    const method = init.method === "GET" || init.method === "DELETE" ? init.method : "POST";
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === "string" && init.body !== "" ? { body: init.body } : {};
    const answer = await egress.request(address, {
      method,
      headers,
      ...body,
      timeoutMs,
      maxBodyBytes: ANSWER_BYTES,
      signal,
    });
    if (!answer.isBodyComplete) throw new EgressError("RESPONSE_INVALID");
    const shown = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return new Response(answer.bodyExcerpt, { status: answer.statusCode, headers: shown });
  };
}

async function orTrouble<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof StripeTrouble) throw cause;
    if (
      cause instanceof Stripe.errors.StripeAuthenticationError ||
      cause instanceof Stripe.errors.StripePermissionError
    ) {
      throw new StripeTrouble("key", { cause });
    }
    throw new StripeTrouble(cause instanceof Stripe.errors.StripeInvalidRequestError ? "refused" : "away", { cause });
  }
}

/**
 * Reads all entries of a list. @throws StripeTrouble if there are too many, so that a part is not mistaken for the
 * whole list
 */
async function allOf<T extends { id: string }>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of list) {
    if (all.length >= MOST * MOST_PAGES) throw new StripeTrouble("refused");
    all.push(one);
  }
  return all;
}

function subscriptionOf({
  id,
  status,
  items,
  created,
  cancel_at_period_end,
  cancel_at,
  default_payment_method: method,
}: Stripe.Subscription) {
  const [item] = items.data;
  const renews = item?.current_period_end;
  return {
    id,
    status,
    itemId: item?.id ?? "",
    price: item?.price.id ?? null,
    quantity: item?.quantity ?? 0,
    createdAt: new Date(created * 1_000),
    renewsAt: renews === undefined ? null : new Date(renews * 1_000),
    isEnding: cancel_at_period_end || (cancel_at ?? null) !== null,
    paymentMethodLast4: typeof method === "object" ? (method?.card?.last4 ?? null) : null,
  } satisfies PaidSubscription;
}

function invoiceOf({ id, total, currency, status, created, lines }: Stripe.Invoice): PaidInvoice {
  return {
    id,
    amountCents: total,
    currency: currency.toUpperCase(),
    status: status ?? "draft",
    at: new Date(created * 1_000),
    lines: lines.data.map(({ pricing, quantity }) => {
      const price = pricing?.price_details?.price ?? null;
      return { price: typeof price === "string" || price === null ? price : price.id, quantity: quantity ?? 0 };
    }),
  };
}
