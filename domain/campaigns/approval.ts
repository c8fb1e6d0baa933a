import { createHash } from "node:crypto";
import type { Rendered } from "../templates/template.ts";
import type { Settings } from "./settings.ts";

/**
 * Whether a campaign's mail to a recipient waits for somebody's approval (behaviours 4): under ALL each does, under FIRST_SEND
 * the first that this recipient would get.
 */
export function asksApproval({ approvalMode }: Pick<Settings, "approvalMode">, sentCount: number): boolean {
  return approvalMode === "ALL" || (approvalMode === "FIRST_SEND" && sentCount === 0);
}

/** What an approval stands for, in hexadecimal SHA-256: subject and bodies, whichever address their unsubscribe link has. */
export function contentHash({ subject, text, html }: Pick<Rendered, "subject" | "text" | "html">, unsubscribeLink: string): string {
  const parts = [subject, text, html].map((part) => part?.replaceAll(unsubscribeLink, "") ?? null);
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
