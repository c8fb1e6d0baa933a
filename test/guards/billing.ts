import type { Guard } from "./guard.ts";

const [DOORS, ORDERS, WITHOUT] = [
  "test/billing/billing.test.ts",
  "test/billing/event-orders.test.ts",
  "test/billing/without-billing.test.ts",
];

export const BILLING: Guard[] = [
  {
    guard: "An event counts only with Stripe's signature over its bytes",
    file: "operations/billing/take-event.ts",
    text: "if (!isSignedByStripe(webhookSecret, signature, body, Date.now())) {",
    instead: "if (signature === body.toString()) {",
    test: DOORS,
    only: "an event that nobody signed",
  },
  {
    guard: "A signature that is old, or of a clock ahead of ours, is none",
    file: "domain/billing/stripe-signature.ts",
    text: " || Math.abs(nowMs / 1_000 - Number(seconds)) > TOLERANCE_S",
    instead: "",
    test: WITHOUT,
    only: "a signature is what",
  },
  {
    guard: "A read that began earlier never replaces one that began later",
    file: "store/billing/store-read.ts",
    text: "{ _id: workspaceId, storedRead: trusted({ $lt: read }) }",
    instead: "{ _id: workspaceId }",
    test: ORDERS,
  },
  {
    guard: "A read takes its number before it asks",
    file: "activities/billing.ts",
    text: `  const subscriptions = await stripe.listSubscriptions(begun.customerId);
  const invoices = await stripe.listInvoices(begun.customerId);
  const state`,
    instead: `  const subscriptions = await stripe.listSubscriptions(begun.customerId);
  const invoices = await stripe.listInvoices(begun.customerId);
  begun.read = (await beginRead(workspaceId))?.read ?? 0;
  const state`,
    test: ORDERS,
  },
  {
    guard: "An invoice brings its credits once",
    file: "store/billing/store-read.ts",
    text: "if (there.has(key)) continue;",
    instead: "",
    test: DOORS,
    only: "credits come of a paid invoice",
  },
  {
    guard: "Who has a plan is sold no second subscription",
    file: "activities/billing.ts",
    text: "if (live !== null) return",
    instead: 'if (live !== null && item === "SEATS") return',
    test: DOORS,
    only: "who has a plan",
  },
  {
    guard: "An event of a workspace that was deleted starts nothing",
    file: "store/billing/accounts.ts",
    text: "return standing === null ? null : account.workspaceId;",
    instead: "return standing === undefined ? null : account.workspaceId;",
    test: DOORS,
    only: "an event of a foreign customer",
  },
  {
    guard: "A plan's limit is refused by the verb",
    file: "store/workspace-limits.ts",
    text: "return { ...WORKSPACE_LIMITS, ...(plan !== null && { members: plan.seats }), ...found.limits };",
    instead: "return WORKSPACE_LIMITS;",
    test: DOORS,
    only: "what a plan does not allow",
  },
  {
    guard: "An open invite holds a seat",
    file: "operations/access/invites.ts",
    text: '"members", members + invited,',
    instead: '"members", members,',
    test: DOORS,
    only: "what a plan does not allow",
  },
  {
    guard: "A workspace whose plan renews is not deleted",
    file: "operations/access/delete-workspace.ts",
    text: "if (workspace.plan && !workspace.plan.isEnding) {",
    instead: 'if (workspace.plan?.id === "") {',
    test: DOORS,
    only: "a workspace whose plan renews",
  },
  {
    guard: "What Stripe writes reaches no caller",
    file: "activities/billing.ts",
    text: "if (!(err instanceof StripeTrouble)) throw err;",
    instead: "throw err;",
    test: DOORS,
    only: "what Stripe writes",
  },
];

export const AGENCY: Guard[] = [
  {
    guard: "An agency is told of a week once",
    file: "activities/agency-reports.ts",
    text: "if (clients.length === 0 || !(await takeReport(workspaceId, week))) return 0;",
    instead: "if (clients.length === 0) return 0;",
    test: "test/agency/reports.test.ts",
    only: "who wants it is mailed once",
  },
  {
    guard: "Only who wants it is mailed of clients",
    file: "store/client-figures.ts",
    text: "weeklyReport: true, ",
    instead: "",
    test: "test/agency/reports.test.ts",
    only: "who wants it is mailed once",
  },
];
