import { afterAll, beforeAll, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { readPlans } from "../../domain/billing/plans.ts";
import { isSignedByStripe } from "../../domain/billing/stripe-signature.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("without a Stripe key each billing call names the missing setting, events are refused, and no plan limits apply", async () => {
  const { rest } = await world.workspace();
  const off = { status: 503, body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting: "STRIPE_SECRET_KEY" } } };
  expect(await rest.get("/billing")).toMatchObject(off);
  expect(await rest.post("/billing/checkout", { item: "CREDITS" })).toMatchObject(off);
  expect(await rest.post("/billing/portal", {})).toMatchObject(off);
  expect((await fetch(`${world.baseUrl}/hooks/stripe`, { method: "POST", body: "{}" })).status).toBe(503);
  expect((await rest.get("/workspace")).body.limits).toMatchObject({ mailboxes: 10_000, members: 1_000 });
});

test("only a signature that Stripe's own package would create is accepted", () => {
  const { webhooks } = new Stripe("sk_test_1");
  const [secret, payload, timestamp] = ["whsec_1", '{"id":"evt_ü"}', 1_700_000_000];
  const header = webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const body = Buffer.from(payload);
  const at = timestamp * 1_000;
  expect(isSignedByStripe(secret, header, body, at)).toBe(true);
  // A secret that is being rolled signs beside the new one
  expect(isSignedByStripe(secret, header.replace("v1=", `v1=${"0".repeat(64)},v1=`), body, at)).toBe(true);
  expect(isSignedByStripe(secret, header, body, at + 300_000)).toBe(true);
  const wrong: [string, string, Buffer, number][] = [
    ["whsec_2", header, body, at],
    [secret, header, Buffer.from(payload.replace("evt", "evs")), at],
    [secret, header, body, at + 301_000],
    [secret, header, body, at - 301_000],
    [secret, header.replace("v1=", "v0="), body, at],
    [secret, header.replace(String(timestamp), String(timestamp + 1)), body, at],
    [secret, `t=${timestamp},v1=`, body, at],
    [secret, "", body, at],
  ];
  for (const [key, signed, bytes, now] of wrong)
    expect([signed, isSignedByStripe(key, signed, bytes, now)]).toEqual([signed, false]);
});

test("contradictory plan settings are refused with a message that names the fault", () => {
  const plan = { id: "team", name: "Team", price: "price_1" };
  expect(readPlans(JSON.stringify({ plans: [plan] }))).toMatchObject({
    plans: [{ formerPrices: [], limits: {} }],
    credits: null,
  });
  const refused = (value: unknown) => () => readPlans(typeof value === "string" ? value : JSON.stringify(value));
  expect(refused("{")).toThrow("must be JSON");
  expect(refused({ plans: [plan, { ...plan, id: "other" }] })).toThrow("has the same price twice");
  expect(refused({ plans: [plan, { ...plan, price: "price_2" }] })).toThrow("has the same plan twice");
  expect(refused({ plans: [{ ...plan, limits: { mailbox: 1 } }] })).toThrow("plans.0.limits");
});
