import { lazy, Suspense } from "react";
import { usePathId } from "../../api/path-id.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Figures } from "../../kit/figures.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Page, Parts, UnreadPage } from "../../kit/page.tsx";
import { oneOf, type Raw, useView } from "../../kit/view.ts";
import { Due, When } from "../../kit/when.tsx";
import { campaignWords as says } from "../../words/en/campaign.ts";
import { formatCount } from "../../words/format.ts";
import { SENDING, wordFor } from "../../words/states.ts";
import { Activity } from "./activity.tsx";
import { Controls } from "./controls.tsx";
import { type Campaign, markOf } from "./reads.ts";
import { Recipients } from "./recipients.tsx";

/** Loaded when their tabs are opened; otherwise the page would exceed its size limit. */
const Sequence = lazy(async () => ({ default: (await import("../sequence/sequence.tsx")).Sequence }));
const Schedule = lazy(async () => ({ default: (await import("../campaign-setup/schedule.tsx")).Schedule }));
const Senders = lazy(async () => ({ default: (await import("../campaign-setup/senders.tsx")).Senders }));
const Settings = lazy(async () => ({ default: (await import("../campaign-setup/settings.tsx")).Settings }));
const Analytics = lazy(async () => ({ default: (await import("../campaign-setup/analytics.tsx")).Analytics }));
const LaunchChecklist = lazy(async () => ({
  default: (await import("../campaign-setup/launch-checklist.tsx")).LaunchChecklist,
}));
const EVERY_MS = 10_000;
const PARTS = ["recipients", "sequence", "schedule", "senders", "settings", "activity", "analytics"] as const;
/** Older links use other names for two tabs. */
const FORMER: Readonly<Record<string, string>> = { course: "activity", texts: "sequence" };

function readView(raw: Raw) {
  const { part = "" } = raw;
  return { part: oneOf(PARTS, FORMER[part] ?? part) ?? "recipients" };
}

/** The page of the campaign in the URL. Another campaign is another page, which keeps no state of the one before it. */
export function CampaignPage() {
  const campaignId = usePathId("campaignId");
  return <OneCampaign key={campaignId} campaignId={campaignId} />;
}

/** One campaign: its sending status, what a draft lacks or the figures of a launched one, and its parts in tabs. */
function OneCampaign({ campaignId }: { campaignId: string }) {
  const may = useMay();
  const called = useCall("get /campaigns/:campaignId", { campaignId }, { every: EVERY_MS });
  const { data: campaign, refusal, again } = called;
  const [{ part }, change] = useView(readView);
  if (campaign === undefined) return <UnreadPage called={called} />;
  return (
    <Page title={campaign.name} actions={<Controls campaign={campaign} />}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <CampaignState campaign={campaign} />
      {campaign.status === "DRAFT" ? (
        <Suspense fallback={<Looking isLooking={true} />}>
          <LaunchChecklist campaign={campaign} />
        </Suspense>
      ) : (
        <Figures figures={figuresOf(campaign)} />
      )}
      <Parts
        label={says.sections}
        parts={PARTS}
        names={says}
        counts={{ recipients: campaign.recipientCount }}
        open={part}
        onOpen={(next) => change({ part: next })}
      />
      {part === "recipients" && may("recipients:read") && <Recipients campaign={campaign} />}
      <Suspense fallback={<Looking isLooking={true} />}>
        {part === "sequence" && <Sequence campaign={campaign} />}
        {part === "schedule" && <Schedule campaign={campaign} />}
        {part === "senders" && <Senders campaign={campaign} />}
        {part === "settings" && <Settings campaign={campaign} />}
        {part === "analytics" && may("analytics:read") && <Analytics campaign={campaign} />}
      </Suspense>
      {part === "activity" && <Activity campaign={campaign} />}
    </Page>
  );
}

function CampaignState({ campaign }: { campaign: Campaign }) {
  const { sendingStatus, recipientCount } = campaign;
  const { code, since, nextSendAt, lastHealthySendAt, breakdown } = sendingStatus;
  const causes = Object.entries(breakdown);
  return (
    <section className="state" aria-label={says.held}>
      <p className="why">
        <span className={`mark ${markOf(campaign)}`}>{SENDING[code]}</span>
        <span className="fine">
          {" "}
          {says.since} <When at={since} />
        </span>
      </p>
      <dl className="pairs">
        <dt>{says.nextMail}</dt>
        <dd>
          <Due at={nextSendAt} />
        </dd>
        <dt>{says.lastMail}</dt>
        <dd>{lastHealthySendAt === null ? "–" : <When at={lastHealthySendAt} />}</dd>
        {causes.map(([cause, count]) => (
          <div key={cause} className="pair">
            <dt>{wordFor(SENDING, cause)}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {recipientCount === 0 && <p className="fine">{SENDING.WAITING_FOR_RECIPIENTS}</p>}
    </section>
  );
}

function figuresOf({ recipientCount, metrics }: Campaign) {
  const { contacted, sent, opened, clicked, replied, positiveReplies, bounced, unsubscribed } = metrics ?? {};
  const name = says.figures;
  const share = (part: number | undefined, whole: number | undefined) =>
    part === undefined || whole === undefined ? {} : { share: says.versus(part, whole) };
  return [
    { name: name.recipients, count: recipientCount },
    { name: name.contacted, count: contacted, ...share(contacted, recipientCount) },
    { name: name.sent, count: sent },
    { name: name.opened, count: opened },
    { name: name.clicked, count: clicked },
    { name: name.replied, count: replied, ...share(replied, contacted) },
    { name: name.positiveReplies, count: positiveReplies },
    { name: name.bounced, count: bounced, ...share(bounced, contacted) },
    { name: name.unsubscribed, count: unsubscribed },
  ];
}
