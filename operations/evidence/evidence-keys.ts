import { type EvidenceKey, publicKeyOf } from "../../domain/evidence/signature.ts";
import type { Services } from "../context.ts";

/** All keys that have signed evidence, newest first. */
export function evidenceKeysOf({ signing }: Pick<Services, "signing">): EvidenceKey[] {
  return signing.evidence.map(publicKeyOf);
}
