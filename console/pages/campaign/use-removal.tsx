import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { isOpenStatus } from "../../../domain/states.ts";
import type { ItemOf } from "../../api/call.ts";
import { useIsShown } from "../../api/is-shown.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { signalOf, useSignal } from "../../api/signal.ts";
import type { Several } from "../../kit/chosen.tsx";
import type { PageOf } from "../../kit/table.tsx";
import { pathTo } from "../../kit/to.tsx";
import { removeWords as says } from "../../words/en/campaign-setup/setup.ts";
import { AddRecipients } from "../campaign-setup/add-recipients.tsx";
import { type Filter, MOST_MATCHING, type Removal, RemoveRecipients } from "../campaign-setup/remove-recipients.tsx";
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
  const waiting = useSignal(removed);
  const [returning, setReturning] = useState<readonly string[] | null>(null);
  // Taken once, so that a later visit of the page adds no one
  useEffect(() => {
    if (waiting?.campaignId !== campaignId) return;
    setReturning(waiting.emails);
    removed.set(null);
  }, [waiting, campaignId]);
  const isShown = useIsShown();
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const ask = (removal: Removal) => new Promise<true | null>((done) => setAsked({ removal, done }));
  const { total, items } = shown ?? { total: 0, items: [] };
  /** Whether a whole page is ticked, and others match as well. */
  const mayMatch = (rows: readonly Recipient[]) =>
    rows.length === items.length && items.length < total && (matching.status === null || isOpenStatus(matching.status));
  const note = (rows: readonly Recipient[]) =>
    mayMatch(rows) && total > MOST_MATCHING ? says.tooManyMatch(total, MOST_MATCHING) : null;
  const acts = (rows: readonly Recipient[]) => {
    return [
      { name: says.some, run: () => ask({ rows }) },
      ...(mayMatch(rows) && total <= MOST_MATCHING ? [{ name: says.all(total), run: () => ask({ matching }) }] : []),
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
      returning !== null && <AddRecipients campaign={campaign} again={returning} onClose={() => setReturning(null)} />
    );
  return { several: { nameOf: ({ email }) => email, acts, note }, dialog };
}
