import type { Endpoint, In, Out } from "../../api/call.ts";

export type Listed = Out<"get /templates">["items"][number];
export type Template = Out<"get /templates/:templateId">;

/** Endpoints to read again after a change of a template. */
export const RENEWS: readonly Endpoint[] = ["get /templates", "get /templates/:templateId"];

/** What makes a template with the content of this one. */
export function copyOf(
  { kind, subject, bodyHtml, bodyText, mode, steps }: Template,
  name: string,
): In<"post /templates"> {
  if (kind !== "SEQUENCE") return { name, kind, subject, bodyHtml, bodyText };
  return { name, kind, steps, ...(mode !== null && { mode }) };
}
