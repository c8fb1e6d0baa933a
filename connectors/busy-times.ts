import { z } from "zod";
import type { BusyTime } from "../domain/agent/free-slots.ts";
import type { ProviderName } from "../domain/mailboxes/provider.ts";
import { callWithToken } from "./bearer-call.ts";
import type { Egress } from "./net/egress.ts";
import { EgressError } from "./net/egress-error.ts";

/** `expired`: a new token may help. `refused`: a person must act. The others may be temporary. */
export class CalendarTrouble extends Error {
  readonly kind: "expired" | "refused" | "rate" | "away";
  constructor(kind: CalendarTrouble["kind"], options?: ErrorOptions) {
    super(`The calendar: ${kind}`, options);
    this.name = "CalendarTrouble";
    this.kind = kind;
  }
}

export interface BusyQuestion {
  url: string;
  token: string;
  address: string;
  from: number;
  to: number;
  timeoutMs: number;
  signal: AbortSignal;
}

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_TIMES = 5_000;

const instantText = z.iso.datetime({ offset: true });
const FreeBusy = z.object({
  calendars: z.record(
    z.string(),
    z.object({
      errors: z.array(z.unknown()).default([]),
      busy: z
        .array(z.object({ start: instantText, end: instantText }))
        .max(MOST_TIMES)
        .default([]),
    }),
  ),
});
/** A UTC time without a zone, because the request's header asks for UTC. */
const graphTime = z.object({
  dateTime: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?$/, "must be a time without a zone"),
});
const Schedule = z.object({
  value: z.array(
    z.object({
      error: z.unknown().optional(),
      scheduleItems: z
        .array(z.object({ status: z.string(), start: graphTime, end: graphTime }))
        .max(MOST_TIMES)
        .default([]),
    }),
  ),
});
const GoogleRefusal = z.object({ error: z.object({ errors: z.array(z.object({ reason: z.string() })).default([]) }) });
/** Statuses that do not block a meeting. */
const FREE = ["free", "workingElsewhere"];

/** Asks the provider when a calendar's owner is busy. @throws CalendarTrouble, also for an answer with invalid times */
export async function readBusyTimes(
  egress: Pick<Egress, "request">,
  provider: ProviderName,
  question: BusyQuestion,
): Promise<BusyTime[]> {
  const times = provider === "A" ? await askGoogle(egress, question) : await askGraph(egress, question);
  // An event that ends before it begins is ignored
  if (times.some(({ start, end }) => !(start <= end))) throw new CalendarTrouble("away");
  return times.filter(({ start, end }) => start < end).sort((one, other) => one.start - other.start);
}

async function askGoogle(egress: Pick<Egress, "request">, question: BusyQuestion): Promise<BusyTime[]> {
  const [timeMin, timeMax] = [new Date(question.from).toISOString(), new Date(question.to).toISOString()];
  const body = { timeMin, timeMax, timeZone: "UTC", items: [{ id: "primary" }] };
  const { calendars } = await post(egress, question, "/calendar/v3/freeBusy", body, {}, FreeBusy);
  const primary = calendars["primary"];
  // If the calendar may not be read, Google returns an empty `busy` and `errors`
  if (primary === undefined || primary.errors.length > 0) throw new CalendarTrouble("refused");
  return primary.busy.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) }));
}

async function askGraph(egress: Pick<Egress, "request">, question: BusyQuestion): Promise<BusyTime[]> {
  const at = (ms: number) => ({ dateTime: new Date(ms).toISOString().slice(0, 19), timeZone: "UTC" });
  const body = {
    schedules: [question.address],
    startTime: at(question.from),
    endTime: at(question.to),
    availabilityViewInterval: 30,
  };
  const headers = { Prefer: 'outlook.timezone="UTC"' };
  const { value } = await post(egress, question, "/v1.0/me/calendar/getSchedule", body, headers, Schedule);
  const [own] = value;
  if (own === undefined || (own.error ?? null) !== null) throw new CalendarTrouble("refused");
  const utc = ({ dateTime }: { dateTime: string }) => Date.parse(`${dateTime.slice(0, 19)}Z`);
  return own.scheduleItems
    .filter(({ status }) => !FREE.includes(status))
    .map(({ start, end }) => ({ start: utc(start), end: utc(end) }));
}

async function post<T extends z.ZodType>(
  egress: Pick<Egress, "request">,
  { url, token, timeoutMs, signal }: BusyQuestion,
  path: string,
  body: object,
  headers: Record<string, string>,
  schema: T,
): Promise<z.output<T>> {
  const request = { method: "POST" as const, headers, body, timeoutMs, maxBytes: MOST_BYTES };
  const { status, json } = await callWithToken({ egress, url, token, signal }, path, request).catch(
    (cause: unknown) => {
      throw cause instanceof EgressError ? new CalendarTrouble("away", { cause }) : cause;
    },
  );
  if (status !== 200) throw new CalendarTrouble(kindOf(status, json));
  const read = schema.safeParse(json);
  if (!read.success) throw new CalendarTrouble("away", { cause: read.error });
  return read.data;
}

/** Google answers 403 for rate limits too; the reason distinguishes them. */
function kindOf(status: number, json: unknown): CalendarTrouble["kind"] {
  if (status === 401) return "expired";
  const refusal = GoogleRefusal.safeParse(json);
  const isRate =
    refusal.success && refusal.data.error.errors.some(({ reason }) => /^(user)?rateLimitExceeded$/i.test(reason));
  if (status === 429 || (status === 403 && isRate)) return "rate";
  return status >= 400 && status < 500 ? "refused" : "away";
}
