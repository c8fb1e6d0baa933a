import type { Out } from "../../api/call.ts";
import { Lines } from "../../kit/given.tsx";
import { Modal } from "../../kit/modal.tsx";
import { To } from "../../kit/to.tsx";
import { addWords as says } from "../../words/en/campaign-setup/setup.ts";
import { words } from "../../words/en.ts";

export type Added = Out<"post /campaigns/:campaignId/recipients", { action: "addManual" }>;

const REASONS = ["INVALID", "SUPPRESSED", "BLOCK_LISTED", "IN_OTHER_CAMPAIGN"] as const;

/** What was added, and the addresses that were refused by reason. */
export function AddedRecipients({ added, onClose }: { added: Added; onClose: () => void }) {
  const { skipped, skippedCount } = added;
  return (
    <Modal title={says.resultTitle} onClose={onClose} isWide>
      <p className="headline">{says.said(added)}</p>
      {REASONS.map((reason) => {
        const lines = skipped.flatMap((one) => (one.reason === reason ? [one.email] : []));
        if (lines.length === 0) return null;
        return (
          <section key={reason} aria-label={says.refused[reason].head}>
            <h3>{says.refused[reason].head}</h3>
            <p className="fine">
              {says.refused[reason].text}{" "}
              {reason === "BLOCK_LISTED" && <To page="/block-list">{words.navigation.blockList}</To>}
            </p>
            <Lines lines={lines} more={says.moreRefused} />
          </section>
        );
      })}
      {skippedCount > skipped.length && <p className="fine">{says.firstRefused(skipped.length)}</p>}
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {says.done}
        </button>
      </div>
    </Modal>
  );
}
