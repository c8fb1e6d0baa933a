import { z } from "zod";
import type { AskedOfCrm, CrmAnswer, CrmPerson, FakeCrm } from "./crm-account.ts";

/** What the three vendors answer to whom they know. The shapes are those that their official clients read. */
export function crmRoutes(crm: FakeCrm, asked: AskedOfCrm): CrmAnswer {
  const found = { HUBSPOT: hubspot, SALESFORCE: salesforce, PIPEDRIVE: pipedrive }[asked.vendor](crm, asked);
  return (
    found ?? {
      status: 404,
      body: asked.vendor === "SALESFORCE" ? [{ errorCode: "NOT_FOUND" }] : { status: "error", message: "no such path" },
    }
  );
}

const Batch = z.object({ inputs: z.array(z.object({ id: z.string() })), properties: z.array(z.string()) });
const Unsubscribe = z.object({ emailAddress: z.string() });
const Associated = z.object({ associations: z.array(z.object({ to: z.object({ id: z.string() }) })) });
const AT = "2026-01-01T00:00:00Z";

function hubspot(crm: FakeCrm, { method, path, query, body }: AskedOfCrm): CrmAnswer | null {
  const at = `${method} ${path}`;
  if (at === "GET /account-info/v3/details")
    return ok({ portalId: 62515, accountType: "STANDARD", uiDomain: "app.hubspot.com", timeZone: "Europe/Berlin" });
  if (at === "POST /crm/v3/lists/search") {
    const { offset = 0, count = 20 } = z.object({ offset: z.number(), count: z.number() }).partial().parse(body);
    const all = [...crm.segments].filter(([id]) => /^\d+$/.test(id));
    const lists = all.slice(offset, offset + count).map(([listId, people]) => ({
      listId,
      listVersion: 1,
      name: crm.names.get(listId) ?? `List ${listId}`,
      objectTypeId: listId === "99" ? "0-2" : "0-1",
      processingType: "DYNAMIC",
      processingStatus: "COMPLETE",
      additionalProperties: { hs_list_size: String(people.length) },
    }));
    return ok({ offset: offset + lists.length, hasMore: offset + lists.length < all.length, total: all.length, lists });
  }
  const [, listId = ""] = /^\/crm\/v3\/lists\/(\w+)\/memberships$/.exec(path) ?? [];
  if (listId !== "") {
    const people = crm.segments.get(listId);
    if (people === undefined)
      return { status: 404, body: { status: "error", message: "List does not exist", category: "OBJECT_NOT_FOUND" } };
    const { slice, next } = pageOf(crm, people, query["after"], Number(query["limit"] ?? 100));
    const results = slice.map(({ id }) => ({ recordId: String(id), membershipTimestamp: AT }));
    return ok({ results, ...(next !== null && { paging: { next: { after: next, link: "?" } } }) });
  }
  if (at === "POST /crm/v3/objects/contacts/batch/read") {
    const { inputs, properties } = Batch.parse(body);
    const people = byId(crm);
    const results = inputs
      .flatMap(({ id }) => people.get(id) ?? [])
      .map((person) => {
        const { email, first = null, last = null, company = null, isOptedOut, more } = person;
        const all: Record<string, unknown> = {
          email,
          firstname: first,
          lastname: last,
          company,
          hs_email_optout: isOptedOut ? "true" : null,
          ...more,
        };
        const told = Object.fromEntries(properties.filter((name) => name in all).map((name) => [name, all[name]]));
        return { id: String(person.id), properties: told, createdAt: AT, updatedAt: AT, archived: false };
      });
    return ok({ status: "COMPLETE", startedAt: AT, completedAt: AT, results });
  }
  const [, kind = ""] = /^\/crm\/v3\/objects\/(emails|meetings)$/.exec(path) ?? [];
  if (kind !== "" && method === "POST") {
    const [first] = Associated.parse(body).associations;
    crm.written.push({ vendor: "HUBSPOT", what: kind, record: first?.to.id ?? "", body });
    return {
      status: 201,
      body: { id: String(crm.written.length), properties: {}, createdAt: AT, updatedAt: AT, archived: false },
    };
  }
  const [, address = ""] = /^\/communication-preferences\/v3\/status\/email\/([^/]+)$/.exec(path) ?? [];
  if (address !== "") {
    const recipient = decodeURIComponent(address);
    const of = {
      description: "",
      name: "News",
      brandId: 1,
      preferenceGroupName: "",
      legalBasis: null,
      legalBasisExplanation: "",
      sourceOfStatus: "SUBSCRIPTION_STATUS",
    };
    return ok({
      recipient,
      subscriptionStatuses: [
        { id: "1", status: "SUBSCRIBED", ...of },
        { id: "2", status: "NOT_SUBSCRIBED", ...of },
      ],
    });
  }
  if (at === "POST /communication-preferences/v3/unsubscribe") {
    crm.written.push({ vendor: "HUBSPOT", what: "unsubscribe", record: Unsubscribe.parse(body).emailAddress, body });
    return ok({
      id: "1",
      status: "NOT_SUBSCRIBED",
      name: "News",
      description: "",
      sourceOfStatus: "SUBSCRIPTION_STATUS",
    });
  }
  return null;
}

