import type { Choice } from "./choice.ts";
import type { AnyOperation } from "./operation.ts";

/**
 * The operations of a resource with the endpoints, tools and examples that serve them. It is declared beside the
 * operations, and `operations/declarations.ts` lists it.
 */
export interface Declaration {
  /**
   * By `resource.operation`. The audit log uses these names too; an action of a choice has the resource and its own
   * name, or the whole name.
   */
  verbs: Readonly<Record<string, AnyOperation | Choice>>;
  /** The endpoints under `/api/v1`. */
  routes?: readonly Route[];
  /**
   * Endpoints for signed-in people only. They are not in `/api/v1`, because an API key must not be able to create its
   * own successor.
   */
  consoleRoutes?: readonly Route[];
  tools?: { readonly [Group in ToolGroup]?: Readonly<Record<string, ToolRow>> };
  /** Requests in the reference, by chapter. */
  examples?: { readonly [C in Chapter]?: readonly Example[] };
}

export type Method = "get" | "post" | "put" | "patch" | "delete";

/**
 * Path parameters have the names of the operation's fields. The default status is 200. A fixed path takes precedence
 * over one with parameters, whatever the order.
 */
export type Route = readonly [
  method: Method,
  path: string,
  operation: AnyOperation | Choice,
  status?: 200 | 201 | 202,
  options?: RouteOptions,
];

/**
 * Places a row among the rows of another declaration: `after` names the row before it, an endpoint like `get /deals` or
 * a tool by name.
 */
interface Placed {
  after?: string;
}

export interface RouteOptions extends Placed {
  /** The input field that receives the whole body. */
  whole?: string;
  /** Allows the larger body and arrays of an import. */
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

/** One tool: an operation or a choice, and what an agent must know besides its summary (rules/tools 1). */
export interface ToolRow extends Placed {
  operation: AnyOperation | Choice;
  title: string;
  /**
   * When to use this tool rather than a similar one, which tool returns its ids, and what it changes. Contains no
   * commands to the reader.
   */
  when: string;
  /** Changes nothing. */
  readOnly?: true;
  /** The tool may overwrite or remove existing data. */
  destructive?: true;
  /** Repeating the call has no further effect. Always true for a read-only tool. */
  idempotent?: true;
  /** Reaches servers beyond this service. */
  openWorld?: true;
  /** The response contains text from outside, such as received emails. */
  untrusted?: true;
  /** The response contains emails, whose bodies the tool pages by `offset`. */
  hasBodies?: true;
  /** The response contains one record whose long texts the tool pages by `offset`. */
  hasLongTexts?: true;
  /**
   * The list of rows in a response that is no page. A response that is too long loses whole rows from its end: `limit`
   * is the argument with the number of rows, beside `page`, which ends at `lastPage`, and `more` the field that says that
   * rows follow.
   */
  rows?: { list: string; limit?: { name: string; default: number; lastPage: number }; more?: string };
  /** The tool can list entries with few fields, by the argument `detail`. */
  detail?: true;
  /** The operation returns a bare list, which the tool pages. */
  paged?: true;
}

/** The chapters of the examples. Together they show how a campaign is created, run and ended. */
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
 * One request in the API reference. It works unchanged once the ids of `EXAMPLE_IDS` are replaced by ids of a real
 * workspace.
 */
export interface Example {
  /** The endpoint, as `post /deals`. */
  at: string;
  title: string;
  /** The form fields, for an operation that accepts a file. */
  body: Readonly<Record<string, unknown>>;
}

/**
 * Merges the rows of all declarations into the order of the API. A row follows the previous row of its declaration, or
 * the row that it names. The first row of a declaration is appended at the end.
 * @throws Error for a row that names a row not before it
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
        throw new Error(`${nameOf(row)} follows ${after}, but no earlier declaration has that row`);
      rows.splice(end++, 0, row);
    }
  }
  return rows;
}
