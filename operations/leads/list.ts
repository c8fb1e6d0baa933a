import { z } from "zod";
import { scoped } from "../../models/scoped.ts";
import { pageFrom, pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { filterOf, filters } from "./filter.ts";
import { Lead } from "./record.ts";

export const list = operation({
  summary: "List leads, newest first; search by the beginning of the address, its domain or a word of name and company",
  scope: "leads:read",
  input: z.strictObject({ ...paging, ...filters }),
  output: pageOf(Lead),
  async run({ workspaceId }, { page, pageSize, ...asked }) {
    return pageFrom(scoped(workspaceId).Lead, await filterOf(workspaceId, asked), { page, pageSize });
  },
});
