import { WEBHOOK_EVENTS, type WebhookEvent } from "../../../domain/webhook.ts";
import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Field } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { EVENT, webhookWords as says } from "../../words/en/webhooks.ts";
import { RENEWS, type Subscription } from "./reads.ts";
import type { Secret } from "./secret.tsx";

/** The events to choose from. TEST is missing: a button sends it, whatever the webhook subscribes to. */
const OFFERED = WEBHOOK_EVENTS.filter((event) => event !== "TEST");
const FIELDS = ["url", "events"];

interface NewWebhookProps {
  onClose: () => void;
  onMade: (secret: Secret) => void;
}

export function NewWebhook({ onClose, onMade }: NewWebhookProps) {
  const { run, isRunning, refusal } = useWrite("post /webhooks", { renews: RENEWS });
  const submit = async (values: FormValues) => {
    const made = await run({ url: values.text("url").trim(), events: eventsIn(values) });
    if (made !== null) onMade({ url: made.url, text: made.signingSecret });
  };
  return (
    <Modal title={says.add} onClose={onClose}>
      <Form
        act={says.addAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={FIELDS}
        onSubmit={(values) => void submit(values)}
        onCancel={onClose}
      >
        <Fields refusal={refusal} />
      </Form>
    </Modal>
  );
}

export function EditWebhook({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { run, isRunning, refusal } = useWrite("patch /webhooks/:webhookId", { renews: RENEWS });
  const { id: webhookId, events } = subscription;
  const submit = async (values: FormValues) => {
    const testEvents = events.filter((event) => event === "TEST");
    const answer = await run({
      webhookId,
      url: values.text("url").trim(),
      events: [...eventsIn(values), ...testEvents],
    });
    if (answer === null) return;
    say(says.saidSaved);
    onClose();
  };
  return (
    <Modal title={says.editTitle} onClose={onClose}>
      <p>{says.editEffect}</p>
      <Form
        act={says.save}
        isRunning={isRunning}
        refusal={refusal}
        fields={FIELDS}
        onSubmit={(values) => void submit(values)}
        onCancel={onClose}
      >
        <Fields refusal={refusal} subscription={subscription} />
      </Form>
    </Modal>
  );
}

function Fields({ refusal, subscription }: { refusal: Refusal | null; subscription?: Subscription }) {
  return (
    <>
      <Field
        label={says.address}
        name="url"
        type="url"
        dir="ltr"
        autoComplete="off"
        hint={says.addressHint}
        refusal={refusal}
        defaultValue={subscription?.url}
        limits={{ ...limitsOf("post /webhooks", "url"), required: true }}
      />
      <fieldset>
        <legend>{says.events}</legend>
        {OFFERED.map((event) => (
          <label key={event} className="choice">
            <input
              type="checkbox"
              name="events"
              value={event}
              defaultChecked={subscription?.events.includes(event) === true}
            />
            {EVENT[event]}
          </label>
        ))}
        <small>{says.eventsHint}</small>
      </fieldset>
    </>
  );
}

function eventsIn(values: FormValues): WebhookEvent[] {
  const ticked = values.all("events");
  return OFFERED.filter((event) => ticked.includes(event));
}