const API = /^\/services\/data\/v[\d.]+/;

function salesforce(crm: FakeCrm, { method, path, query, body, headers }: AskedOfCrm): CrmAnswer | null {
  const base = API.exec(path)?.[0] ?? "";
  const rest = path.slice(base.length);
  const [, kind = "", id = "", what = ""] =
    /^\/sobjects\/(Contact|Lead)\/listviews(?:\/(\w+)(?:\/(\w+))?)?$/.exec(rest) ?? [];
  if (kind !== "" && id === "") {
    const ids = [...crm.segments.keys()]
      .filter((segment) => segment.startsWith(`${kind}/`))
      .map((segment) => segment.slice(kind.length + 1));
    const listviews = ids.map((view) => {
      const own = `${path}/${view}`;
      const label = crm.names.get(`${kind}/${view}`) ?? `View ${view}`;
      return {
        id: view,
        developerName: view,
        label,
        soqlCompatible: true,
        url: own,
        describeUrl: `${own}/describe`,
        resultsUrl: `${own}/results`,
      };
    });
    return ok({ done: true, nextRecordsUrl: null, size: listviews.length, sobjectType: kind, listviews });
  }
  if (what === "describe") {
    if (!crm.segments.has(`${kind}/${id}`))
      return { status: 404, body: [{ message: "The requested resource does not exist", errorCode: "NOT_FOUND" }] };
    const soql = `SELECT Name, toLabel(Salutation), Id, CreatedDate FROM ${kind} USING SCOPE everything WHERE View = '${id}' ORDER BY Name ASC NULLS FIRST, Id ASC NULLS FIRST`;
    return ok({
      id,
      columns: [],
      query: soql,
      scope: "everything",
      sobjectType: kind,
      orderBy: [],
      whereCondition: null,
    });
  }
  if (rest === "/query" || rest.startsWith("/query/"))
    return soqlPage(crm, rest, query, String(headers["sforce-query-options"] ?? ""), base);
  if (rest === "/sobjects/Task" && method === "POST") {
    crm.written.push({
      vendor: "SALESFORCE",
      what: "Task",
      record: z.object({ WhoId: z.string() }).parse(body).WhoId,
      body,
    });
    return { status: 201, body: { id: `00T${crm.written.length}`, success: true, errors: [] } };
  }
  const [, record = ""] = /^\/sobjects\/((?:Contact|Lead)\/\w+)$/.exec(rest) ?? [];
  if (record !== "" && method === "PATCH") {
    crm.written.push({ vendor: "SALESFORCE", what: "PATCH", record, body });
    return { status: 204 };
  }
  return null;
}

function soqlPage(crm: FakeCrm, rest: string, query: Record<string, string>, options: string, base: string): CrmAnswer {
  const [, again = "", from = "0"] = /^\/query\/([^-]+)-(\d+)$/.exec(rest) ?? [];
  const soql = again === "" ? (query["q"] ?? "") : Buffer.from(again, "hex").toString();
  if (/FROM Organization/.test(soql))
    return ok({
      totalSize: 1,
      done: true,
      records: [{ attributes: { type: "Organization", url: "" }, Id: "00D1", Name: "Acme Cloud" }],
    });
  const [, columns = "", kind = "", view = ""] = /^SELECT (.+?) FROM (Contact|Lead) .*View = '(\w+)'/.exec(soql) ?? [];
  const names = columns.split(", ");
  const hidden = names.find((name) => crm.settings.hidden.includes(name));
  if (hidden !== undefined)
    return {
      status: 400,
      body: [{ message: `No such column '${hidden}' on entity '${kind}'`, errorCode: "INVALID_FIELD" }],
    };
  const people = crm.segments.get(`${kind}/${view}`);
  if (people === undefined)
    return { status: 404, body: [{ message: "The requested resource does not exist", errorCode: "NOT_FOUND" }] };
  const { slice, next } = pageOf(crm, people, from, Number(/batchSize=(\d+)/.exec(options)?.[1] ?? 2_000));
  const records = slice.map((person) => {
    const all: Record<string, unknown> = {
      Email: person.email,
      FirstName: person.first ?? null,
      LastName: person.last ?? null,
      HasOptedOutOfEmail: person.isOptedOut ?? false,
      ...person.more,
    };
    const told = Object.fromEntries(
      names.filter((name) => !name.includes(".")).map((name) => [name, all[name] ?? null]),
    );
    const account = names.some((name) => name.startsWith("Account."))
      ? {
          Account:
            person.company === undefined ? null : { attributes: { type: "Account", url: "" }, Name: person.company },
        }
      : {};
    return { attributes: { type: kind, url: "" }, ...told, ...account, Id: `003${person.id}` };
  });
  const locator = `${base}/query/${Buffer.from(soql).toString("hex")}-${next}`;
  return ok({
    totalSize: people.length,
    done: next === null,
    ...(next !== null && { nextRecordsUrl: locator }),
    records,
  });
}

