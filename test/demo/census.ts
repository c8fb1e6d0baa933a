import { CAMPAIGN_STATUSES, LEAD_STATUSES, RECIPIENT_STATUSES } from "../../domain/states.ts";
import type { Rest } from "../support/rest.ts";
import { readAnswer } from "./drive.ts";

/** How many records of one kind are in each state that the demo promises. */
export interface Count {
  kind: string;
  states: Record<string, number>;
}

const MAILBOXES = ["CONNECTED", "PAUSED", "COOLING_DOWN", "DISCONNECTED"];
const REPLIES = [
  "INTERESTED",
  "INFORMATION_REQUEST",
  "REFERRAL",
  "NOT_INTERESTED",
  "OUT_OF_OFFICE",
  "BOUNCE",
  "UNSUBSCRIBE",
];

/** Counts every state through the public API. */
export async function takeCensus(rest: Rest): Promise<Count[]> {
  const get = async (path: string) => readAnswer(await rest.get(path), 200);
  const totals = async (statuses: readonly string[], path: string) =>
    Object.fromEntries(
      await Promise.all(
        statuses.map(async (status) => [status, (await get(`${path}?status=${status}&pageSize=1`)).total]),
      ),
    );
  const campaigns = await get(`/campaigns?status=${CAMPAIGN_STATUSES.join(",")}&pageSize=200`);
  const stats = await Promise.all(
    campaigns.items.map(({ id }: { id: string }) => get(`/campaigns/${id}/recipients/stats`)),
  );
  const mailboxes: { status: string }[] = await get("/mailboxes");
  const { categories }: { categories: { category: string; count: number }[] } = await get("/inbox/summary");
  const sumOf = (status: string) => stats.reduce((sum, { byStatus }) => sum + byStatus[status], 0);
  const countBy = (states: readonly string[], countOf: (state: string) => number) =>
    Object.fromEntries(states.map((state) => [state, countOf(state)]));
  return [
    { kind: "recipients", states: countBy(RECIPIENT_STATUSES, sumOf) },
    { kind: "campaigns", states: countBy(CAMPAIGN_STATUSES, (state) => campaigns.items.filter(isIn(state)).length) },
    { kind: "leads", states: await totals(LEAD_STATUSES, "/leads") },
    { kind: "mailboxes", states: countBy(MAILBOXES, (state) => mailboxes.filter(isIn(state)).length) },
    { kind: "warmup", states: await totals(["ACTIVE"], "/warmup/enrolments") },
    {
      kind: "replies",
      states: countBy(REPLIES, (state) => categories.find(({ category }) => category === state)?.count ?? 0),
    },
  ];
}

function isIn(state: string) {
  return ({ status }: { status: string }) => status === state;
}

/** The promised states without a record. */
export function findEmpty(census: readonly Count[]): string[] {
  return census.flatMap(({ kind, states }) =>
    Object.entries(states).flatMap(([state, count]) => (count > 0 ? [] : [`${kind} ${state}`])),
  );
}
