import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { isOpenStatus } from "../../../domain/states.ts";
import type { ItemOf } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { signalOf, useSignal } from "../../api/signal.ts";
import type { Several } from "../../kit/chosen.tsx";
import type { PageOf } from "../../kit/table.tsx";
import { pathTo } from "../../kit/to.tsx";
import { removeWords as says } from "../../words/en/campaign-setup/setup.ts";
import { AddRecipients } from "../campaign-setup/add-recipients.tsx";
import { useIsShown } from "../campaign-setup/present-campaign.ts";
import { type Filter, type Removal, RemoveRecipients } from "../campaign-setup/remove-recipients.tsx";
import type { Campaign } from "./reads.ts";

type Recipient = ItemOf<"get /campaigns/:campaignId/recipients">;

/** The addresses that a person adds again after their removal. They may have left the page meanwhile. */
const removed = signalOf<{ campaignId: string; emails: readonly string[] } | null>(null);

interface RemovalOf {
  /** The actions for ticked recipients. */
  several: Several<Recipient>;
  /** The dialog of a removal, or of its undo. */
  dialog: ReactNode;
}

/** Removes ticked recipients from a campaign, or all that match the filter of the list. */
export function useRemoval(campaign: Campaign, shown: PageOf<Recipient> | undefined, matching: Filter): RemovalOf {
  const { id: campaignId } = campaign;
  const [asked, setAsked] = useState<{ removal: Removal; done: (isDone: true | null) => void } | null>(null);
  const returning = useSignal(removed);
  const isShown = useIsShown();
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const ask = (removal: Removal) => new Promise<true | null>((done) => setAsked({ removal, done }));
  const acts = (rows: readonly Recipient[]) => {
    const { total, items } = shown ?? { total: 0, items: [] };
    const isPage = rows.length === items.length && items.length < total;
    const mayMatch = matching.status === null || isOpenStatus(matching.status);
    return [
      { name: says.some, run: () => ask({ rows }) },
      ...(isPage && mayMatch ? [{ name: says.all(total), run: () => ask({ matching }) }] : []),
    ];
  };
  const undo = (emails: readonly string[]) => {
    removed.set({ campaignId, emails });
    if (!isShown.current) void navigate({ to: pathTo(workspaceId, "/campaigns/$campaignId", { campaignId }) });
  };
  const close = (isDone: boolean) => {
    setAsked(null);
    asked?.done(isDone ? true : null);
  };
  const dialog =
    asked !== null ? (
      <RemoveRecipients campaign={campaign} removal={asked.removal} onUndo={undo} onClose={close} />
    ) : (
      returning?.campaignId === campaignId && (
        <AddRecipients campaign={campaign} again={returning.emails} onClose={() => removed.set(null)} />
      )
    );
  return { several: { nameOf: ({ email }) => email, acts }, dialog };
}
