import { type ReactNode, useState } from "react";
import type { Out } from "../api/call.ts";
import { useCall, useWrite } from "../api/query.ts";
import { useMay } from "../api/workspace.ts";
import { Notice, RefusalAlert } from "../kit/alert.tsx";
import { TextArea } from "../kit/field.tsx";
import { Figures } from "../kit/figures.tsx";
import { Form } from "../kit/form.tsx";
import { Looking } from "../kit/looking.tsx";
import { Modal } from "../kit/modal.tsx";
import { Page } from "../kit/page.tsx";
import { type PagePath, To } from "../kit/to.tsx";
import { say } from "../kit/toast.tsx";
import { postalWords as says, startWords } from "../words/en/start.ts";
import { SENDING } from "../words/states.ts";
import { Unconfirmed } from "./account/unconfirmed.tsx";

type Campaign = Out<"get /campaigns">["items"][number];
const EVERY_MS = 15_000;
const SHOWN = 5;

/** The steps to the first email. Each step completes automatically when the workspace's data shows that it is done. */
export function Start() {
  const may = useMay();
  const campaigns = useCall("get /campaigns", { include: "metrics,sendingStatus", pageSize: 50 }, { every: EVERY_MS });
  const mailboxes = useCall("get /mailboxes", {}, { every: EVERY_MS, isOff: !may("mailboxes:read") });
  const leads = useCall("get /leads", { pageSize: 1 }, { every: EVERY_MS, isOff: !may("leads:read") });
  const workspace = useCall("get /workspace", {}, { isOff: !may("workspace:read") });
  const calls = [campaigns, mailboxes, leads, workspace];
  const refused = calls.find(({ data, refusal }) => data === undefined && refusal !== null);
  const all = campaigns.data?.items;
  const steps = checklistOf({
    campaigns: all,
    mailboxes: mailboxes.data,
    people: leads.data?.total,
    address: workspace.data?.postalAddress,
    mayAddress: may("workspace:write"),
  });
  const isDone = steps.every(({ isDone }) => isDone === true);
  return (
    <Page title={startWords.title}>
      <Unconfirmed />
      {refused !== undefined && refused.refusal !== null && (
        <RefusalAlert refusal={refused.refusal} again={refused.again} />
      )}
      <Looking isLooking={calls.some(({ data, isLooking }) => data === undefined && isLooking)} />
      {isDone ? (
        <Notice>{startWords.allDone}</Notice>
      ) : (
        <>
          <p>{startWords.lead}</p>
          <ol className="checklist">
            {steps.map(({ text, isDone, page, act }) => (
              <li key={text} className={isDone === true ? "done" : ""}>
                {isDone === false && page !== undefined ? <To page={page}>{text}</To> : text}{" "}
                <span className={isDone === true ? "mark good" : "fine"}>
                  {isDone === undefined ? "" : isDone ? startWords.done : startWords.open}
                </span>{" "}
                {isDone === false && act}
              </li>
            ))}
          </ol>
        </>
      )}
      {all !== undefined && all.length > 0 && <Recent campaigns={all} />}
    </Page>
  );
}

interface Known {
  campaigns: readonly Campaign[] | undefined;
  mailboxes: Out<"get /mailboxes"> | undefined;
  people: number | undefined;
  address: string | null | undefined;
  mayAddress: boolean;
}

interface Step {
  text: string;
  /** Undefined while unknown. */
  isDone: boolean | undefined;
  /** The page on which a person does the step, if there is one. */
  page?: PagePath;
  /** A button that does the step on this page. */
  act?: ReactNode;
}

/** The steps, whether each is done, and where to do it. */
function checklistOf({ campaigns, mailboxes, people, address, mayAddress }: Known): Step[] {
  const says = startWords.steps;
  const isReady = ({ recipientCount, sendingStatus }: Campaign) =>
    recipientCount > 0 && sendingStatus?.code !== "NO_MAILBOX";
  return [
    {
      text: says.address,
      isDone: address === undefined ? undefined : address !== null,
      act: mayAddress && <PostalAddress />,
    },
    { text: says.mailbox, page: "/mailboxes/connect", isDone: mailboxes?.some(({ status }) => status === "CONNECTED") },
    {
      text: says.dns,
      page: "/mailboxes",
      isDone: mailboxes?.some(({ verification }) => verification.status === "VERIFIED"),
    },
    { text: says.leads, page: "/leads", isDone: people === undefined ? undefined : people > 0 },
    { text: says.campaign, isDone: campaigns?.some(isReady) },
    { text: says.launch, page: "/campaigns", isDone: campaigns?.some(({ launchedAt }) => launchedAt !== null) },
  ];
}

function Recent({ campaigns }: { campaigns: readonly Campaign[] }) {
  // A sum without the figures of a campaign that could not be read in time would be wrong
  const isPartial = campaigns.some(({ metrics }) => metrics === null);
  const sum = (read: (metrics: NonNullable<Campaign["metrics"]>) => number) =>
    isPartial ? undefined : campaigns.reduce((total, { metrics }) => total + (metrics ? read(metrics) : 0), 0);
  const says = startWords.figures;
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">{startWords.recent}</h2>
      <Figures
        figures={[
          { name: says.people, count: sum(({ recipients }) => recipients) },
          { name: says.sent, count: sum(({ sent }) => sent) },
          { name: says.replied, count: sum(({ replied }) => replied) },
          { name: says.positive, count: sum(({ positiveReplies }) => positiveReplies) },
        ]}
      />
      <ul className="plain">
        {campaigns.slice(0, SHOWN).map(({ id, name, sendingStatus }) => (
          <li key={id}>
            <To page="/campaigns/$campaignId" ids={{ campaignId: id }}>
              {name}
            </To>{" "}
            <span className="fine">{sendingStatus ? SENDING[sendingStatus.code] : ""}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The path of the field in the request, by which its error is shown beside it. */
const FIELD = "patch.postalAddress";

/** Sets the postal address in the footer of each campaign email. */
function PostalAddress() {
  const { run, isRunning, refusal, clear } = useWrite("post /workspace", { renews: ["get /workspace"] });
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    clear();
    setOpen(true);
  };
  return (
    <>
      <button type="button" onClick={open}>
        {says.open}
      </button>
      {isOpen && (
        <Modal title={says.title} onClose={() => setOpen(false)}>
          <Form
            act={says.act}
            isRunning={isRunning}
            refusal={refusal}
            fields={["patch"]}
            onCancel={() => setOpen(false)}
            onSubmit={async (values) => {
              if ((await run({ action: "update", patch: { postalAddress: values.text(FIELD) } })) === null) return;
              setOpen(false);
              say(says.said);
            }}
          >
            <TextArea
              label={says.label}
              hint={says.hint}
              name={FIELD}
              rows={4}
              autoComplete="street-address"
              refusal={refusal}
            />
          </Form>
        </Modal>
      )}
    </>
  );
}
