import { lazy, Suspense, useEffect, useState } from "react";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { placeOfSequence } from "../../frame/kept.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { oneOf, type Raw, useView } from "../../kit/view.ts";
import { editorWords as says } from "../../words/en/sequence-editor.ts";
import type { Campaign } from "../campaign/reads.ts";
import { Editor } from "./editor.tsx";

const Overview = lazy(async () => ({ default: (await import("../campaign/sequence.tsx")).Sequence }));
const EVERY_MS = 15_000;
const VIEWS = ["edit", "overview"] as const;

/** A link to a version of the history opens the overview. */
function readView(raw: Raw) {
  return { view: oneOf(VIEWS, raw["view"]) ?? ("version" in raw ? "overview" : "edit") };
}

/** The sequence of a campaign: the editor, or the steps with their results and the history of edits. */
export function Sequence({ campaign }: { campaign: Campaign }) {
  const may = useMay();
  const [{ view }, change] = useView(readView);
  const isEditable = may("campaigns:write") && campaign.status !== "ARCHIVED";
  return (
    <>
      {isEditable && (
        <fieldset className="chips">
          <legend className="hidden">{says.views}</legend>
          {VIEWS.map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => change({ view: one })}>
              {says[one]}
            </button>
          ))}
        </fieldset>
      )}
      {isEditable && view === "edit" ? (
        <Loaded key={campaign.id} campaign={campaign} />
      ) : (
        <Suspense fallback={<Looking isLooking={true} />}>
          <Overview campaign={campaign} />
        </Suspense>
      )}
    </>
  );
}

function Loaded({ campaign }: { campaign: Campaign }) {
  const { id: campaignId } = campaign;
  const { data, refusal, at, again } = useCall(
    "get /campaigns/:campaignId/sequence",
    { campaignId },
    { every: EVERY_MS },
  );
  const person = useCall("get /session", {});
  // An answer of an earlier visit may be older than the unsaved changes that this browser keeps
  const [earlierAt] = useState(at);
  const isEarlier = at === earlierAt;
  const isAsked = isEarlier && data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once
  useEffect(() => {
    if (isAsked) again();
  }, []);
  if (data === undefined || isEarlier || person.data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const place = placeOfSequence(campaignId, person.data.userId);
  return (
    <Editor
      // Another person who signs in at this page does not take over the text of the first one
      key={place}
      campaign={campaign}
      stored={data}
      again={again}
      place={place}
      personReadAt={person.at}
    />
  );
}
