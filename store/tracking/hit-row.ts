import { type HitKind, VERDICT_MS } from "../../domain/hits.ts";
import { type Hit, newHitId } from "../../models/hit.ts";
import { cutDayOf } from "./hits.ts";

/** One request for the pixel or a link, as it came in. */
export interface Visit {
  sendId: string;
  kind: HitKind;
  linkIndex: number | null;
  method: string;
  agent: string;
  address: string | null;
  at: Date;
}

/** The characters of an agent's text that are kept. */
const MOST_AGENT = 512;
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f]/g;

/** The row of a visit to a mail of this workspace. Its verdict is due later (rules/tracking 3.2). */
export function hitOf({ at, agent, ...visit }: Visit, workspaceId: string): Hit {
  return {
    _id: newHitId(visit.sendId),
    workspaceId,
    ...visit,
    agent: cleanAgent(agent),
    at,
    dueAt: new Date(at.getTime() + VERDICT_MS),
    hitClass: null,
    evidence: [],
    cutOn: visit.address === null ? null : cutDayOf(at.getTime()),
    createdAt: at,
    updatedAt: at,
  };
}

/** The text as it can be stored and shown: cut on a whole character, each control character a space. */
export function cleanAgent(agent: string): string {
  const cut = agent.slice(0, MOST_AGENT);
  const whole = /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
  return whole.replace(UNPRINTABLE, " ").toWellFormed();
}
