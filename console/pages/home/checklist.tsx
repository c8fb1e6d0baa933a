import circle from "lucide/dist/esm/icons/circle.mjs";
import circleCheck from "lucide/dist/esm/icons/circle-check.mjs";
import x from "lucide/dist/esm/icons/x.mjs";
import type { ReactNode } from "react";
import { useMay } from "../../api/workspace.ts";
import { Icon } from "../../kit/icon.tsx";
import { type PagePath, To } from "../../kit/to.tsx";
import { checklistWords as says } from "../../words/en/home.ts";
import { NewCampaign } from "../campaign-setup/new-campaign.tsx";
import { PostalAddress } from "./postal-address.tsx";
import type { Campaign, HomeRead } from "./reads.ts";

type Known = NonNullable<HomeRead["checklist"]>[number];

export interface Step {
  text: string;
  isDone: boolean;
  /** The page on which a person does the step, if there is one. */
  page?: PagePath;
  /** The ids in its path. */
  ids?: Readonly<Record<string, string>>;
  /** A button that does the step on this page. */
  act?: ReactNode;
}

/** Where each step is done. */
const PAGES: Partial<Record<Known["step"], PagePath>> = {
  MAILBOX: "/mailboxes/connect",
  DNS: "/mailboxes",
  LEADS: "/leads/import",
  LAUNCH: "/campaigns",
};

/** The steps to the first email, whether the workspace's data shows that each is done, and where to do it. */
export function useSteps(known: readonly Known[], campaigns: readonly Campaign[]): Step[] {
  const mayAddress = useMay()("workspace:write");
  const drafts = campaigns.filter(({ status }) => status === "DRAFT");
  return known.map(({ step, isDone }) => {
    const page = PAGES[step];
    return {
      text: says.steps[step],
      isDone,
      ...(page !== undefined && { page }),
      ...(step === "POSTAL_ADDRESS" && mayAddress && { act: <PostalAddress /> }),
      ...(step === "CAMPAIGN" && { ...pageOf(drafts[0]), act: <NewCampaign isPrimary={false} /> }),
      ...(step === "LAUNCH" && pageOf(drafts.find(({ recipientCount }) => recipientCount > 0))),
    };
  });
}

function pageOf(campaign: Campaign | undefined): Pick<Step, "page" | "ids"> {
  return campaign === undefined ? {} : { page: "/campaigns/$campaignId", ids: { campaignId: campaign.id } };
}

/** The steps to the first email. Each completes automatically. */
export function Checklist({ steps, onDismiss }: { steps: readonly Step[]; onDismiss: () => void }) {
  return (
    <section className="card" aria-labelledby="checklist">
      <div className="card-head">
        <h2 id="checklist">{says.title}</h2>
        <button
          type="button"
          className="quiet square"
          aria-label={says.dismiss}
          title={says.dismiss}
          onClick={onDismiss}
        >
          <Icon of={x} />
        </button>
      </div>
      <p className="fine">{says.lead(steps.filter(({ isDone }) => isDone).length, steps.length)}</p>
      <ol className="checklist">
        {steps.map(({ text, isDone, page, ids = {}, act }) => (
          <li key={text} className={isDone ? "done" : ""}>
            <Icon of={isDone ? circleCheck : circle} />
            {!isDone && page !== undefined ? (
              <To page={page} ids={ids}>
                {text}
              </To>
            ) : (
              <span>{text}</span>
            )}
            <span className="hidden">{isDone ? says.done : says.open}</span>
            {!isDone && act}
          </li>
        ))}
      </ol>
    </section>
  );
}
