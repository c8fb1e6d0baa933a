import type { Endpoint, Out } from "../../api/call.ts";
import { type Called, useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import type { Option } from "../../kit/field.tsx";
import type { CustomField } from "./draft-filter.ts";

export type List = Out<"get /lead-lists">[number];

/** Endpoints to read again after a change of a list. */
export const RENEWS: readonly Endpoint[] = ["get /lead-lists", "get /leads", "get /leads/:leadId"];

/** What the conditions of a filter can name. */
export interface Sources {
  custom: readonly CustomField[];
  tags: readonly Option[];
  /** Static lists. A filter cannot use a dynamic list. */
  lists: readonly Option[];
  campaigns: readonly Option[];
}

const CAMPAIGNS = 200;

/** Reads what conditions can name. Without the custom fields, a stored filter cannot be shown rightly. */
export function useSources(): Called<Sources> {
  const may = useMay();
  const fields = useCall("get /custom-fields", { includeArchived: true }, { isOff: !may("custom_fields:read") });
  const tags = useCall("get /leads/tags", {}, { isOff: !may("leads:read") });
  const lists = useCall("get /lead-lists", {});
  const campaigns = useCall("get /campaigns", { pageSize: CAMPAIGNS }, { isOff: !may("campaigns:read") });
  const custom = may("custom_fields:read") ? fields.data : [];
  const data = custom && {
    custom,
    tags: tags.data?.map((tag) => ({ value: tag, text: tag })) ?? [],
    lists: (lists.data ?? [])
      .filter(({ type }) => type === "STATIC")
      .map(({ id, name }) => ({ value: id, text: name })),
    campaigns: campaigns.data?.items.map(({ id, name }) => ({ value: id, text: name })) ?? [],
  };
  return { ...fields, data };
}
