import { useState } from "react";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { keep, placeOfChecklist, readKept } from "../../frame/kept.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Page } from "../../kit/page.tsx";
import { say } from "../../kit/toast.tsx";
import { checklistWords, homeWords as says } from "../../words/en/home.ts";
import { Unconfirmed } from "../account/unconfirmed.tsx";
import { YourCampaigns } from "./campaigns.tsx";
import { Checklist, useSteps } from "./checklist.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { Today } from "./today.tsx";

const EVERY_MS = 30_000;

/** What needs a person, what is sent today, and the campaigns; before the first email also the steps to it. */
export function Home() {
  const may = useMay();
  const [isDismissed, setDismissed] = useDismissal();
  const home = useCall("get /home", {}, { every: EVERY_MS });
  const { data, refusal } = home;
  const steps = useSteps(data?.checklist ?? [], data?.campaigns ?? []);
  const isOpen = steps.some(({ isDone }) => !isDone);
  const dismiss = () => {
    setDismissed(true);
    say(checklistWords.dismissed, { name: checklistWords.undo, run: () => setDismissed(false) });
  };
  return (
    <Page
      title={says.title}
      subtitle={says.subtitle}
      {...(isOpen &&
        isDismissed === true && {
          actions: (
            <button type="button" onClick={() => setDismissed(false)}>
              {checklistWords.show}
            </button>
          ),
        })}
    >
      <Unconfirmed />
      {data === undefined && refusal !== null && <RefusalAlert refusal={refusal} again={home.again} />}
      {isOpen && isDismissed === false && <Checklist steps={steps} onDismiss={dismiss} />}
      <div className="home">
        {may("inbox:read") && <NeedsYou home={data} isLooking={refusal === null} />}
        {may("analytics:read") && may("mailboxes:read") && <Today today={data?.today} />}
        <YourCampaigns campaigns={data?.campaigns} isLooking={refusal === null} />
      </div>
      <Looking isLooking={data === undefined && home.isLooking} />
    </Page>
  );
}

/** Whether this person has hidden the checklist of this workspace in this browser; null until the person is known. */
function useDismissal(): [isDismissed: boolean | null, set: (isDismissed: boolean) => void] {
  const workspaceId = useWorkspaceId();
  const userId = useCall("get /session", {}).data?.userId;
  /** A browser that keeps nothing still hides the checklist until the page is left. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (userId === undefined) return [null, () => {}];
  const place = placeOfChecklist(workspaceId, userId);
  const set = (isDismissed: boolean) => {
    keep(place, String(isDismissed));
    setChosen(isDismissed);
  };
  return [chosen ?? readKept(place) === "true", set];
}
