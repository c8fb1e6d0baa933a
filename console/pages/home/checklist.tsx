import circle from "lucide/dist/esm/icons/circle.mjs";
import circleCheck from "lucide/dist/esm/icons/circle-check.mjs";
import x from "lucide/dist/esm/icons/x.mjs";
import type { ReactNode } from "react";
import type { Out } from "../../api/call.ts";
import { useMay } from "../../api/workspace.ts";
import { Icon } from "../../kit/icon.tsx";
import { type PagePath, To } from "../../kit/to.tsx";
import { checklistWords as says } from "../../words/en/home.ts";
import { NewCampaign } from "../campaign-setup/new-campaign.tsx";
import { PostalAddress } from "./postal-address.tsx";
import type { Campaign } from "./reads.ts";

interface Known {
  campaigns: readonly Campaign[] | undefined;
  mailboxes: Out<"get /mailboxes"> | undefined;
  people: number | undefined;
  address: string | null | undefined;
}

export interface Step {
  text: string;
  /** Undefined while unknown. */
  isDone: boolean | undefined;
  /** The page on which a person does the step, if there is one. */
  page?: PagePath;
  /** The ids in its path. */
  ids?: Readonly<Record<string, string>>;
  /** A button that does the step on this page. */
  act?: ReactNode;
}

/** The steps to the first email, whether the workspace's data shows that each is done, and where to do it. */
export function useSteps({ campaigns, mailboxes, people, address }: Known): Step[] {
  const mayAddress = useMay()("workspace:write");
  const isReady = ({ recipientCount, sendingStatus }: Campaign) =>
    recipientCount > 0 && sendingStatus?.code !== "NO_MAILBOX";
  const draft = campaigns?.find(({ status }) => status === "DRAFT");
  return [
    {
      text: says.steps.address,
      isDone: address === undefined ? undefined : address !== null,
      act: mayAddress && <PostalAddress />,
    },
    {
      text: says.steps.mailbox,
      page: "/mailboxes/connect",
      isDone: mailboxes?.some(({ status }) => status === "CONNECTED"),
    },
    {
      text: says.steps.dns,
      page: "/mailboxes",
      isDone: mailboxes?.some(({ verification }) => verification.status === "VERIFIED"),
    },
    { text: says.steps.leads, page: "/leads", isDone: people === undefined ? undefined : people > 0 },
    {
      text: says.steps.campaign,
      ...pageOf(draft),
      isDone: campaigns?.some(isReady),
      act: <NewCampaign isPrimary={false} />,
    },
    {
      text: says.steps.launch,
      page: "/campaigns",
      ...pageOf(campaigns?.find((one) => one.status === "DRAFT" && isReady(one))),
      isDone: campaigns?.some(({ launchedAt }) => launchedAt !== null),
    },
  ];
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
      <p className="fine">{says.lead(steps.filter(({ isDone }) => isDone === true).length, steps.length)}</p>
      <ol className="checklist">
        {steps.map(({ text, isDone, page, ids = {}, act }) => (
          <li key={text} className={isDone === true ? "done" : ""}>
            <Icon of={isDone === true ? circleCheck : circle} />
            {isDone === false && page !== undefined ? (
              <To page={page} ids={ids}>
                {text}
              </To>
            ) : (
              <span>{text}</span>
            )}
            <span className="hidden">{isDone === undefined ? "" : isDone ? says.done : says.open}</span>
            {isDone === false && act}
          </li>
        ))}
      </ol>
    </section>
  );
}
