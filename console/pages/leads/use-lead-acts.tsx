import { type ReactNode, useState } from "react";
import { useMay } from "../../api/workspace.ts";
import type { Several } from "../../kit/chosen.tsx";
import type { Act, PageOf } from "../../kit/table.tsx";
import { bulkWords as says } from "../../words/en/leads/bulk.ts";
import { MOST } from "../campaign-setup/recipient-sources.tsx";
import type { Lead, LeadFilter, Target } from "./bulk.tsx";
import { AddToCampaign } from "./bulk-campaign.tsx";
import { AllowMatching, DeleteLeads, SuppressMatching, TagLeads } from "./bulk-changes.tsx";
import { AddToList, RemoveFromList } from "./bulk-lists.tsx";
import { useSuppression } from "./suppression.tsx";

interface LeadActs {
  /** The actions for chosen leads; undefined if the role allows none. */
  several: Several<Lead> | undefined;
  /** The dialog of an action. */
  dialog: ReactNode;
}

type Dialog = (props: { target: Target; onClose: (isDone: boolean) => void }) => ReactNode;

/**
 * The actions on ticked leads, or on all that match the filter. `list` is the static list that the page shows, from
 * which leads can be removed.
 */
export function useLeadActs(
  shown: PageOf<Lead> | undefined,
  filter: LeadFilter,
  list: { id: string; name: string } | undefined,
): LeadActs {
  const may = useMay();
  const suppression = useSuppression();
  const [open, setOpen] = useState<{ Shown: Dialog; target: Target; done: (isDone: true | null) => void } | null>(null);
  const { total = 0, totalIsExact = true } = shown ?? {};
  const isEmpty = Object.keys(filter).length === 0;
  const matching: LeadFilter = isEmpty ? { all: true } : filter;
  const acts = (rows: readonly Lead[], isAll: boolean): Act<readonly Lead[]>[] => {
    const target: Target = isAll ? { filter: matching, total } : { rows };
    const opens = (name: string, Shown: Dialog): Act<readonly Lead[]> => ({
      name,
      run: () => new Promise<true | null>((done) => setOpen({ Shown, target, done })),
    });
    const withList = list && ((props: Parameters<Dialog>[0]) => <RemoveFromList {...props} list={list} />);
    const mayAdd = may("recipients:write") && may("campaigns:read") && (!isAll || total <= MOST);
    return [
      ...(may("lead_lists:write") ? [opens(says.list, AddToList)] : []),
      ...(may("lead_lists:write") && withList ? [opens(says.leaveList, withList)] : []),
      ...(mayAdd ? [opens(says.campaign, AddToCampaign)] : []),
      ...(may("leads:write") ? [opens(says.tags, TagLeads)] : []),
      ...(may("leads:suppress") && !isAll ? suppression(rows) : []),
      ...(may("leads:suppress") && isAll
        ? [opens(says.suppressAll, SuppressMatching), opens(says.allowAll, AllowMatching)]
        : []),
      ...(may("leads:write") ? [opens(says.remove, DeleteLeads)] : []),
    ];
  };
  const close = (isDone: boolean) => {
    setOpen(null);
    open?.done(isDone ? true : null);
  };
  const mayAny = (["leads:write", "leads:suppress", "lead_lists:write", "recipients:write"] as const).some(may);
  const several: Several<Lead> = {
    nameOf: ({ email }) => email,
    acts,
    note: (_, isAll) => (isAll && total > MOST && may("recipients:write") ? says.campaignMost(MOST) : null),
    matching: { total, isExact: totalIsExact, filter: JSON.stringify(filter) },
  };
  return {
    several: mayAny ? several : undefined,
    dialog: open && <open.Shown target={open.target} onClose={close} />,
  };
}
