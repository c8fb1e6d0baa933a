import send from "lucide/dist/esm/icons/send.mjs";
import { Icon } from "../../kit/icon.tsx";
import { Looking, Skeleton } from "../../kit/looking.tsx";
import { Empty } from "../../kit/page.tsx";
import { To } from "../../kit/to.tsx";
import { homeWords as says } from "../../words/en/home.ts";
import { CAMPAIGN_STATUS, SENDING } from "../../words/states.ts";
import { markOf } from "../campaign/reads.ts";
import type { Campaign } from "./reads.ts";

interface YourCampaignsProps {
  /** Null if they could not be read in time. */
  campaigns: readonly Campaign[] | null | undefined;
  /** False if the campaigns could not be read, which the page says above. */
  isLooking: boolean;
}

/** The campaigns that send, wait or are stuck, those that need a person first. */
export function YourCampaigns({ campaigns, isLooking }: YourCampaignsProps) {
  return (
    <section className="card" aria-labelledby="your-campaigns">
      <h2 id="your-campaigns">{says.campaigns}</h2>
      {campaigns === undefined && isLooking && (
        <>
          <Looking isLooking={true} />
          <Skeleton rows={3} />
        </>
      )}
      {campaigns === null && <p className="fine">{says.late}</p>}
      <ul className="rows">
        {(campaigns ?? []).map((campaign) => (
          <li key={campaign.id}>
            <Icon of={send} />
            <span className="two">
              <To page="/campaigns/$campaignId" ids={{ campaignId: campaign.id }}>
                {campaign.name}
              </To>
              <span>
                <State campaign={campaign} />
              </span>
            </span>
            <span className="fine">{progressOf(campaign)}</span>
          </li>
        ))}
      </ul>
      {campaigns?.length === 0 && (
        <div className="empty">
          <Empty icon={send} text={says.noCampaigns}>
            <To page="/campaigns" className="button">
              {says.openCampaigns}
            </To>
          </Empty>
        </div>
      )}
    </section>
  );
}

function State({ campaign }: { campaign: Campaign }) {
  const { status, sendingStatus } = campaign;
  return (
    <span className={`mark ${markOf(campaign)}`}>
      {sendingStatus ? SENDING[sendingStatus.code] : CAMPAIGN_STATUS[status]}
    </span>
  );
}

function progressOf({ metrics }: Campaign): string {
  return metrics ? says.progress(metrics.contacted, metrics.replied) : "–";
}
