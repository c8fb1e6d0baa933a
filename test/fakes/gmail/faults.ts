import type { GmailRefusal } from "./refusals.ts";

/** Whether the request takes effect before it fails. */
type Effect = "without effect" | "after the effect";

/** What happens to a request instead of, or after, what it asks for. */
export type GmailFault =
  | { act: "lose"; effect: Effect }
  | { act: "answer"; effect: Effect; refusal: () => GmailRefusal }
  | { act: "delay"; ms: number };

/** The connection breaks and no answer arrives. */
export const loseAnswer = (effect: Effect): GmailFault => ({ act: "lose", effect });

/** The answer is an error. After the effect it is one of those that come for emails which were sent. */
export const answerWith = (refusal: () => GmailRefusal, effect: Effect = "without effect"): GmailFault => ({
  act: "answer",
  effect,
  refusal,
});

export const answerLate = (ms: number): GmailFault => ({ act: "delay", ms });

export interface FaultPlace {
  /** How many requests it hits: 1 unless set; Infinity until it is lifted. */
  times?: number;
  /** Only requests of this mailbox. */
  address?: string;
  /** Only requests for this message, draft or thread. */
  id?: string;
}

interface Standing {
  method: string;
  fault: GmailFault;
  place: FaultPlace;
  left: number;
}

/** The faults in force, oldest first. */
export function faultList() {
  const standing: Standing[] = [];
  return {
    /** `method` is an id of the discovery document without `gmail.users.`, or `*`. Returns what lifts the fault. */
    add(method: string, fault: GmailFault, place: FaultPlace = {}): () => void {
      const added = { method, fault, place, left: place.times ?? 1 };
      standing.push(added);
      return () => {
        added.left = 0;
      };
    },
    clear(): void {
      standing.length = 0;
    },
    /** The fault that hits this request; null when none does. */
    take(method: string, address: string, id: string): GmailFault | null {
      const hit = standing.find(
        (each) =>
          each.left > 0 &&
          (each.method === "*" || each.method === method) &&
          (each.place.address ?? address) === address &&
          (each.place.id ?? id) === id,
      );
      if (hit === undefined) return null;
      hit.left--;
      return hit.fault;
    },
  };
}
