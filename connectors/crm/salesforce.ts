import { z } from "zod";
import type { CrmContact, CrmPage, CrmSegment } from "../../domain/crm/contact.ts";
import { MOST_SEGMENTS } from "../../domain/crm/limits.ts";
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

const API = "/services/data/v65.0";
const KINDS = ["Contact", "Lead"] as const;
/** Rows of a page: Salesforce allows 200 to 2,000; one transaction can store 500 quickly. */
const PAGE_HEADERS = { "sforce-query-options": "batchSize=500" };
const OPTED_OUT = "HasOptedOutOfEmail";

const Organizations = z.object({ records: z.array(z.object({ Id: z.string(), Name: z.string() })).min(1) });
const Views = z.object({
  done: z.boolean(),
  nextRecordsUrl: z.string().nullish(),
  listviews: z.array(z.object({ id: z.string(), label: z.string(), soqlCompatible: z.boolean().nullish() })),
});
const View = z.object({ query: z.string() });
const Rows = z.object({
  done: z.boolean(),
  nextRecordsUrl: z.string().nullish(),
  records: z.array(z.looseObject({ Id: z.string(), Email: z.string().nullish() })),
});
const Created = z.object({ id: z.string() });
const Refusals = z.array(z.object({ errorCode: z.string() })).min(1);
/**
 * The columns of a list view's query. We replace them by our own, because a view contains what its user wants to see,
 * and seldom the email address.
 */
const COLUMNS = /^\s*SELECT\s.+?\sFROM\s/is;
const FIELD = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)?$/;

/** Salesforce: list views of contacts and leads. The record ids here begin with the object type: `Lead/00Q…`. */
export const salesforce: CrmVendor = {
  authorize: (token) => ({ authorization: `Bearer ${token}` }),

  /**
   * Salesforce answers with 403 both when it refuses a call and when there are too many; only the error code
   * distinguishes them.
   */
  troubleOf(answer) {
    const { data = [] } = Refusals.safeParse(jsonIfAny(answer));
    const reasons = data.map(({ errorCode }) => errorCode).filter((code) => /^[A-Z_]{1,60}$/.test(code));
    const has = (code: string) => reasons.includes(code);
    if (has("INVALID_SESSION_ID")) return new CrmTrouble("EXPIRED", { reasons });
    if (has("REQUEST_LIMIT_EXCEEDED"))
      return new CrmTrouble("DAY_USED_UP", { waitMs: secondsIn(answer, "retry-after"), reasons });
    if (has("SERVER_UNAVAILABLE") || has("QUERY_TIMEOUT")) return new CrmTrouble("AWAY", { reasons });
    if (has("INVALID_QUERY_LOCATOR")) return new CrmTrouble("PLACE_LOST", { reasons });
    if (has("INVALID_FIELD")) return new CrmTrouble("FIELD_UNKNOWN", { reasons });
    if (has("INSUFFICIENT_ACCESS") || has("API_DISABLED_FOR_ORG")) return new CrmTrouble("FORBIDDEN", { reasons });
    return new CrmTrouble(faultOfStatus(answer.statusCode), { waitMs: secondsIn(answer, "retry-after"), reasons });
  },

  async readAccount(call) {
    const [organization] = readShape(
      Organizations,
      await query(call, "SELECT Id, Name FROM Organization LIMIT 1"),
    ).records;
    if (organization === undefined) throw new CrmTrouble("ANSWER_INVALID");
    return { id: organization.Id, name: organization.Name };
  },

  async listSegments(call) {
    const found: CrmSegment[] = [];
    for (const kind of KINDS) {
      for (
        let path: string | null = `${API}/sobjects/${kind}/listviews`;
        path !== null && found.length < MOST_SEGMENTS;
      ) {
        const { done, nextRecordsUrl, listviews }: z.output<typeof Views> = readShape(
          Views,
          await call({ method: "GET", path }),
        );
        for (const { id, label, soqlCompatible } of listviews) {
          if (soqlCompatible !== false)
            found.push({ id: `${kind}/${id}`, name: label, type: kind.toUpperCase(), size: null });
        }
        path = done ? null : queryPathOf(nextRecordsUrl);
      }
    }
    return found;
  },

  async readPage(call, place) {
    if (place.cursor !== null) return pageOf(kindOf(place), await call(pageAt(place.cursor)));
    const kind = kindOf(place);
    const path = `${API}/sobjects/${kind}/listviews/${encodeURIComponent(place.segmentId.slice(kind.length + 1))}/describe`;
    const view = readShape(View, await call({ method: "GET", path })).query;
    const fields = [...new Set(["Id", "Email", ...place.fields.filter((field) => FIELD.test(field)), OPTED_OUT])];
    const select = (columns: string[]) =>
      call(pageAt(`${API}/query?q=${encodeSoql(view.replace(COLUMNS, () => `SELECT ${columns.join(", ")} FROM `))}`));
    try {
      return pageOf(kind, await select(fields));
    } catch (error) {
      // The user may lack permission to read the opt-out field, so the query is repeated without it
      if (!(error instanceof CrmTrouble) || error.fault !== "FIELD_UNKNOWN") throw error;
      return pageOf(kind, await select(fields.filter((field) => field !== OPTED_OUT)));
    }
  },

  async writeActivity(call, recordId, { deed, at, subject, body }) {
    const kind = deed === "MEETING" ? {} : { TaskSubtype: "Email" };
    const task = {
      WhoId: salesforceIdOf(recordId),
      Subject: subject,
      ...kind,
      Status: "Completed",
      ActivityDate: at.toISOString().slice(0, 10),
      Description: body,
    };
    return readShape(Created, await call({ method: "POST", path: `${API}/sobjects/Task`, body: task })).id;
  },

  async writeDoNotContact(call, recordId) {
    const path = `${API}/sobjects/${recordId.split("/").map(encodeURIComponent).join("/")}`;
    await call({ method: "PATCH", path, body: { [OPTED_OUT]: true } });
  },
};

