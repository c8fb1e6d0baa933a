import { z } from "zod";
import { RECIPIENT_INDEX } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { campaignId } from "../campaigns/find.ts";
import { answerOf, CsvExport, type CsvFile, fileNameOf } from "../csv-export.ts";
import { commaSeparated } from "../fields.ts";
import { operation } from "../operation.ts";
import { COLUMNS, csvOf, shortestRowOf } from "./csv.ts";
import { filterOf, filters, newestFirst, type RecipientFilters } from "./filter.ts";

const columns = commaSeparated(COLUMNS)
  .optional()
  .describe("Only these columns, in this order, separated by commas. Default: all columns");
type Asked = RecipientFilters & { columns?: string[] | undefined };

const texts = z.array(z.string()).optional();
/** The parameters inside a signed address: the validated request. */
const Signed = z.object({
  campaignId,
  status: texts,
  pauseReason: texts,
  search: z.string().optional(),
  columns: texts,
});

export const exportRecipients = operation({
  summary:
    "Export a campaign's recipients as CSV, newest first: up to 5 MB in the response, more at a URL that is valid for 15 minutes",
  scope: "recipients:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  audits: "recipients.export",
  input: z.strictObject({ campaignId, ...filters, columns }),
  output: CsvExport,
  async run({ workspaceId, services }, given) {
    await loadCampaign(workspaceId, given.campaignId);
    const asked = withoutRepetitions(given);
    const total = await scoped(workspaceId).Recipient.count(filterOf(asked), {
      hint: asked.search === undefined ? newestFirst(asked) : RECIPIENT_INDEX.search,
    });
    const file = fileOf(workspaceId, asked);
    const rows = { total, shortestRow: shortestRowOf(asked.columns ?? COLUMNS) };
    return answerOf(services, file, rows, { workspaceId, kind: "recipients", asked: { ...asked } });
  },
});

/** Creates the recipient export of a signed address. */
export async function recipientFile(workspaceId: string, asked: Record<string, unknown>): Promise<CsvFile> {
  return fileOf(workspaceId, Signed.parse(asked));
}

function fileOf(workspaceId: string, { columns = [...COLUMNS], ...asked }: Asked): CsvFile {
  return { fileName: fileNameOf("recipients", new Date()), columns, parts: () => csvOf(workspaceId, asked, columns) };
}

/** Removes repeated values, because a value repeated a thousand times would not fit in a URL. */
function withoutRepetitions({ status, pauseReason, columns, ...asked }: Asked): Asked {
  return {
    ...asked,
    ...(status && { status: [...new Set(status)] }),
    ...(pauseReason && { pauseReason: [...new Set(pauseReason)] }),
    ...(columns && { columns: [...new Set(columns)] }),
  };
}
