import { createHash } from "node:crypto";
import type { Rendered } from "../templates/template.ts";
import type { Settings } from "./settings.ts";

/**
 * Whether a campaign's email to a recipient waits for approval (rules/states 7.2). Under ALL every email waits; under
 * FIRST_SEND only the first email to this recipient does.
 */
export function asksApproval({ approvalMode }: Pick<Settings, "approvalMode">, sentCount: number): boolean {
  return approvalMode === "ALL" || (approvalMode === "FIRST_SEND" && sentCount === 0);
}

/**
 * The SHA-256 in hexadecimal of the content that was approved: subject, bodies and files, without the address of the
 * unsubscribe link.
 */
export function contentHash(
  { subject, text, html }: Pick<Rendered, "subject" | "text" | "html">,
  unsubscribeLink: string,
  files: readonly { id: string }[] = [],
): string {
  const texts = [subject, text, html].map((part) => part?.replaceAll(unsubscribeLink, "") ?? null);
  const parts = [...texts, ...files.map(({ id }) => id)];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
