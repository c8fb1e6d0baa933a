import { z } from "zod";
import type { CrmContact, CrmPage } from "../../domain/crm/contact.ts";
import {
  type CrmCall,
  CrmTrouble,
  type CrmVendor,
  faultOfStatus,
  jsonIfAny,
  type PagePlace,
  readShape,
  secondsIn,
} from "./vendor.ts";

const PAGE = 500;
/** The most organizations that one call reads. */
const BATCH = 100;
/** Only accounts with the marketing add-on have this field; other accounts refuse a request that names it. */
const OPTED_OUT = "marketing_status";
/** The column of the company's name. A person's record lacks it, so it is read from the organizations of each page. */
const COMPANY = "org_name";
/**
 * Milliseconds: a longer wait means that the daily budget is used up; a shorter one comes from the two-second limit.
 */
const LONG_WAIT_MS = 60_000;

const Me = z.object({ data: z.object({ company_id: z.number(), company_name: z.string().nullish() }) });
const Filters = z.object({
  data: z.array(z.object({ id: z.number(), name: z.string(), active_flag: z.boolean().nullish() })).nullish(),
});
const Value = z.object({ value: z.string().nullish(), primary: z.boolean().nullish() });
const Person = z.looseObject({
  id: z.number(),
  emails: z.array(Value).nullish(),
  phones: z.array(Value).nullish(),
  org_id: z.number().nullish(),
  custom_fields: z.record(z.string(), z.unknown()).nullish(),
});
const Persons = z.object({
  data: z.array(Person).nullish(),
  additional_data: z.object({ next_cursor: z.string().nullish() }).nullish(),
});
const Organizations = z.object({ data: z.array(z.object({ id: z.number(), name: z.string().nullish() })).nullish() });
const Created = z.object({ data: z.object({ id: z.number() }) });
const Refusal = z.object({ error: z.unknown(), errorCode: z.unknown() }).partial();

/** Pipedrive: filters of people. */
export const pipedrive: CrmVendor = {
  authorize: (token, isApiToken) => (isApiToken ? { "x-api-token": token } : { authorization: `Bearer ${token}` }),

  troubleOf(answer) {
    const { errorCode } = Refusal.safeParse(jsonIfAny(answer)).data ?? {};
    const reasons = typeof errorCode === "number" ? [String(errorCode)] : [];
    const waitMs = secondsIn(answer, "retry-after") ?? secondsIn(answer, "x-ratelimit-reset");
    const fault = faultOfStatus(answer.statusCode);
    const isDay = fault === "RATE_LIMITED" && waitMs !== null && waitMs > LONG_WAIT_MS;
    return new CrmTrouble(isDay ? "DAY_USED_UP" : fault, { waitMs, reasons });
  },

  async readAccount(call) {
    const { company_id: id, company_name: name } = readShape(
      Me,
      await call({ method: "GET", path: "/api/v1/users/me" }),
    ).data;
    return { id: String(id), name: name ?? `Pipedrive ${id}` };
  },

  async listSegments(call) {
    const { data } = readShape(
      Filters,
      await call({ method: "GET", path: "/api/v1/filters?type=people", isPage: true }),
    );
    const active = (data ?? []).filter(({ active_flag }) => active_flag !== false);
    return active.map(({ id, name }) => ({ id: String(id), name, type: "FILTER", size: null }));
  },

  async readPage(call, place) {
    if (!/^\d+$/.test(place.segmentId)) throw new CrmTrouble("NOT_FOUND");
    const { isPlain, after } = placeIn(place.cursor);
    if (isPlain) return readPersons(call, place, after, true);
    try {
      return await readPersons(call, place, after, false);
    } catch (error) {
      if (!(error instanceof CrmTrouble) || (error.fault !== "REFUSED" && error.fault !== "FORBIDDEN")) throw error;
      return readPersons(call, place, after, true);
    }
  },

  async writeActivity(call, recordId, { deed, at, subject, body }) {
    const participants = [{ person_id: Number(recordId), primary: true }];
    const of = {
      due_date: at.toISOString().slice(0, 10),
      due_time: at.toISOString().slice(11, 16),
      participants,
      note: body,
    };
    const sent = { subject, type: deed === "MEETING" ? "meeting" : "email", done: deed !== "MEETING", ...of };
    return String(readShape(Created, await call({ method: "POST", path: "/api/v2/activities", body: sent })).data.id);
  },

  async writeDoNotContact(call, recordId) {
    const path = `/api/v2/persons/${encodeURIComponent(recordId)}`;
    await call({ method: "PATCH", path, body: { [OPTED_OUT]: "unsubscribed" } });
  },
};

/**
 * Splits a cursor: its prefix says whether the account refused to show who unsubscribed; the rest is Pipedrive's own
 * cursor.
 */
function placeIn(cursor: string | null): { isPlain: boolean; after: string | null } {
  if (cursor === null) return { isPlain: false, after: null };
  return { isPlain: cursor.startsWith("plain:"), after: cursor.slice(cursor.indexOf(":") + 1) };
}

async function readPersons(
  call: CrmCall,
  { segmentId, fields }: PagePlace,
  after: string | null,
  isPlain: boolean,
): Promise<CrmPage> {
  const query = new URLSearchParams({
    filter_id: segmentId,
    ...(!isPlain && { include_fields: OPTED_OUT }),
    limit: String(PAGE),
    ...(after !== null && { cursor: after }),
  });
  const { data, additional_data } = readShape(
    Persons,
    await call({ method: "GET", path: `/api/v2/persons?${query}`, isPage: true }),
  );
  const persons = data ?? [];
  const names = fields.includes(COMPANY) ? await readCompanies(call, persons) : new Map<number, string>();
  const next = additional_data?.next_cursor ?? null;
  return {
    contacts: persons.map((person) => contactOf(person, names)),
    next: next === null ? null : `${isPlain ? "plain" : "whole"}:${next}`,
  };
}

async function readCompanies(call: CrmCall, persons: z.output<typeof Person>[]): Promise<Map<number, string>> {
  const ids = [...new Set(persons.flatMap(({ org_id }) => (typeof org_id === "number" ? [org_id] : [])))];
  const names = new Map<number, string>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const query = new URLSearchParams({ ids: ids.slice(at, at + BATCH).join(","), limit: String(BATCH) });
    const { data } = readShape(
      Organizations,
      await call({ method: "GET", path: `/api/v2/organizations?${query}`, isPage: true }),
    );
    for (const { id, name } of data ?? []) if (typeof name === "string") names.set(id, name);
  }
  return names;
}

function contactOf(
  { emails, phones, custom_fields, ...rest }: z.output<typeof Person>,
  companies: ReadonlyMap<number, string>,
): CrmContact {
  const email = primaryValueOf(emails);
  const company = typeof rest.org_id === "number" ? companies.get(rest.org_id) : undefined;
  const fields = { ...custom_fields, ...rest, email, phone: primaryValueOf(phones), [COMPANY]: company ?? null };
  return { recordId: String(rest.id), email, isOptedOut: rest[OPTED_OUT] === "unsubscribed", fields };
}

function primaryValueOf(values: z.output<typeof Value>[] | null | undefined): string | null {
  const all = values ?? [];
  return (all.find(({ primary }) => primary === true) ?? all[0])?.value ?? null;
}
