import { z } from "zod";
import { WORKSPACE_LIMITS, type WorkspaceLimit } from "../access/workspace-limits.ts";

/**
 * The plans and credits that may be bought. They are read from the settings and never from Stripe, so that people who
 * may edit products at Stripe cannot change the limits of this service.
 */
export interface BillingPlans {
  plans: BillingPlan[];
  /** The limits of a workspace without a plan. */
  free: { limits: PlanLimitValues };
  /** How credits are sold: packs of `credits` credits at the Stripe price `price`. Null: no credits are sold. */
  credits: { price: string; credits: number } | null;
}

export interface BillingPlan {
  id: string;
  name: string;
  /** Stripe's id of the price of one seat. */
  price: string;
  /** Prices at which the plan was sold before. A workspace that pays one of them has the plan. */
  formerPrices: string[];
  limits: PlanLimitValues;
}

export type PlanLimitValues = Partial<Record<WorkspaceLimit, number>>;

/** How Stripe is reached. */
export interface StripeAccess {
  secretKey: string;
  url: string;
}

/** What verbs know about billing. */
export interface BillingSettings {
  plans: BillingPlans;
  webhookSecret: string;
}

export const NO_PLANS: BillingPlans = { plans: [], free: { limits: {} }, credits: null };

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be up to 64 letters, digits, _ or -");
const price = z.string().min(1).max(200);
const limit = z.number().int().min(0).max(1_000_000_000).optional();
const names = Object.keys(WORKSPACE_LIMITS);
const limits = z.strictObject(Object.fromEntries(names.map((name) => [name, limit]))).default({});
const Plans = z.strictObject({
  plans: z
    .array(
      z.strictObject({
        id,
        name: z.string().min(1).max(100),
        price,
        formerPrices: z.array(price).max(100).default([]),
        limits,
      }),
    )
    .max(100),
  free: z.strictObject({ limits }).default({ limits: {} }),
  credits: z
    .strictObject({ price, credits: z.number().int().min(1).max(1_000_000) })
    .nullable()
    .default(null),
});

/** Reads the plans of the settings, a JSON text. @throws Error that says in our words what is wrong with it */
export function readPlans(text: string): BillingPlans {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("must be JSON");
  }
  const read = Plans.safeParse(value);
  if (!read.success)
    throw new Error(read.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; "));
  const { plans, credits } = read.data;
  const prices = [
    ...plans.flatMap(({ price, formerPrices }) => [price, ...formerPrices]),
    ...(credits === null ? [] : [credits.price]),
  ];
  if (new Set(prices).size < prices.length) throw new Error("has the same price twice");
  if (new Set(plans.map(({ id }) => id)).size < plans.length) throw new Error("has the same plan twice");
  return { ...read.data, plans: plans.map((plan) => ({ ...plan, limits: plan.limits })) };
}

/** The plan that is sold at a Stripe price; null if the price belongs to no plan. */
export function planOf({ plans }: BillingPlans, price: string | null): BillingPlan | null {
  return plans.find((plan) => plan.price === price || (price !== null && plan.formerPrices.includes(price))) ?? null;
}