function query(call: CrmCall, soql: string): Promise<unknown> {
  return call({ method: "GET", path: `${API}/query?q=${encodeSoql(soql)}` });
}

function encodeSoql(soql: string): string {
  return encodeURIComponent(soql);
}

function pageAt(path: string) {
  return { method: "GET", path, headers: PAGE_HEADERS, isPage: true } as const;
}

function kindOf({ segmentId }: PagePlace): (typeof KINDS)[number] {
  const kind = KINDS.find((one) => segmentId.startsWith(`${one}/`));
  if (kind === undefined) throw new CrmTrouble("NOT_FOUND");
  return kind;
}

function pageOf(kind: string, json: unknown): CrmPage {
  const { done, nextRecordsUrl, records } = readShape(Rows, json);
  return {
    contacts: records.map((record) => contactOf(kind, record)),
    next: done ? null : queryPathOf(nextRecordsUrl),
  };
}

/** Checks the path of the next page: it must be below the API, because the token is sent to it. */
function queryPathOf(url: string | null | undefined): string {
  if (url?.startsWith("/services/data/") !== true) throw new CrmTrouble("ANSWER_INVALID");
  return url;
}

function contactOf(kind: string, { Id, Email, ...rest }: z.output<typeof Rows>["records"][number]): CrmContact {
  const flat = Object.entries(rest).flatMap(([name, value]): [string, unknown][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one])
      : [[name, value]],
  );
  return {
    recordId: `${kind}/${Id}`,
    email: Email ?? null,
    isOptedOut: rest[OPTED_OUT] === true,
    fields: { ...Object.fromEntries(flat), Id, Email },
  };
}

function salesforceIdOf(recordId: string): string {
  return recordId.slice(recordId.indexOf("/") + 1);
}
