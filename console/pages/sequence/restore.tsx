import { useState } from "react";
import { useWrite } from "../../api/query.ts";
import { reviewWords as says } from "../../words/en/sequence-editor.ts";
import { type Campaign, RENEWS } from "../campaign/reads.ts";
import { PlannedEdit } from "./review.tsx";

/** Restores the steps of an earlier version, after its effect was shown. */
export function Restore({ campaign, version }: { campaign: Campaign; version: number }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        {says.restoreOpen}
      </button>
      {isAsked && <RestoreDialog campaign={campaign} version={version} onClose={() => setAsked(false)} />}
    </>
  );
}

interface RestoreDialogProps {
  campaign: Campaign;
  version: number;
  onClose: () => void;
}

function RestoreDialog({ campaign: { id: campaignId }, version, onClose }: RestoreDialogProps) {
  const { run, isRunning, refusal } = useWrite("put /campaigns/:campaignId/sequence", {
    renews: [
      ...RENEWS,
      "get /campaigns/:campaignId/sequence",
      "get /campaigns/:campaignId/versions",
      "get /campaigns/:campaignId/versions/:version",
    ],
  });
  const plan = async () => {
    const planned = await run({ action: "revert", campaignId, version, planOnly: true as const });
    return planned;
  };
  return (
    <PlannedEdit
      title={says.restoreTitle(version)}
      act={says.restore}
      plan={plan}
      commit={async (planToken) => (await run({ action: "revert", campaignId, version, planToken })) !== null}
      refusal={refusal}
      isRunning={isRunning}
      said={says.restored(version)}
      onClose={onClose}
    />
  );
}
