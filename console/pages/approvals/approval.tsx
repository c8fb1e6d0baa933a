import { useState } from "react";
import type { Scope } from "../../../domain/scopes.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { To } from "../../kit/to.tsx";
import { Due, When } from "../../kit/when.tsx";
import { faultInWords } from "../../words/codes.ts";
import { APPROVAL_KIND, APPROVAL_STATUS, approvalWords as says } from "../../words/en/approvals.ts";
import { formatShare } from "../../words/format.ts";
import { type Action, Decide } from "./decide.tsx";
import { EffectOf } from "./effect.tsx";
import type { Approval } from "./reads.ts";

const EVERY_MS = 10_000;

/** One approval with everything that a person needs to decide, and the buttons to decide. */
export function ApprovalInFull({ approvalId }: { approvalId: string }) {
  const { data, refusal, isLooking, again } = useCall(
    "get /approvals/:approvalId",
    { approvalId },
    { every: EVERY_MS },
  );
  if (data === undefined)
    return refusal === null ? <Looking isLooking={isLooking} /> : <RefusalAlert refusal={refusal} again={again} />;
  const { kind, status, error, note, decidedAt, expiresAt } = data;
  return (
    <section aria-labelledby={`of-${approvalId}`}>
      <h2 id={`of-${approvalId}`}>{APPROVAL_KIND[kind]}</h2>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Asked approval={data} />
      <Proposal approval={data} />
      <EffectOf effect={data.effect} />
      <Links approval={data} />
      {status === "PENDING" ? (
        <>
          <p className="fine">
            {expiresAt === null ? (
              says.neverExpires
            ) : (
              <>
                {says.expires} <Due at={String(expiresAt)} />
              </>
            )}
          </p>
          <Deeds approval={data} />
        </>
      ) : (
        <p>
          {APPROVAL_STATUS[status]}
          {decidedAt !== null && (
            <>
              {" "}
              <When at={String(decidedAt)} />
            </>
          )}
          {error !== null && <span className="wrong"> {faultInWords(error)}</span>}
          {note !== null && note !== "" && (
            <span className="fine">
              {" "}
              {says.remark} <bdi>{note}</bdi>
            </span>
          )}
        </p>
      )}
    </section>
  );
}

function Asked({
  approval: { kind, requestedBy, verb, reason, confidence, suggestion, createdAt },
}: {
  approval: Approval;
}) {
  const byItself = kind === "CAMPAIGN_SEND" ? says.bySettings : kind === "OPT_OUT" ? says.byReader : says.byAgent;
  const who = requestedBy ?? byItself;
  return (
    <>
      <p>
        {says.askedBy(who)}
        {verb !== null && ` ${says.verb(verb)}`}, <When at={String(createdAt)} />
      </p>
      {reason !== null && (
        <p>
          {says.why} <bdi>{reason}</bdi>
          {confidence !== null && <span className="fine"> ({says.confidence(formatShare(confidence))})</span>}
        </p>
      )}
      {suggestion !== null && (
        <p className="fine">{says.suggestion(suggestion.optsOut, formatShare(suggestion.confidence))}</p>
      )}
    </>
  );
}

/** The sentences of a possible opt-out, or the proposed text if no plan shows it. */
function Proposal({ approval: { kind, proposedText, effect } }: { approval: Approval }) {
  if (proposedText === null || effect !== null) return null;
  return (
    <>
      <h3>{kind === "OPT_OUT" ? says.read : says.proposed}</h3>
      <div className="mail">
        <p className="text">
          <bdi>{proposedText}</bdi>
        </p>
      </div>
    </>
  );
}

function Links({ approval: { threadId, thread, campaignId } }: { approval: Approval }) {
  const may = useMay();
  return (
    <p className="links">
      {threadId !== null && thread !== null && (
        <To page="/inbox" view={{ open: threadId }}>
          {says.conversation}
        </To>
      )}
      {campaignId !== null && may("campaigns:read") && (
        <To page="/campaigns/$campaignId" ids={{ campaignId }}>
          {says.campaign}
        </To>
      )}
    </p>
  );
}

/** The scope that a person needs to decide an approval of this kind. */
function scopeOf({ kind, verb }: Approval): Scope {
  if (kind === "LAUNCH" || kind === "TEST_SEND" || kind === "PLACEMENT_TEST") return "campaigns:launch";
  if (kind === "CAMPAIGN_SEND") return "recipients:write";
  return kind === "REPLY" && verb !== null ? "inbox:send" : "inbox:write";
}

function Deeds({ approval }: { approval: Approval }) {
  const may = useMay();
  const [asked, setAsked] = useState<Action | null>(null);
  if (!may(scopeOf(approval))) return null;
  return (
    <div className="buttons start">
      <button type="button" className="primary" onClick={() => setAsked("approve")}>
        {says.approve}
      </button>
      {approval.kind === "REPLY" && (
        <button type="button" onClick={() => setAsked("edit")}>
          {says.edit}
        </button>
      )}
      <button type="button" onClick={() => setAsked("reject")}>
        {says.reject}
      </button>
      {asked !== null && <Decide approval={approval} action={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}
