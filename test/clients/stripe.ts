import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { StripeTrouble, stripeAt } from "../../connectors/stripe.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { freePort } from "../../embedded/ports.ts";
import { until } from "../fakes/wait.ts";

/**
 * Stripe's own stand-in: it holds each request against Stripe's OpenAPI document, and refuses unknown fields, words and
 * paths.
 */
export const STRIPE_MOCK = "github.com/stripe/stripe-mock@v0.203.0";

interface Asked {
  request: string;
  status: number;
}

/** Every request that the service makes of Stripe is one that Stripe's document knows. */
export async function tryStripe(program: string): Promise<string> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const args = ["-http-addr", `127.0.0.1:${port}`, "-https-addr", `127.0.0.1:${tlsPort}`];
  const child = spawn(program, args, { stdio: "ignore" });
  const ended = once(child, "exit");
  const egress = createEgress({ allow: parseAllow("127.0.0.1:*"), ownAddresses: [] });
  try {
    await until(() => listens(port), { deadlineMs: 30_000, what: "stripe-mock" });
    const asked: Asked[] = [];
    await askEverything(noting(egress, asked), `http://127.0.0.1:${port}`);
    const refused = asked.filter(({ status }) => status !== 200);
    assert.deepEqual(refused, [], "stripe-mock refuses what the service asks");
    await proveItRefuses(`http://127.0.0.1:${port}`);
    return `${asked.length} requests are taken: ${[...new Set(asked.map(({ request }) => request))].join(", ")}`;
  } finally {
    await egress.close();
    child.kill();
    await ended;
  }
}

/**
 * Each call of the connector once, with every field that it can have. Our own stand-in tests what it makes of the
 * answers.
 */
async function askEverything(egress: Pick<Egress, "request">, url: string): Promise<void> {
  const stripe = stripeAt(egress, { secretKey: "sk_test_123", url }, 10_000, AbortSignal.timeout(60_000));
  const addresses = { successUrl: "https://acme.test/paid", cancelUrl: "https://acme.test/back" };
  const sale = { customerId: "cus_1", workspaceId: "wsp_1", price: "price_team", quantity: 3, ...addresses };
  const customerId = await stripe.createCustomer("wsp_1", "customer:wsp_1");
  const subscription = (await stripe.listSubscriptions(customerId))[0];
  if (subscription === undefined) throw new Error("stripe-mock lists no subscription");
  await stripe.listInvoices(customerId);
  await stripe.listPlanPages(customerId);
  await stripe.closePage("cs_1");
  await stripe.openPortal(customerId, addresses.successUrl, "ord_1");
  await stripe.openChange(customerId, subscription, sale, "ord_2");
  // Its sessions are fixtures without an address, which we take for a refusal
  for (const sell of [stripe.sellPlan, stripe.sellCredits]) {
    await sell(sale, `ord_${sell.name}`).catch((err: unknown) => {
      if (!(err instanceof StripeTrouble) || err.cause !== undefined) throw err;
    });
  }
}

/** A stand-in that accepted any request would prove nothing, so it must refuse wrong ones. */
async function proveItRefuses(url: string): Promise<void> {
  const ask = async (body: string, key = "sk_test_123") => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/x-www-form-urlencoded" };
    return (await fetch(`${url}/v1/checkout/sessions`, { method: "POST", headers, body })).status;
  };
  assert.deepEqual(
    [await ask("mode=payment&unheard_of=1"), await ask("mode=often"), await ask("mode=payment", "nothing")],
    [400, 400, 401],
  );
}

function noting(egress: Pick<Egress, "request">, asked: Asked[]): Pick<Egress, "request"> {
  return {
    async request(address, options) {
      const answer = await egress.request(address, options);
      const path = new URL(address).pathname.replace(/\/(?:cus|cs|sub|in)_[^/]+/, "/{id}");
      asked.push({ request: `${options.method} ${path}`, status: answer.statusCode });
      return answer;
    },
  };
}

function listens(port: number): Promise<true | null> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(null));
    socket.on("connect", () => socket.destroy());
  });
}
