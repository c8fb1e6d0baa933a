import { useState } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Confirm, Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { campaignWords as says, testMailWords } from "../../words/en/campaign.ts";
import { deedWords } from "../../words/en/campaign-setup/setup.ts";
import { AskedDeed, type Deed, useDeeds } from "../campaign-setup/deeds.tsx";
import { LaunchCard } from "./launch-card.tsx";
import { type Campaign, RENEWS, type Step } from "./reads.ts";

type SendingDeed = "launch" | "resume" | "pause" | "complete" | "testMail";

/** The actions about sending for each status, the most usual first. */
const DEEDS: Record<Campaign["status"], readonly SendingDeed[]> = {
  DRAFT: ["launch", "testMail"],
  SCHEDULED: ["pause", "complete", "testMail"],
  ACTIVE: ["pause", "complete", "testMail"],
  PAUSED: ["resume", "complete", "testMail"],
  COMPLETED: ["launch", "testMail"],
  ARCHIVED: [],
};

/**
 * The buttons of a campaign: launch, pause and complete it, and act on it as a whole. An action that sends emails first
 * shows how many people would get them.
 */
export function Controls({ campaign }: { campaign: Campaign }) {
  const may = useMay();
  const deedsOf = useDeeds();
  const [asked, setAsked] = useState<SendingDeed | Deed | null>(null);
  const sending = may("campaigns:launch") ? DEEDS[campaign.status] : [];
  const whole = deedsOf(campaign);
  // An archived campaign can only be unarchived, so that is its button
  const first = sending[0] ?? whole.find((deed): deed is "unarchive" => deed === "unarchive");
  const others = [
    ...sending.map((deed) => ({ deed, name: says[deed] })),
    ...whole.map((deed) => ({ deed, name: deedWords.names[deed] })),
  ].filter(({ deed }) => deed !== first);
  const close = () => setAsked(null);
  return (
    <>
      {first !== undefined && (
        <button
          type="button"
          className={first === "launch" || first === "resume" ? "primary" : ""}
          onClick={() => setAsked(first)}
        >
          {first === "unarchive" ? deedWords.names.unarchive : says[first]}
        </button>
      )}
      {others.length > 0 && (
        <Menu label={says.more} items={others.map(({ deed, name }) => ({ name, run: () => setAsked(deed) }))} />
      )}
      <Asked asked={asked} campaign={campaign} onClose={close} />
    </>
  );
}

function Asked({ asked, ...shown }: { asked: SendingDeed | Deed | null; campaign: Campaign; onClose: () => void }) {
  if (asked === null) return null;
  if (asked === "launch" || asked === "resume") return <LaunchCard action={asked} {...shown} />;
  if (asked === "pause" || asked === "complete") return <Stop action={asked} {...shown} />;
  if (asked === "testMail") return <TestMail {...shown} />;
  return <AskedDeed deed={asked} {...shown} />;
}

interface AskedProps<A extends SendingDeed> {
  campaign: Campaign;
  action: A;
  onClose: () => void;
}

/**
 * Pauses or completes a campaign. The request names no version, so it works even if the campaign has changed meanwhile.
 */
function Stop({ campaign: { id, name, sendingStatus }, action, onClose }: AskedProps<"pause" | "complete">) {
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/control", { renews: RENEWS });
  const open = Object.values(sendingStatus.breakdown).reduce((sum, count) => sum + count, 0);
  const act = async () => {
    if ((await run({ action, campaignId: id })) === null) return;
    say(says.said[action]);
    onClose();
  };
  return (
    <Confirm
      title={action === "pause" ? says.pauseTitle(name) : says.completeTitle(name)}
      effect={<p>{action === "pause" ? says.pauseEffect(open) : says.completeEffect(open)}</p>}
      act={action === "pause" ? says.pauseAct : says.completeAct}
      isDangerous={action === "complete"}
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}

const FIELDS = ["toEmail", "stepId"];

/**
 * Sends one email of the campaign to an address that the person enters. It is filled with sample data, and no recipient
 * of the campaign gets it.
 */
function TestMail({ campaign: { id: campaignId, name }, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { data: person } = useCall("get /session", {});
  const sequence = useCall("get /campaigns/:campaignId/sequence", { campaignId });
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/test-send", { renews: [] });
  const submit = async (values: FormValues) => {
    const stepId = values.given("stepId");
    const sent = await run({ campaignId, toEmail: values.text("toEmail"), ...(stepId !== undefined && { stepId }) });
    if (sent === null) return;
    say(testMailWords.said(values.text("toEmail")));
    onClose();
  };
  return (
    <Modal title={testMailWords.title(name)} onClose={onClose}>
      <p>{testMailWords.effect}</p>
      {person === undefined || sequence.data === undefined ? (
        <Looking isLooking={true} />
      ) : (
        <Form
          act={testMailWords.act}
          isRunning={isRunning}
          refusal={refusal}
          fields={FIELDS}
          onCancel={onClose}
          onSubmit={(values) => void submit(values)}
        >
          <Select label={testMailWords.step} name="stepId" options={mailsOf(sequence.data.steps)} refusal={refusal} />
          <Field
            label={testMailWords.to}
            name="toEmail"
            type="email"
            defaultValue={person.email}
            limits={limitsOf("post /campaigns/:campaignId/test-send", "toEmail")}
            refusal={refusal}
          />
        </Form>
      )}
    </Modal>
  );
}

/** The email steps of the sequence as options, with position and subject. */
function mailsOf(steps: readonly Step[]) {
  const mails = steps.filter(({ type }) => type === "EMAIL");
  return mails.map(({ stepId, order, variants: [first] }) => ({
    value: stepId,
    text: testMailWords.mail(order, first?.subject ?? ""),
  }));
}
