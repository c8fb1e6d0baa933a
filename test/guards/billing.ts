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
    file: "activities/stripe-pages.ts",
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
  {
    guard: "A page that sells the plan is closed when another one is asked for",
    file: "activities/stripe-pages.ts",
    text: "if (page.order !== order) await",
    instead: 'if (page.order === "") await',
    test: DOORS,
    only: "of all pages that were opened",
  },
  {
    guard: "A page that is there after a later one was begun is closed again",
    file: "activities/stripe-pages.ts",
    text: "if (await isLastPlanPage(workspaceId, number)) return page;",
    instead: "if (number > 0) return page;",
    test: DOORS,
    only: "a page that is opened while",
  },
  {
    guard: "Whether there is a plan is read after no page can be paid at any more",
    file: "activities/stripe-pages.ts",
    text: `  if (number !== null) await closeEarlierPages(stripe, customerId, key);
  // Read after the pages were closed: one that could not be was paid at, and its subscription is there by now
  const live = liveOf(await stripe.listSubscriptions(customerId));`,
    instead: `  const live = liveOf(await stripe.listSubscriptions(customerId));
  if (number !== null) await closeEarlierPages(stripe, customerId, key);`,
    test: DOORS,
    only: "somebody who paid while",
  },
  {
    guard: "More than one subscription is told of",
    file: "domain/billing/account.ts",
    text: "subscriptions: livingOf(subscriptions).length,",
    instead: "subscriptions: live === null ? 0 : 1,",
    test: DOORS,
    only: "two subscriptions that were made",
  },
];

const PORTAL = "test/agency/portal.test.ts";

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
  {
    guard: "A session counts where it was opened alone",
    file: "operations/access/sessions.ts",
    text: "return session !== null && isOpenedAt(session, portalId) ? session : null;",
    instead: "return session;",
    test: PORTAL,
    only: "a session of a portal",
  },
  {
    guard: "What waits for a second factor is let in where the password was given alone",
    file: "operations/access/sessions.ts",
    text: " || !isOpenedAt(session, portalId) ? null : session;",
    instead: " ? null : session;",
    test: PORTAL,
    only: "what waits for a second factor",
  },
  {
    guard: "A portal opens no workspace of somebody else",
    file: "operations/access/console-principal.ts",
    text: "if (portalId !== null && !isOpenAt(portalId, workspace)) throw unknownHere();",
    instead: "",
    test: PORTAL,
    only: "a portal signs nobody",
  },
  {
    guard: "A portal shows no workspace of somebody else",
    file: "operations/access/members.ts",
    text: " || (portalId !== null && !isOpenAt(portalId, found))",
    instead: "",
    test: PORTAL,
    only: "a portal signs nobody",
  },
  {
    guard: "Who is in no workspace of a portal is answered like a stranger",
    file: "api/pages/login.ts",
    text: " || !(await isLetIn(person._id, doorOf(res, publicUrl).portalId))",
    instead: "",
    test: PORTAL,
    only: "a portal signs nobody",
  },
  {
    guard: "An account that reaches beyond a portal is not changed there",
    file: "operations/sign-in/session-verbs.ts",
    text: "if (!isOperator && all.length === open.length) return;",
    instead: "if (all.length >= open.length || isOperator) return;",
    test: PORTAL,
    only: "a portal signs nobody",
  },
  {
    guard: "A portal shows no session from elsewhere",
    file: "operations/access/sessions.ts",
    text: "(portalId ?? null) === null ? {} : { portalId };",
    instead: "{};",
    test: PORTAL,
    only: "a portal signs nobody",
  },
  {
    guard: "A portal answers nothing but pages to sign in and the console's interface",
    file: "api/public/tracking-hosts.ts",
    text: "if (portal !== null && PORTAL_SERVED.test(req.path)) next();",
    instead: "if (portal !== null) next();",
    test: PORTAL,
    only: "a portal answers pages",
  },
  {
    guard: "A portal whose name is not proved lets nobody in",
    file: "store/portals.ts",
    text: '"portalDomain.domain": domain, "portalDomain.status": "VERIFIED", deletedAt: null',
    instead: '"portalDomain.domain": domain, deletedAt: null',
    test: PORTAL,
    only: "a portal answers pages",
  },
  {
    guard: "The portal of a deleted workspace lets nobody in",
    file: "store/portals.ts",
    text: '"portalDomain.domain": domain, "portalDomain.status": "VERIFIED", deletedAt: null',
    instead: '"portalDomain.domain": domain, "portalDomain.status": "VERIFIED"',
    test: PORTAL,
    only: "a portal whose name is taken away",
  },
  {
    guard: "A portal follows invites to its own workspaces alone",
    file: "operations/sign-in/links.ts",
    text: " || !(await isLinkOf(portalId, link))",
    instead: "",
    test: PORTAL,
    only: "a portal follows invites",
  },
  {
    guard: "A certificate may be had for a portal",
    file: "operations/mailboxes/served-name.ts",
    text: "(await isPortalName(name)) || ",
    instead: "",
    test: PORTAL,
    only: "two agencies cannot",
  },
  {
    guard: "A portal needs a certificate",
    file: "activities/mailboxes/tracking-checks.ts",
    text: 'const found = await lookAt(before, field === "portalDomain" ? publicUrl : trackUrl);',
    instead:
      'const found = field === "portalDomain" ? await findAlias(egress, domain, before.expectedCname) : await lookAt(before, publicUrl || trackUrl);',
    test: "test/mailboxes/dns.test.ts",
    only: "a portal needs a certificate",
  },
  {
    guard: "Colours that cannot be read are refused",
    file: "operations/access/workspace.ts",
    text: "if (fields.portal) refuseUnreadable(fields.portal);",
    instead: "",
    test: PORTAL,
    only: "a portal's colours",
  },
  {
    guard: "In the dark a link keeps a colour that can be read",
    file: "domain/access/brand.ts",
    text: "link: isReadable ? color : DARK.link,",
    instead: "link: isReadable ? DARK.link : color,",
    test: PORTAL,
    only: "of any colours",
  },
  {
    guard: "The name of a workspace is text on a page",
    file: "api/public/page.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of the page
    text: "${escapeText(look.name)}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of the page
    instead: "${look.name}",
    test: PORTAL,
    only: "a client signs in",
  },
  {
    guard: "The policy of a page names the style that it has",
    file: "api/public/page.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of the page
    text: "${STYLE_SOURCE}${lookSource(res)}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of the page
    instead: "${STYLE_SOURCE}",
    test: PORTAL,
    only: "to unsubscribe works",
  },
];
