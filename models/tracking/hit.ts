import { COUNTED_CLASSES, type HitClass, type HitKind } from "../../domain/hits.ts";
import { randomBase62 } from "../../mongo/ids.ts";
import {
  IS_COUNT,
  IS_INSTANT,
  instant,
  number,
  type Owned,
  required,
  tenantModel,
  text,
  texts,
} from "../../mongo/schema.ts";

/**
 * One request for the pixel, a link or the invisible link of an email, and who made it (rules/tracking 3). It is
 * deleted with its lead. Hits are the most numerous documents, so there is no second index over all of them. Instead
 * the id begins with the id of the send and serves for look-ups (`hitsOfSend`).
 */
export interface Hit extends Owned {
  sendId: string;
  kind: HitKind;
  /** The position of the link in the send; null for the pixel and the invisible link. */
  linkIndex: number | null;
  at: Date;
  method: string;
  agent: string;
  /** The whole address for 30 days, then only its network. */
  address: string | null;
  /** The UTC day, counted from 1970, on which the address is truncated to its network; null once it has been. */
  cutOn: number | null;
  /** When the hit is classified, 5 s after it happened; null once it has been. */
  dueAt: Date | null;
  /** Null until that verdict. */
  hitClass: HitClass | null;
  /** The evidence for the class, as codes. */
  evidence: string[];
}

export const Hit = tenantModel<Hit>(
  "Hit",
  "hits",
  {
    sendId: required,
    kind: required,
    linkIndex: number,
    at: { type: Date, required: true },
    method: required,
    agent: { type: String, default: "" },
    address: text,
    cutOn: number,
    dueAt: instant,
    hitClass: text,
    evidence: texts,
  },
  [
    { fields: { dueAt: 1 }, where: { dueAt: IS_INSTANT } },
    { fields: { cutOn: 1 }, where: { cutOn: IS_COUNT } },
    // This index is small, because counted clicks are few compared with the requests of robots and for pixels
    { fields: { workspaceId: 1, at: 1 }, where: { kind: "CLICK", hitClass: { $in: [...COUNTED_CLASSES] } } },
  ],
);

const OF_SEND = ":";
const AFTER_OF_SEND = ";";

const MOST_COUNTED = 36 ** 3;
let hitsMade = 0;

/**
 * Makes an id for a hit of this send. The ids of one send are adjacent and sort by time. The order is exact for ids
 * made by one process.
 */
export function newHitId(sendId: string): string {
  hitsMade = (hitsMade + 1) % MOST_COUNTED;
  return `${sendId}${OF_SEND}${Date.now().toString(36)}${hitsMade.toString(36).padStart(3, "0")}${randomBase62(4)}`;
}

/** A filter on `_id` that matches all hits of this send. */
export function hitsOfSend(sendId: string): { $gt: string; $lt: string } {
  return { $gt: `${sendId}${OF_SEND}`, $lt: `${sendId}${AFTER_OF_SEND}` };
}
