import { useEffect, useState } from "react";
import { isOpenStatus, OPEN } from "../../../domain/states.ts";
import type { ItemOf } from "../../api/call.ts";
import { useIsShown } from "../../api/is-shown.ts";
import { type Read, useRead, useWrite } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { Looking } from "../../kit/looking.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { removeWords as says } from "../../words/en/campaign-setup/setup.ts";
import { type Campaign, RENEWS } from "../campaign/reads.ts";
import { MOST } from "./recipient-sources.tsx";

type Recipient = ItemOf<"get /campaigns/:campaignId/recipients">;

/** What a list of recipients shows. */
export interface Filter {
  status: Recipient["status"] | null;
  search: string;
}

/** Recipients that a person ticked, or all that match the filter of the list. */
export type Removal = { rows: readonly Recipient[] } | { matching: Filter };

/** The most matching recipients that are removed at once: the page reads all of them to show the effect. */
export const MOST_MATCHING = 5_000;
/** The recipients that are read and removed by one request. */
const [READ, REMOVED] = [200, 500];

interface RemoveProps {
  campaign: Campaign;
  removal: Removal;
  /** Called with the addresses when a person undoes the removal. */
  onUndo: (emails: string[]) => void;
  onClose: (isDone: boolean) => void;
}

/**
 * Shows who would be removed and what they no longer get, and then removes exactly them. Recipients whose sequence has
 * ended stay as they are. Closing the dialog stops the removal after the request that is under way.
 */
export function RemoveRecipients({ campaign: { id: campaignId, name }, removal, onUndo, onClose }: RemoveProps) {
  const read = useRead();
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/recipients", { renews: RENEWS });
  const [rows, setRows] = useState("rows" in removal ? removal.rows : null);
  const [unread, setUnread] = useState<Refusal | null>(null);
  const [done, setDone] = useState({ tried: 0, removed: 0 });
  const isShown = useIsShown();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, so that the dialog removes whom it shows
  useEffect(() => {
    if (!("matching" in removal)) return;
    const controller = new AbortController();
    const { signal } = controller;
    readOpen(read, campaignId, removal.matching, signal).then(
      setRows,
      (err: unknown) => !signal.aborted && setUnread(refusalOf(err)),
    );
    return () => controller.abort();
  }, []);
  const open = rows?.filter(({ status }) => isOpenStatus(status)) ?? [];
  const report = ({ tried, removed }: typeof done) => {
    const gone = open.slice(0, tried);
    if (gone.length === 0) return;
    // Someone who was paused would continue, so their removal offers no undo
    const mayReturn = gone.length <= MOST && gone.every(({ status }) => status !== "PAUSED");
    const undo = { name: says.undo, run: () => onUndo(gone.map(({ email }) => email)) };
    const text = gone.length < open.length ? says.stopped(removed, open.length) : says.said(removed);
    say(text, ...(mayReturn ? [undo] : []));
  };
  const remove = async () => {
    let { tried, removed } = done;
    while (tried < open.length && isShown.current) {
      const recipientIds = open.slice(tried, tried + REMOVED).map(({ id }) => id);
      const answer = await run({ action: "bulkRemove", campaignId, recipientIds });
      if (answer === null || !("removed" in answer)) {
        if (!isShown.current) report({ tried, removed });
        return;
      }
      tried += recipientIds.length;
      removed += answer.removed;
      setDone({ tried, removed });
    }
    report({ tried, removed });
    if (isShown.current) onClose(true);
  };
  const close = () => {
    // A removal that is under way reports when it stops
    if (!isRunning) report(done);
    onClose(done.tried > 0);
  };
  return (
    <Confirm
      title={says.title(name)}
      isDangerous
      effect={
        rows === null ? (
          unread === null && <Looking isLooking={true} />
        ) : (
          <>
            <Effect rows={rows} open={open} />
            {open.length > REMOVED && <p role="status">{done.tried > 0 && says.progress(done.tried, open.length)}</p>}
          </>
        )
      }
      act={says.act}
      isRunning={isRunning}
      isBlocked={open.length === 0}
      refusal={unread ?? refusal}
      onAct={() => void remove()}
      onClose={close}
    />
  );
}

function Effect({ rows, open }: { rows: readonly Recipient[]; open: readonly Recipient[] }) {
  const never = open.filter(({ sentCount }) => sentCount === 0).length;
  const next = open
    .flatMap(({ status, nextSendAt }) => (status === "PAUSED" || nextSendAt === null ? [] : [nextSendAt]))
    .toSorted();
  if (open.length === 0) return <p>{says.none}</p>;
  return (
    <>
      <p className="headline">{says.effect(open.length)}</p>
      <ul>
        {next[0] !== undefined && (
          <li>
            {says.scheduled(next.length)} <When at={next[0]} />
          </li>
        )}
        {never > 0 && <li>{says.never(never)}</li>}
        {never < open.length && <li>{says.emailed(open.length - never)}</li>}
        {open.length < rows.length && <li>{says.ended(rows.length - open.length)}</li>}
      </ul>
    </>
  );
}

/** All recipients with this filter whose sequence has not ended. */
async function readOpen(
  read: Read,
  campaignId: string,
  { status, search }: Filter,
  signal: AbortSignal,
): Promise<Recipient[]> {
  const asked = {
    campaignId,
    pageSize: READ,
    status: status ?? OPEN.join(","),
    ...(search !== "" && { search }),
  };
  const found = new Map<string, Recipient>();
  for (let page = 1; ; page++) {
    const { items } = await read("get /campaigns/:campaignId/recipients", { ...asked, page }, signal);
    for (const one of items) found.set(one.id, one);
    if (items.length < READ) return [...found.values()];
  }
}
