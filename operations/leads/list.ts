import { z } from "zod";
import { pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { filters, queryOf } from "./filter.ts";
import { pageOfLeads } from "./page.ts";
import { Lead } from "./record.ts";

const BY = sorting({ createdAt: "_id", email: "email" }, "-createdAt");

export const list = operation({
  summary: "List leads, newest first; search by the start of the address, its domain or a word of name or company",
  scope: "leads:read",
  errors: ["LIST_NOT_FOUND"],
  input: z.strictObject({ ...paging, sort: BY.sort, ...filters }),
  output: pageOf(Lead),
  async run({ workspaceId }, { page, pageSize, sort, ...asked }) {
    return {
      ...(await pageOfLeads(await queryOf(workspaceId, asked), { page, pageSize }, BY.orderOf(sort))),
      page,
      pageSize,
    };
  },
});
