import { z } from "zod";
import { pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { filters, queryOf } from "./filter.ts";
import { pageOfLeads } from "./page.ts";
import { Lead } from "./record.ts";

export const list = operation({
  summary: "List leads, newest first; search by the beginning of the address, its domain or a word of name and company",
  scope: "leads:read",
  errors: ["LIST_NOT_FOUND"],
  input: z.strictObject({ ...paging, ...filters }),
  output: pageOf(Lead),
  async run({ workspaceId }, { page, pageSize, ...asked }) {
    return { ...(await pageOfLeads(await queryOf(workspaceId, asked), { page, pageSize })), page, pageSize };
  },
});
