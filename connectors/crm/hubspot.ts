import { z } from "zod";
import type { CrmContact, CrmSegment } from "../../domain/crm/contact.ts";
import { MOST_SEGMENTS } from "../../domain/crm/limits.ts";
import { type CrmCall, CrmTrouble, type CrmVendor, faultOfStatus, jsonIfAny, readShape, secondsIn } from "./vendor.ts";

const CONTACTS = "0-1";
const SEGMENT_PAGE = 100;
const MEMBER_PAGE = 200;
/** The most records that one call reads. */
const BATCH = 100;
const OPTED_OUT = "hs_email_optout";
/** HubSpot's ids of the association types "email to contact" and "meeting to contact". */
const ASSOCIATED = { emails: 198, meetings: 200 } as const;

const Account = z.object({ portalId: z.number(), uiDomain: z.string().nullish() });
const Lists = z.object({
  lists: z.array(
    z.object({
      listId: z.string(),
      name: z.string(),
      objectTypeId: z.string(),
      processingType: z.string(),
      additionalProperties: z.record(z.string(), z.string().nullish()).nullish(),
    }),
  ),
  offset: z.number(),
  hasMore: z.boolean(),
});
const Members = z.object({
  results: z.array(z.object({ recordId: z.string() })),
  paging: z.object({ next: z.object({ after: z.string() }).nullish() }).nullish(),
});
const Records = z.object({
  results: z.array(z.object({ id: z.string(), properties: z.record(z.string(), z.string().nullable()) })),
});
const Subscriptions = z.object({ subscriptionStatuses: z.array(z.object({ id: z.string(), status: z.string() })) });
const Created = z.object({ id: z.string() });
const Refusal = z.object({ category: z.string(), errorType: z.string(), policyName: z.string() }).partial();

/** HubSpot: contact lists, and the contacts in them. */
export const hubspot: CrmVendor = {
  authorize: (token) => ({ authorization: `Bearer ${token}` }),

  troubleOf(answer) {
    const { category, errorType, policyName } = Refusal.safeParse(jsonIfAny(answer)).data ?? {};
    const reasons = [category, errorType, policyName].filter((one) => one !== undefined);
    if (answer.statusCode === 429) {
      const interval = [answer.headers["x-hubspot-ratelimit-interval-milliseconds"]].flat()[0] ?? "";
      const waitMs = secondsIn(answer, "retry-after") ?? (/^\d{1,6}$/.test(interval) ? Number(interval) : null);
      return policyName === "DAILY"
        ? new CrmTrouble("DAY_USED_UP", { reasons })
        : new CrmTrouble("RATE_LIMITED", { waitMs, reasons });
    }
    return new CrmTrouble(faultOfStatus(answer.statusCode), { reasons });
  },

  async readAccount(call) {
    const { portalId, uiDomain } = readShape(Account, await call({ method: "GET", path: "/account-info/v3/details" }));
    return { id: String(portalId), name: `${uiDomain ?? "HubSpot"} ${portalId}` };
  },

  async listSegments(call) {
    const found: CrmSegment[] = [];
    for (let offset = 0; found.length < MOST_SEGMENTS; ) {
      const body = {
        query: "",
        offset,
        count: SEGMENT_PAGE,
        additionalProperties: ["hs_list_size"],
        listIds: [],
        processingTypes: [],
      };
      const page = readShape(Lists, await call({ method: "POST", path: "/crm/v3/lists/search", body }));
      for (const { listId, name, objectTypeId, processingType, additionalProperties } of page.lists) {
        const size = Number(additionalProperties?.["hs_list_size"] ?? Number.NaN);
        if (objectTypeId === CONTACTS)
          found.push({ id: listId, name, type: processingType, size: Number.isInteger(size) ? size : null });
      }
      if (!page.hasMore || page.offset <= offset) break;
      offset = page.offset;
    }
    return found;
  },

  async readPage(call, { segmentId, fields, cursor }) {
    const query = new URLSearchParams({ ...(cursor !== null && { after: cursor }), limit: String(MEMBER_PAGE) });
    const path = `/crm/v3/lists/${encodeURIComponent(segmentId)}/memberships?${query}`;
    const { results, paging } = readShape(Members, await call({ method: "GET", path }));
    const ids = results.map(({ recordId }) => recordId);
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, at) =>
      ids.slice(at * BATCH, (at + 1) * BATCH),
    );
    const properties = [...new Set([...fields, "email", OPTED_OUT])];
    const contacts = (await Promise.all(batches.map((batch) => readBatch(call, batch, properties)))).flat();
    return { contacts, next: paging?.next?.after ?? null };
  },

  async writeActivity(call, recordId, { deed, at, subject, body }) {
    const kind = deed === "MEETING" ? "meetings" : "emails";
    const of = { hs_timestamp: at.toISOString() };
    const properties =
      kind === "meetings"
        ? { ...of, hs_meeting_title: subject, hs_meeting_body: body, hs_meeting_outcome: "SCHEDULED" }
        : {
            ...of,
            hs_email_direction: deed === "REPLIED" ? "INCOMING_EMAIL" : "EMAIL",
            hs_email_status: deed === "BOUNCED" ? "BOUNCED" : "SENT",
            hs_email_subject: subject,
            hs_email_text: body,
          };
    const types = [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: ASSOCIATED[kind] }];
    const sent = { properties, associations: [{ to: { id: recordId }, types }] };
    return readShape(Created, await call({ method: "POST", path: `/crm/v3/objects/${kind}`, body: sent })).id;
  },

  /** HubSpot has no general opt-out, only one for each kind of email that the account sends. */
  async writeDoNotContact(call, _recordId, email) {
    const path = `/communication-preferences/v3/status/email/${encodeURIComponent(email)}`;
    const { subscriptionStatuses } = readShape(Subscriptions, await call({ method: "GET", path }));
    for (const { id, status } of subscriptionStatuses) {
      if (status === "NOT_SUBSCRIBED") continue;
      const body = { emailAddress: email, subscriptionId: id };
      await call({ method: "POST", path: "/communication-preferences/v3/unsubscribe", body });
    }
  },
};

async function readBatch(call: CrmCall, ids: readonly string[], properties: readonly string[]): Promise<CrmContact[]> {
  const body = { inputs: ids.map((id) => ({ id })), properties, propertiesWithHistory: [] };
  const { results } = readShape(
    Records,
    await call({ method: "POST", path: "/crm/v3/objects/contacts/batch/read", body, isPage: true }),
  );
  return results.map(({ id, properties: fields }) => ({
    recordId: id,
    email: fields["email"] ?? null,
    fields,
    isOptedOut: fields[OPTED_OUT] === "true",
  }));
}
