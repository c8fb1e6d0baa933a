import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { readBy } from "../../domain/issues.ts";
import { type MailboxRow, mailboxColumn, type TryableRow } from "../../domain/mailboxes/import.ts";
import { SECURITIES } from "../../domain/states.ts";
import { readCell } from "../../domain/values/cell.ts";
import { address } from "../address.ts";
import type { Context } from "../context.ts";
import { tag } from "../fields.ts";
import { isRows } from "../leads/import-rows.ts";
import { type Servers, senderName, serversOf, userName } from "./credentials.ts";
import { basicServers, presetOf } from "./providers.ts";

const PROVIDERS = ["SMTP", "PROVIDERA", "PROVIDERB"] as const;
const Row = z.record(z.string().max(200), z.string().max(5_000));

const cell = (description: string) => ({ type: "string", description });
/** The columns that a row can have, as the reference and tools show them. */
const COLUMNS = {
  email: cell("Email"),
  password: cell("Password"),
  app_password: cell("App password"),
  name: cell("Name"),
  smtp_host: cell("SMTP host"),
  smtp_port: cell("SMTP port"),
  imap_host: cell("IMAP host"),
  imap_port: cell("IMAP port"),
  security: { ...cell("Security"), enum: SECURITIES },
  provider: { ...cell("Provider"), enum: PROVIDERS },
  username: cell("User name for both servers"),
  smtp_username: cell("SMTP username"),
  daily_send_limit: cell("Daily send limit"),
  tags: cell("Tags, separated by commas"),
};

/** The rows of a request: parsed CSV in which each cell is text. The import endpoint passes them on unparsed. */
export const csvRows = (most: number) => {
  const Rows = z.array(Row).min(1).max(most);
  return z
    .unknown()
    .meta({
      type: "array",
      minItems: 1,
      maxItems: most,
      items: { type: "object", properties: COLUMNS, additionalProperties: { type: "string" } },
    })
    .transform((value, context): z.output<typeof Rows> => {
      // One row beyond the limit is enough to refuse them
      const given = isRows(value) ? value.page(0, Math.min(value.length, most + 1)) : value;
      const read = readBy(Rows, given);
      if (read.success) return read.data;
      for (const { path, code, message } of read.issues) {
        context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message, params: { code } });
      }
      return z.NEVER;
    });
};

/** A whole number in a cell; an empty cell means unset. */
const whole = (most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, "must be a whole number of at most 6 digits")
    .transform(Number)
    .pipe(z.number().int().max(most));
const port = whole(65_535).pipe(z.number().min(1)).optional();
const host = z.string().max(253).optional();
const upper = (text: string) => text.toUpperCase();

/** The columns of rules/leads 2.3, with normalized names. */
const Cells = z.object({
  email: address,
  password: z.string().max(1_000).optional(),
  apppassword: z.string().max(1_000).optional(),
  username: userName.optional(),
  smtpusername: userName.optional(),
  name: senderName.optional(),
  smtphost: host,
  smtpport: port,
  imaphost: host,
  imapport: port,
  security: z.string().transform(upper).pipe(z.enum(SECURITIES)).optional(),
  provider: z.string().transform(upper).pipe(z.enum(PROVIDERS)).optional(),
  dailysendlimit: whole(100_000).optional(),
  tags: z
    .string()
    .transform((text) =>
      text
        .split(/[,;|]/)
        .map((each) => each.trim())
        .filter(Boolean),
    )
    .pipe(z.array(tag).max(50))
    .optional(),
});
type Cells = z.output<typeof Cells>;

/**
 * Parses every row. Column names may be in any case, with or without underscores. When two rows have the same address,
 * the first one counts.
 */
export function readRows(ctx: Pick<Context, "services">, rows: Record<string, string>[]): MailboxRow[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const read = readRow(ctx, row);
    const email = read.kind === "try" ? read.row.email : null;
    if (email === null) return read;
    if (seen.has(email)) return { kind: "duplicate", email };
    seen.add(email);
    return read;
  });
}

function readRow(ctx: Pick<Context, "services">, row: Record<string, string>): MailboxRow {
  const filled = Object.entries(row).flatMap(([header, cell]): [string, string | null][] =>
    cell.trim() === "" ? [] : [[mailboxColumn(header), textOf(header, cell)]],
  );
  const [lost] = filled.find(([, text]) => text === null) ?? [];
  const cells: Record<string, unknown> = Object.fromEntries(filled);
  const parsed = readBy(Cells, cells);
  const given = typeof cells["email"] === "string" ? cells["email"].slice(0, 320) : null;
  if (lost !== undefined) return refused(given, "VALIDATION_FAILED", `${lost}: holds a formula and no value`);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return refused(
      given,
      "VALIDATION_FAILED",
      issue === undefined ? "The row is not valid" : `${issue.path}: ${issue.message}`,
    );
  }
  try {
    return { kind: "try", row: tryable(ctx, parsed.data) };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    return refused(parsed.data.email.address, err.code, messageOf(err));
  }
}

/** @throws AppError VALIDATION_FAILED for missing cells, PROVIDER_NOT_CONFIGURED, HOST_NOT_ALLOWED */
function tryable(ctx: Pick<Context, "services">, cells: Cells): TryableRow {
  const { email, name, username, smtpusername: smtpUsername, dailysendlimit: dailySendLimit, tags } = cells;
  const password = cells.password ?? cells.apppassword;
  if (password === undefined)
    throw new AppError("VALIDATION_FAILED", "password: is required unless app_password is given");
  const hasHosts = cells.smtphost !== undefined && cells.imaphost !== undefined;
  const provider = cells.provider ?? (!hasHosts && cells.apppassword !== undefined ? "PROVIDERA" : "SMTP");
  return {
    email: email.address,
    password,
    name,
    username,
    smtpUsername,
    provider,
    ...serversFor(ctx, provider, cells),
    dailySendLimit,
    tags,
  };
}

function serversFor(ctx: Pick<Context, "services">, provider: TryableRow["provider"], cells: Cells): Servers {
  const {
    smtphost: smtpHost,
    smtpport: smtpPort,
    imaphost: imapHost,
    imapport: imapPort,
    security = "SSL_TLS",
  } = cells;
  if (smtpHost !== undefined && imapHost !== undefined) {
    return serversOf(ctx.services.settings, { smtpHost, smtpPort, imapHost, imapPort, security }, "row");
  }
  if (provider === "PROVIDERA") return presetOf(ctx, "A");
  if (provider === "PROVIDERB") return basicServers(ctx, { smtpHost, smtpPort, imapHost, imapPort });
  throw new AppError(
    "VALIDATION_FAILED",
    `${smtpHost === undefined ? "smtp_host" : "imap_host"}: is required without a provider`,
  );
}

/** The message of an error with the first issue of its details, which names the field. */
function messageOf({ message, details }: AppError): string {
  const issues: unknown = details?.["issues"];
  const [issue]: unknown[] = Array.isArray(issues) ? issues : [];
  const isIssue = typeof issue === "object" && issue !== null && "path" in issue && "message" in issue;
  return isIssue ? `${issue.path}: ${issue.message}` : message;
}

/**
 * The text of a cell; null for an empty one. A password is taken literally, because it may start or end with a space or
 * `=`. Other cells are read as in any spreadsheet.
 */
function textOf(header: string, cell: string): string | null {
  if (mailboxColumn(header).endsWith("password")) return cell;
  const read = readCell(cell.trim(), true);
  return "text" in read ? read.text : null;
}

function refused(email: string | null, code: string, message: string): MailboxRow {
  return { kind: "refused", email, error: { code, message } };
}
