import type { Choice } from "./choice.ts";
import type { AnyOperation } from "./operation.ts";

/**
 * What the doors serve of a noun: it stands beside the verbs of that noun, and `operations/declarations.ts` lists it.
 * Each door walks the part that is its own.
 */
export interface Declaration {
  /**
   * By `noun.verb`. The audit log goes by these names too: an action of a choice by the noun and its own name, or by
   * the whole name.
   */
  verbs: Readonly<Record<string, AnyOperation | Choice>>;
  /** The endpoints under `/api/v1`. */
  routes?: readonly Route[];
  /** What a signed-in person alone may do: a key must not outlive itself, so none of it is in `/api/v1`. */
  consoleRoutes?: readonly Route[];
  tools?: { readonly [Group in ToolGroup]?: Readonly<Record<string, ToolRow>> };
  /** Requests of the reference, by their chapter. */
  examples?: { readonly [C in Chapter]?: readonly Example[] };
}

export type Method = "get" | "post" | "put" | "patch" | "delete";

/**
 * Path parameters are named as the operation names them; without a status it is 200. A path of words comes before one
 * of parameters by itself, whatever the order.
 */
export type Route = readonly [
  method: Method,
  path: string,
  operation: AnyOperation | Choice,
  status?: 200 | 201 | 202,
  options?: RouteOptions,
];

/**
 * What belongs among the rows of another declaration names the row before it: an endpoint as `get /deals`, a tool by
 * its name.
 */
interface Placed {
  after?: string;
}

export interface RouteOptions extends Placed {
  /** The field of the input that takes the whole body. */
  whole?: string;
  /** The larger body and array of an import. */
  isImport?: true;
}

/** The groups of tools, in the order in which they are listed. */
export const TOOL_GROUPS = [
  "campaigns",
  "recipients",
  "leads",
  "lists",
  "mailboxes",
  "warmup",
  "inbox",
  "agent",
  "deliverability",
  "verification",
  "webhooks",
  "crm",
  "analytics",
  "account",
  "workspace",
  "billing",
  "agency",
  "lead_search",
] as const;
type ToolGroup = (typeof TOOL_GROUPS)[number];

/** One tool: a verb, or several as a choice, and what an agent must know beside its summary (rules/tools 1). */
export interface ToolRow extends Placed {
  operation: AnyOperation | Choice;
  title: string;
  /**
   * When to use it and not its neighbour, which tool yields its ids, and what it changes. No commands to the reader.
   */
  when: string;
  /** Changes nothing. */
  readOnly?: true;
  /** May overwrite or remove what is there. */
  destructive?: true;
  /** A repetition changes nothing more. What is read only is so by itself. */
  idempotent?: true;
  /** Reaches servers beyond this service. */
  openWorld?: true;
  /** Its answer holds text that others have written, such as mail. */
  untrusted?: true;
  /** Its answer holds emails, whose bodies the tool pages by `offset`. */
  hasBodies?: true;
  /** The verb answers a bare list, which the tool pages. */
  paged?: true;
}

/** The examples are one story, in the order in which a campaign is created, run and ended. */
export const CHAPTERS = [
  "workspace",
  "fields",
  "lists",
  "people",
  "mailboxes",
  "content",
  "sending",
  "warmup",
  "afterwards",
  "end",
] as const;
type Chapter = (typeof CHAPTERS)[number];

/**
 * One request of the API reference. It runs as it is once its ids, which are those of `EXAMPLE_IDS`, are replaced by
 * those of a workspace.
 */
export interface Example {
  /** The endpoint, as `post /deals`. */
  at: string;
  title: string;
  /** The parts of a form where the verb takes a file. */
  body: Readonly<Record<string, unknown>>;
}

/**
 * The rows of all declarations in the order of the API. A row follows the one before it in its declaration, or the one
 * that it names; the first row of a declaration goes to the end.
 * @throws Error for a row that names none of those before it
 */
export function inOrder<Row>(
  declared: readonly (readonly Row[])[],
  nameOf: (row: Row) => string,
  afterOf: (row: Row) => string | undefined,
): Row[] {
  const rows: Row[] = [];
  for (const own of declared) {
    let end = rows.length;
    for (const row of own) {
      const after = afterOf(row);
      if (after !== undefined) end = rows.findIndex((one) => nameOf(one) === after) + 1;
      if (after !== undefined && end === 0)
        throw new Error(`${nameOf(row)} stands after ${after}, which no declaration before it has`);
      rows.splice(end++, 0, row);
    }
  }
  return rows;
}
