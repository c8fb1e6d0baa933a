import type { ToolAnswer } from "./call-tool.ts";
import { STRUCTURED } from "./output-schema.ts";
import type { CanCall } from "./prompts.ts";
import { RECORDS } from "./resources.ts";

/** The revision that introduced structured content, output schemas and links to resources. */
const FIRST_STRUCTURED = "2025-06-18";

/**
 * Returns true when an application knows structured content, by the revision that it names in `MCP-Protocol-Version`.
 * Older applications get the text alone, and a shorter list.
 */
export function knowsStructured(revision: unknown): boolean {
  return typeof revision === "string" && revision >= FIRST_STRUCTURED;
}

type Content =
  | { type: "text"; text: string }
  | { type: "resource_link"; uri: string; name: string; title: string; mimeType: string };

/** A result as `tools/call` returns it. */
export interface ToolResult {
  content: Content[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  [key: string]: unknown;
}

/** The tools whose result is one record that is also a resource, each with the name of the resource. */
const LINKED: Readonly<Record<string, string>> = {
  campaigns_create: "campaign",
  campaign_duplicate: "campaign",
  inbox_thread_get: "thread",
};

/**
 * The result of a tool. An application that knows structured content also gets the same JSON as an object, for a tool
 * with an output schema, and the address of the record as a resource.
 */
export function resultOf(tool: string, answer: ToolAnswer, isStructured: boolean, canCall: CanCall): ToolResult {
  const { text, isError } = answer;
  const content: Content[] = [{ type: "text", text }];
  if (isError) return { content, isError };
  if (!isStructured || !(STRUCTURED.has(tool) || tool in LINKED)) return { content };
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { content };
  const link = linkOf(tool, { ...value }, canCall);
  return {
    content: link === null ? content : [...content, link],
    ...(STRUCTURED.has(tool) && { structuredContent: { ...value } }),
  };
}

function linkOf(tool: string, { id }: Record<string, unknown>, canCall: CanCall): Content | null {
  const kind = RECORDS.find(({ name }) => name === LINKED[tool]);
  if (kind === undefined || typeof id !== "string" || !canCall(kind.tool, {})) return null;
  const { prefix, name, title } = kind;
  return { type: "resource_link", uri: `${prefix}${id}`, name, title, mimeType: "application/json" };
}
