import { z } from "zod";
import { CREDIT_KINDS } from "../../domain/credits.ts";
import { scoped } from "../../models/scoped.ts";
import { nullable, pageFrom, pageOf, paging, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";

const count = (what: string) => z.number().int().describe(what);

const Entry = record({
  seq: count("The line's number in the ledger, from 1"),
  kind: z
    .enum(CREDIT_KINDS)
    .describe(
      "MONTHLY, GRANT and PURCHASE add credits, REVEAL spends them, EXPIRED removes what is left at the end of a month",
    ),
  amount: count("The change of the balance"),
  balance: count("The balance after this line"),
  subjectId: nullable(z.string()).describe("The prospect whose data was revealed, or the invoice of the purchase"),
  detail: nullable(z.string()).describe("The revealed data: EMAIL or PHONE"),
  reason: nullable(z.string()).describe("Why credits were granted, or the job that spent them"),
  actor: nullable(z.string()).describe("Who granted or spent them"),
}).meta({ id: "CreditEntry", description: "A line of the credit ledger; lines are never changed" });

export const entries = operation({
  summary: "List the workspace's credit ledger, newest first. Lines are added, never changed",
  scope: "billing:read",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    kind: z.enum(CREDIT_KINDS).optional().describe("Only lines of this kind"),
  }),
  output: pageOf(Entry),
  run: ({ workspaceId }, { kind, sort, ...page }) =>
    pageFrom(scoped(workspaceId).CreditEntry, kind === undefined ? {} : { kind }, page, {
      sort: BY_CREATION.orderOf(sort),
    }),
});