function pipedrive(crm: FakeCrm, { method, path, query, body }: AskedOfCrm): CrmAnswer | null {
  const at = `${method} ${path.replace(/^\/api/, "")}`;
  if (at === "GET /v1/users/me")
    return ok({
      success: true,
      data: { id: 1, name: "Ann", company_id: 77, company_name: "Acme Pipes", company_domain: "acme" },
    });
  if (at === "GET /v1/filters") {
    const ids = [...crm.segments.keys()].filter((id) => /^\d+$/.test(id));
    const data = ids.map((id) => ({
      id: Number(id),
      name: crm.names.get(id) ?? `Filter ${id}`,
      active_flag: true,
      type: "people",
      user_id: 1,
      add_time: AT,
      update_time: AT,
    }));
    return ok({ success: true, data });
  }
  if (at === "GET /v2/persons") {
    if (crm.settings.hidden.includes("marketing_status") && query["include_fields"] !== undefined)
      return { status: 400, body: { success: false, error: "Validation failed" } };
    const people = crm.segments.get(query["filter_id"] ?? "");
    if (people === undefined)
      return { status: 404, body: { success: false, error: "Filter not found", errorCode: 404 } };
    const { slice, next } = pageOf(crm, people, query["cursor"], Number(query["limit"] ?? 100));
    const withStatus = query["include_fields"] === "marketing_status";
    return ok({
      success: true,
      data: slice.map((person) => personOf(person, withStatus)),
      additional_data: { next_cursor: next },
    });
  }
  if (at === "GET /v2/organizations") {
    const ids = (query["ids"] ?? "").split(",");
    const names = [...byId(crm).values()].flatMap(({ id, company }) =>
      company !== undefined && ids.includes(String(1_000 + id)) ? [{ id: 1_000 + id, name: company }] : [],
    );
    return ok({ success: true, data: names, additional_data: { next_cursor: null } });
  }
  if (at === "POST /v2/activities") {
    const { participants } = z.object({ participants: z.array(z.object({ person_id: z.number() })) }).parse(body);
    crm.written.push({ vendor: "PIPEDRIVE", what: "activity", record: String(participants[0]?.person_id), body });
    return { status: 201, body: { success: true, data: { id: crm.written.length } } };
  }
  const [, id = ""] = /^PATCH \/v2\/persons\/(\d+)$/.exec(at) ?? [];
  if (id !== "") {
    crm.written.push({ vendor: "PIPEDRIVE", what: "person", record: id, body });
    return ok({ success: true, data: { id: Number(id) } });
  }
  return null;
}

function personOf({ id, email, first, last, company, isOptedOut, more }: CrmPerson, withStatus: boolean) {
  const value = (one: string) => [{ value: one, primary: true, label: "work" }];
  return {
    id,
    name: `${first ?? ""} ${last ?? ""}`.trim(),
    first_name: first ?? null,
    last_name: last ?? null,
    emails: email === null ? [] : value(email),
    phones: [],
    org_id: company === undefined ? null : 1_000 + id,
    custom_fields: more ?? {},
    is_deleted: false,
    add_time: AT,
    update_time: AT,
    ...(withStatus && { marketing_status: isOptedOut ? "unsubscribed" : "no_consent" }),
  };
}

function pageOf(
  crm: FakeCrm,
  people: readonly CrmPerson[],
  after: string | undefined,
  limit: number,
): { slice: CrmPerson[]; next: string | null } {
  const from = Number(after ?? 0);
  const to = from + Math.min(limit, crm.settings.pageSize);
  return { slice: people.slice(from, to), next: to < people.length ? String(to) : null };
}

/** Kept for as long as the segments are the same, since a page of 20,000 people would be looked for in each call. */
const indexed = new WeakMap<CrmPerson[], Map<string, CrmPerson>>();

function byId(crm: FakeCrm): Map<string, CrmPerson> {
  const all = new Map<string, CrmPerson>();
  for (const people of crm.segments.values()) {
    if (people.length < 1_000) for (const person of people) all.set(String(person.id), person);
    else {
      const known = indexed.get(people) ?? new Map(people.map((person) => [String(person.id), person]));
      indexed.set(people, known);
      if (crm.segments.size === 1) return known;
      for (const [id, person] of known) all.set(id, person);
    }
  }
  return all;
}

function ok(body: unknown): CrmAnswer {
  return { status: 200, body };
}
