import { useState } from "react";
import { PLACEMENT_SCHEDULES } from "../../../domain/alert-thresholds.ts";
import type { In, Out } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { PLACEMENT_SCHEDULE, placementWords as says } from "../../words/en/mailboxes/placement.ts";
import { Planned } from "../campaign-setup/planned.tsx";

const CREATE = "post /deliverability/placement-tests";
/** How many campaigns the form offers. */
const CAMPAIGNS = 200;

type Settings = Out<"get /deliverability/settings">;
type Asked = In<typeof CREATE>;

interface StartProps {
  testMailboxIds: readonly string[];
  onClose: () => void;
}

/** Starts a test: first who sends what, then its effect. */
export function StartPlacement({ testMailboxIds, onClose }: StartProps) {
  const may = useMay();
  const mailboxes = useCall("get /mailboxes", { figures: "false" });
  const campaigns = useCall("get /campaigns", { pageSize: CAMPAIGNS, sort: "name" }, { isOff: !may("campaigns:read") });
  const plan = useWrite(CREATE, { renews: [] });
  const create = useWrite(CREATE, { renews: ["get /deliverability/placement-tests"] });
  const [asked, setAsked] = useState<Asked | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const senders = mailboxes.data?.filter(({ id, status }) => status === "CONNECTED" && !testMailboxIds.includes(id));
  const next = (values: FormValues) => {
    const [name, campaignId] = [values.given("name"), values.given("campaignId")];
    setAsked({
      mailboxIds: [...chosen],
      ...(name !== undefined && { name }),
      ...(campaignId !== undefined && { campaignId }),
    });
  };
  const toggle = (id: string) => {
    const after = new Set(chosen);
    if (!after.delete(id)) after.add(id);
    setChosen(after);
  };
  return (
    <>
      <Modal title={says.start} onClose={onClose}>
        {mailboxes.refusal !== null && <RefusalAlert refusal={mailboxes.refusal} again={mailboxes.again} />}
        {senders === undefined ? (
          <Looking isLooking={mailboxes.isLooking} />
        ) : (
          <Form
            act={says.next}
            isRunning={false}
            refusal={null}
            fields={[]}
            mayBeLost
            onSubmit={(values) => chosen.size > 0 && next(values)}
            onCancel={onClose}
          >
            <fieldset className="plain">
              <legend>{says.from}</legend>
              {senders.length === 0 && <p>{says.noSenders}</p>}
              {senders.map(({ id, email }) => (
                <p key={id}>
                  <label>
                    <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} /> {email}
                  </label>
                </p>
              ))}
            </fieldset>
            <Select
              label={says.text}
              name="campaignId"
              options={[
                { value: "", text: says.neutral },
                ...(campaigns.data?.items ?? []).map(({ id, name }) => ({ value: id, text: name })),
              ]}
            />
            <Field label={says.name} hint={says.nameHint} name="name" maxLength={200} autoComplete="off" />
            <p role="status">{says.count(chosen.size, testMailboxIds.length)}</p>
          </Form>
        )}
      </Modal>
      {asked !== null && (
        <Planned
          title={says.planTitle}
          act={says.act}
          intro={<p>{says.planLead}</p>}
          plan={{ ...plan, ask: () => plan.run({ ...asked, planOnly: true }) }}
          commit={{ ...create, run: async (planToken) => (await create.run({ ...asked, planToken })) !== null }}
          onDone={() => {
            say(says.saidStarted);
            onClose();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Chooses the mailboxes that receive test emails, and how often tests run by themselves. */
export function TestMailboxes({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  // What the form showed at first: what someone else changes meanwhile is not set back
  const [before] = useState(settings);
  const mailboxes = useCall("get /mailboxes", { figures: "false" });
  const { run, isRunning, refusal } = useWrite("post /workspace", {
    renews: ["get /deliverability/settings", "get /workspace"],
  });
  const save = async (values: FormValues) => {
    const [ids, schedule] = [values.all("testMailboxIds"), oneOf(PLACEMENT_SCHEDULES, values.text("schedule"))];
    const isSame = ids.length === before.testMailboxIds.length && ids.every((id) => before.testMailboxIds.includes(id));
    const placement = {
      ...(!isSame && { testMailboxIds: ids }),
      ...(schedule !== before.placementSchedule && { schedule }),
    };
    if (Object.keys(placement).length === 0) return onClose();
    if ((await run({ action: "update", patch: { deliverability: { placement } } })) === null) return;
    say(says.saidSaved);
    onClose();
  };
  return (
    <Modal title={says.changeTitle} onClose={onClose}>
      {mailboxes.refusal !== null && <RefusalAlert refusal={mailboxes.refusal} again={mailboxes.again} />}
      {mailboxes.data === undefined ? (
        <Looking isLooking={mailboxes.isLooking} />
      ) : (
        <Form
          act={says.save}
          isRunning={isRunning}
          refusal={refusal}
          fields={[]}
          onSubmit={(values) => void save(values)}
          onCancel={onClose}
        >
          <fieldset className="plain">
            <legend>{says.changeHint}</legend>
            {mailboxes.data.map(({ id, email }) => (
              <p key={id}>
                <label>
                  <input
                    type="checkbox"
                    name="testMailboxIds"
                    value={id}
                    defaultChecked={before.testMailboxIds.includes(id)}
                  />{" "}
                  {email}
                </label>
              </p>
            ))}
          </fieldset>
          <Select
            label={says.often}
            name="schedule"
            defaultValue={before.placementSchedule ?? ""}
            options={[
              { value: "", text: says.never },
              ...PLACEMENT_SCHEDULES.map((value) => ({ value, text: PLACEMENT_SCHEDULE[value] })),
            ]}
          />
        </Form>
      )}
    </Modal>
  );
}
