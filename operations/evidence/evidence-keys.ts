import { type EvidenceKey, publicKeyOf } from "../../domain/evidence/signature.ts";
import type { Services } from "../context.ts";

/** Every key that has signed evidence, the newest first. */
export function evidenceKeysOf({ signing }: Pick<Services, "signing">): EvidenceKey[] {
  return signing.evidence.map(publicKeyOf);
}
