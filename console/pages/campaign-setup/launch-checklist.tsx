import circle from "lucide/dist/esm/icons/circle.mjs";
import circleCheck from "lucide/dist/esm/icons/circle-check.mjs";
import { type ReactNode, useEffect, useRef } from "react";
import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Looking } from "../../kit/looking.tsx";
import { To } from "../../kit/to.tsx";
import { isPlain } from "../../words/codes.ts";
import { readyWords as says, WARNING } from "../../words/en/campaign-setup/findings.ts";
import { weekInWords } from "../../words/en/campaign-setup/schedule.ts";
import type { Campaign } from "../campaign/reads.ts";
import { weekOf, windowsIn } from "./week.ts";

type Validation = Out<"get /campaigns/:campaignId/validate">;
type Finding = Validation["errors"][number];
type Place = keyof typeof says.steps;

/**
 * What is left to do before a draft can be launched, from the server's own check. Each point links to the tab or page
 * that fixes it. The launch itself is the button on top.
 */
export function LaunchChecklist({ campaign }: { campaign: Campaign }) {
  const { id: campaignId, version } = campaign;
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/validate", { campaignId });
  // Every change of the campaign raises its version, also one that another person or the API makes
  const checked = useRef({ version, recipients: campaign.recipientCount });
  useEffect(() => {
    const { current } = checked;
    if (current.version === version && current.recipients === campaign.recipientCount) return;
    checked.current = { version, recipients: campaign.recipientCount };
    again();
  }, [version, campaign.recipientCount, again]);
  return (
    <section className="card" aria-labelledby="before-launch">
      <h2 id="before-launch">{says.title}</h2>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {data === undefined ? (
        refusal === null && <Looking isLooking={true} />
      ) : (
        <Points campaign={campaign} check={data} />
      )}
    </section>
  );
}

const STEPS = ["recipients", "sequence", "schedule", "senders"] as const;

function Points({ campaign, check: { errors, warnings, summary } }: { campaign: Campaign; check: Validation }) {
  const of = (place: Place) => errors.filter((one) => placeOf(one) === place);
  const known: Record<(typeof STEPS)[number], string> = {
    recipients: says.recipients(summary.open),
    sequence: says.sequence(summary.steps, summary.variants),
    schedule: weekInWords(weekOf(windowsIn(campaign.settings)), String(campaign.settings["timezone"])),
    senders: says.senders(summary.mailboxes),
  };
  const others = of("other");
  return (
    <>
      <p className="fine">{errors.length === 0 ? says.ready : says.notReady(errors.length)}</p>
      <ol className="checklist">
        {STEPS.map((step) => (
          <Point key={step} name={says.steps[step]} findings={of(step)} done={known[step]} campaign={campaign} />
        ))}
        {others.length > 0 && <Point name={says.steps.other} findings={others} done="" campaign={campaign} />}
      </ol>
      {warnings.length > 0 && (
        <details>
          <summary>{says.warnings(warnings.length)}</summary>
          <ul>
            {warnings.map((one) => (
              <li key={`${one.code} ${one.path} ${one.message}`}>
                {sentenceFor(one)} <Fix finding={one} campaign={campaign} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface PointProps {
  name: string;
  findings: readonly Finding[];
  /** What is there, once the point is done. */
  done: string;
  campaign: Campaign;
}

function Point({ name, findings, done, campaign }: PointProps) {
  const isDone = findings.length === 0;
  return (
    <li className={isDone ? "done" : ""}>
      <Icon of={isDone ? circleCheck : circle} />
      <span>
        <b>{name}</b> <span className="hidden">{isDone ? says.done : says.open}</span>
        {isDone ? (
          <span className="fine">{done}</span>
        ) : (
          findings.map((one) => (
            <span key={`${one.code} ${one.path} ${one.message}`}>
              {sentenceFor(one)} <Fix finding={one} campaign={campaign} />{" "}
            </span>
          ))
        )}
      </span>
    </li>
  );
}

/** The link to where a finding is fixed; nothing where nothing on a page fixes it. */
function Fix({ finding, campaign: { id } }: { finding: Finding; campaign: Campaign }): ReactNode {
  const { code } = finding;
  if (code === "NO_POSTAL_ADDRESS") return <To page="/">{says.address}</To>;
  if (MAILBOXES.includes(code)) return <To page="/mailboxes">{says.mailboxes}</To>;
  const place = placeOf(finding);
  const ids = { campaignId: id };
  if (place !== "other")
    return (
      <To page="/campaigns/$campaignId" ids={ids} view={{ part: place }}>
        {says.fix[place]}
      </To>
    );
  if (finding.path?.startsWith("settings.") === true)
    return (
      <To page="/campaigns/$campaignId" ids={ids} view={{ part: "settings" }}>
        {says.settings}
      </To>
    );
  return null;
}

/** Findings about the mailboxes themselves, which no choice of mailboxes fixes. */
const MAILBOXES: readonly string[] = [
  "ALL_MAILBOXES_UNHEALTHY",
  "DNS_NOT_VERIFIED",
  "MAILBOX_NOT_WARM",
  "TRACKING_DOMAIN_UNVERIFIED",
  "ONE_CLICK_UNSUBSCRIBE_LOST",
];

const AUDIENCE: readonly string[] = [
  "NO_RECIPIENTS",
  "MISSING_VARIABLES",
  "UNVERIFIED_RECIPIENTS",
  "DUPLICATES_IN_OTHER_CAMPAIGNS",
  "SUPPRESSED_RECIPIENTS",
  "UNKNOWN_TIMEZONE",
  "SPINTAX_IN_VALUE",
];

/** The tab that a finding belongs to. */
function placeOf({ code, path }: Finding): Place {
  if (AUDIENCE.includes(code)) return "recipients";
  if (path === null) return "other";
  if (path.startsWith("steps")) return "sequence";
  if (path === "settings.mailboxIds") return "senders";
  return ["settings.windows", "settings.endAt", "settings.startAt"].includes(path) ? "schedule" : "other";
}

/** The server's sentence where it is plain, because it names the step; else one of the console. */
function sentenceFor({ code, message }: Finding): string {
  const own = { ...WARNING, ...says.errors };
  const text = Object.entries(own).find(([name]) => name === code)?.[1];
  const isOwn = code in says.errors || !isPlain(message);
  return `${(isOwn ? (text ?? message) : message).replace(/\.$/, "")}.`;
}
