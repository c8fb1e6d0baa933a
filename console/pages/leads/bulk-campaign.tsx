import { useEffect, useState } from "react";
import { type Read, useCall, useRead } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Select } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Modal } from "../../kit/modal.tsx";
import { bulkWords as says } from "../../words/en/leads/bulk.ts";
import { words } from "../../words/en.ts";
import { AddRecipients } from "../campaign-setup/add-recipients.tsx";
import { MOST } from "../campaign-setup/recipient-sources.tsx";
import { countOf, type LeadFilter, type Target } from "./bulk.tsx";

const CAMPAIGNS = 100;
const PAGE = 200;

interface DialogProps {
  target: Target;
  onClose: (isDone: boolean) => void;
}

/**
 * Adds leads to a campaign. The dialog of the campaign then adds them, or shows first who would be emailed, and which
 * addresses were refused.
 */
export function AddToCampaign({ target, onClose }: DialogProps) {
  const campaigns = useCall("get /campaigns", { pageSize: CAMPAIGNS });
  const [campaignId, setCampaignId] = useState<string | null>(null);
  const { emails, refusal, read } = useEmails(target);
  const open = campaigns.data?.items.filter(({ status }) => status !== "ARCHIVED") ?? [];
  if (campaignId !== null && emails !== null)
    return <Adding campaignId={campaignId} emails={emails} onClose={() => onClose(true)} />;
  const isReady = campaigns.data !== undefined && emails !== null;
  const shown = campaigns.refusal ?? refusal;
  return (
    <Modal title={says.campaignTitle(emails?.length ?? countOf(target))} onClose={() => onClose(false)}>
      {shown !== null && <RefusalAlert refusal={shown} {...(refusal === null && { again: campaigns.again })} />}
      {!isReady && shown === null && <Looking isLooking={true} />}
      {emails === null && refusal === null && <p role="status">{says.reading(read, countOf(target))}</p>}
      {isReady && open.length === 0 && <p>{says.noCampaigns}</p>}
      {isReady && open.length > 0 ? (
        <Form
          act={says.campaignAct}
          isRunning={false}
          refusal={null}
          fields={[]}
          mayBeLost
          onCancel={() => onClose(false)}
          onSubmit={(values) => setCampaignId(values.text("campaignId"))}
        >
          <Select
            label={says.campaignLabel}
            hint={
              <>
                {says.campaignHint}
                {campaigns.data !== undefined &&
                  campaigns.data.total > CAMPAIGNS &&
                  ` ${says.campaignNewest(CAMPAIGNS)}`}
              </>
            }
            name="campaignId"
            isRequired
            options={open.map(({ id, name }) => ({ value: id, text: name }))}
          />
        </Form>
      ) : (
        <div className="buttons">
          <button type="button" onClick={() => onClose(false)}>
            {words.cancel}
          </button>
        </div>
      )}
    </Modal>
  );
}

function Adding({
  campaignId,
  emails,
  onClose,
}: {
  campaignId: string;
  emails: readonly string[];
  onClose: () => void;
}) {
  const { data: campaign, refusal, again } = useCall("get /campaigns/:campaignId", { campaignId });
  if (campaign !== undefined) return <AddRecipients campaign={campaign} again={emails} onClose={onClose} />;
  return (
    <Modal title={says.campaignTitle(emails.length)} onClose={onClose}>
      {refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />}
    </Modal>
  );
}

/** The addresses of the leads. Those that match a filter are read page by page, at most `MOST`. */
function useEmails(target: Target): { emails: readonly string[] | null; refusal: Refusal | null; read: number } {
  const readPage = useRead();
  const [emails, setEmails] = useState("rows" in target ? target.rows.map(({ email }) => email) : null);
  const [read, setRead] = useState(0);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, so that the dialog adds whom it counted
  useEffect(() => {
    if (!("filter" in target)) return;
    const controller = new AbortController();
    const { signal } = controller;
    readEmails(readPage, target.filter, signal, setRead).then(
      (all) => !signal.aborted && setEmails(all),
      (err: unknown) => !signal.aborted && setRefusal(refusalOf(err)),
    );
    return () => controller.abort();
  }, []);
  return { emails, refusal, read };
}

async function readEmails(
  read: Read,
  { all: _, tags, ...filter }: LeadFilter,
  signal: AbortSignal,
  note: (count: number) => void,
): Promise<string[]> {
  const asked = { ...filter, ...(tags !== undefined && { tags: String(tags) }), pageSize: PAGE };
  const found = new Map<string, string>();
  for (let page = 1; ; page++) {
    const { items } = await read("get /leads", { ...asked, page }, signal);
    for (const { id, email } of items) found.set(id, email);
    note(found.size);
    if (items.length < PAGE || found.size >= MOST) return [...found.values()].slice(0, MOST);
  }
}
