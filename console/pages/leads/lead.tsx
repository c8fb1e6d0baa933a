import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isOpenStatus, RECIPIENT_STATUSES } from "../../../domain/states.ts";
import { usePathId, useWorkspaceId } from "../../api/path-id.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { ActButton } from "../../kit/act.tsx";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Page, Parts, UnreadPage } from "../../kit/page.tsx";
import { pathTo, To } from "../../kit/to.tsx";
import { oneOf, type Raw, readPaged, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { editLeadWords } from "../../words/en/leads/edit-lead.ts";
import { leadWords as says } from "../../words/en/leads/lead.ts";
import { LEAD_STATUS, SUPPRESSION_REASON } from "../../words/en/leads/leads.ts";
import { RECIPIENT_STATUS, wordFor } from "../../words/states.ts";
import { DeleteLeads } from "./bulk-changes.tsx";
import { EditLead } from "./edit-lead.tsx";
import { Facts } from "./facts.tsx";
import { History } from "./history.tsx";
import { Notes } from "./notes.tsx";
import type { Lead } from "./reads.ts";
import { useSuppression } from "./suppression.tsx";

const EVERY_MS = 30_000;
const PARTS = ["history", "notes"] as const;

function readView(raw: Raw) {
  return { ...readPaged(raw), part: oneOf(PARTS, raw["part"]) ?? "history" };
}

/** One lead: its data, whether it may be emailed, its state in each campaign, and everything that happened. */
export function LeadPage() {
  const may = useMay();
  const leadId = usePathId("leadId");
  const called = useCall("get /leads/:leadId", { leadId }, { every: EVERY_MS });
  const { data: lead, refusal, again } = called;
  const [{ page, part }, change] = useView(readView);
  if (lead === undefined) return <UnreadPage called={called} />;
  return (
    <Page title={lead.email} actions={<Acts lead={lead} />}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <LeadState lead={lead} />
      <div className="explained">
        <Facts lead={lead} />
        <div>
          <Campaigns lead={lead} />
          <Promises lead={lead} />
          {may("inbox:read") && (
            <p>
              <To page="/inbox" view={{ search: lead.email }}>
                {says.conversations}
              </To>
            </p>
          )}
        </div>
      </div>
      <Parts
        label={says.parts}
        parts={PARTS}
        names={says}
        counts={{ notes: lead.noteCount }}
        open={part}
        onOpen={(next) => change({ part: next, page: 1 })}
      />
      {part === "history" && <History lead={lead} page={page} onPage={(next) => change({ page: next })} />}
      {part === "notes" && <Notes leadId={leadId} page={page} onPage={(next) => change({ page: next })} />}
    </Page>
  );
}

function Acts({ lead }: { lead: Lead }) {
  const may = useMay();
  const open = lead.campaigns.filter(({ status }) => isOpen(status)).map(({ name }) => name);
  const actsOn = useSuppression(open);
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const [dialog, setDialog] = useState<"edit" | "remove" | null>(null);
  const [act] = may("leads:suppress") ? actsOn([lead]) : [];
  const removed = (isDone: boolean) => {
    setDialog(null);
    if (isDone) void navigate({ to: pathTo(workspaceId, "/leads") });
  };
  return (
    <>
      {may("leads:write") && (
        <button type="button" onClick={() => setDialog("edit")}>
          {editLeadWords.edit}
        </button>
      )}
      {act !== undefined && <ActButton key={act.name} act={act} row={[lead]} />}
      {may("leads:write") && (
        <button type="button" onClick={() => setDialog("remove")}>
          {editLeadWords.remove}
        </button>
      )}
      {dialog === "edit" && <EditLead lead={lead} onClose={() => setDialog(null)} />}
      {dialog === "remove" && <DeleteLeads target={{ rows: [lead] }} onClose={removed} />}
    </>
  );
}

/** Whether a recipient may still get emails. A status that this page does not know counts as open. */
function isOpen(status: string): boolean {
  const recipientStatus = oneOf(RECIPIENT_STATUSES, status);
  return recipientStatus === null || isOpenStatus(recipientStatus);
}

/** Whether the lead may be emailed, why not, and how far it has come. */
function LeadState({ lead: { status, suppressed, suppressionReason, suppressedAt } }: { lead: Lead }) {
  return (
    <p className="why">
      <span className={`mark ${suppressed ? "waits" : "good"}`}>
        {suppressed ? says.suppressed : says.mayBeWritten}
        {suppressionReason !== null && `: ${SUPPRESSION_REASON[suppressionReason]}`}
      </span>
      {suppressedAt !== null && (
        <span className="fine">
          {" "}
          <When at={suppressedAt} />
        </span>
      )}
      <span className="fine">
        {" "}
        · {says.status}: {LEAD_STATUS[status]}
      </span>
    </p>
  );
}

function Campaigns({ lead: { campaigns } }: { lead: Lead }) {
  const may = useMay();
  return (
    <section aria-labelledby="campaigns">
      <h2 id="campaigns">{says.campaigns}</h2>
      {campaigns.length === 0 && <p>{says.inNone}</p>}
      <ul className="plain">
        {campaigns.map(({ id, name, recipientId, status, sentCount, lastSentAt }) => (
          <li key={recipientId}>
            {may("campaigns:read") ? (
              <To page="/campaigns/$campaignId" ids={{ campaignId: id }} view={{ open: recipientId }}>
                <Given>{name}</Given>
              </To>
            ) : (
              <Given>{name}</Given>
            )}{" "}
            <span className="fine">
              {wordFor(RECIPIENT_STATUS, status)}, {says.mails(sentCount)}
              {lastSentAt !== null && (
                <>
                  , {says.lastMail} <When at={lastSentAt} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Promises that the lead made in emails and has not kept yet; not shown to people who may not read the inbox. */
function Promises({ lead: { promises } }: { lead: Lead }) {
  if (promises === null || promises.length === 0) return null;
  return (
    <section aria-labelledby="promises">
      <h2 id="promises">{says.promises}</h2>
      <ul className="plain">
        {promises.map(({ id, sentence, status, dueAt, address, threadId }) => (
          <li key={id}>
            <To page="/inbox" view={{ open: threadId }}>
              <Given>{sentence}</Given>
            </To>{" "}
            <span className="fine">
              {status === "DUE" && says.isDue}
              {status !== "DUE" && dueAt !== null && (
                <>
                  {says.dueAt} <When at={dueAt} />
                </>
              )}
              {address !== null && ` ${says.refersTo(address)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
