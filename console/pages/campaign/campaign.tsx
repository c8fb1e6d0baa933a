import { usePathId } from "../../api/path-id.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Figures } from "../../kit/figures.tsx";
import { Page, UnreadPage } from "../../kit/page.tsx";
import { oneOf, type Raw, useView } from "../../kit/view.ts";
import { Due, When } from "../../kit/when.tsx";
import { campaignWords as says } from "../../words/en/campaign.ts";
import { formatCount } from "../../words/format.ts";
import { SENDING, wordFor } from "../../words/states.ts";
import { Controls } from "./controls.tsx";
import { Course } from "./course.tsx";
import type { Campaign } from "./reads.ts";
import { Recipients } from "./recipients.tsx";
import { Texts } from "./texts.tsx";

const EVERY_MS = 10_000;
const PARTS = ["recipients", "course", "texts"] as const;

function readView(raw: Raw) {
  return { part: oneOf(PARTS, raw["part"]) ?? "recipients" };
}

/** One campaign: what it has done, why it sends or does not, its people, its days, its texts. */
export function CampaignPage() {
  const campaignId = usePathId("campaignId");
  const may = useMay();
  const called = useCall("get /campaigns/:campaignId", { campaignId }, { every: EVERY_MS });
  const { data: campaign, refusal, again } = called;
  const [{ part }, change] = useView(readView);
  if (campaign === undefined) return <UnreadPage called={called} />;
  return (
    <Page title={campaign.name} actions={<Controls campaign={campaign} />}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <State campaign={campaign} />
      <Figures figures={figuresOf(campaign)} />
      <nav aria-label={says.sections} className="parts">
        {PARTS.map((name) => (
          <button key={name} type="button" aria-current={part === name ? "true" : undefined} onClick={() => change({ part: name })}>
            {says[name]}
          </button>
        ))}
      </nav>
      {part === "recipients" && may("recipients:read") && <Recipients campaign={campaign} />}
      {part === "course" && <Course campaign={campaign} />}
      {part === "texts" && <Texts campaignId={campaignId} />}
    </Page>
  );
}

function State({ campaign: { sendingStatus, metrics } }: { campaign: Campaign }) {
  const { code, since, nextSendAt, lastHealthySendAt, breakdown } = sendingStatus;
  const held = Object.entries(breakdown);
  return (
    <section className="state" aria-label={says.held}>
      <p className="why">
        {SENDING[code]}
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
        {held.map(([cause, count]) => (
          <div key={cause} className="pair">
            <dt>{wordFor(SENDING, cause)}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {metrics.recipients === 0 && <p className="fine">{SENDING.WAITING_FOR_RECIPIENTS}</p>}
    </section>
  );
}

function figuresOf({ metrics }: Campaign) {
  const { recipients, contacted, sent, opened, clicked, replied, positiveReplies, bounced, unsubscribed } = metrics;
  const name = says.figures;
  return [
    { name: name.recipients, count: recipients },
    { name: name.contacted, count: contacted, share: says.versus(contacted, recipients) },
    { name: name.sent, count: sent },
    { name: name.opened, count: opened },
    { name: name.clicked, count: clicked },
    { name: name.replied, count: replied, share: says.versus(replied, contacted) },
    { name: name.positiveReplies, count: positiveReplies },
    { name: name.bounced, count: bounced, share: says.versus(bounced, contacted) },
    { name: name.unsubscribed, count: unsubscribed },
  ];
}
