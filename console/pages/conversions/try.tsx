import { useState } from "react";
import { CONVERSION_TYPES } from "../../../domain/conversions.ts";
import { numberIn } from "../../../domain/values/number.ts";
import type { Out } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { To } from "../../kit/to.tsx";
import { oneOf } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { CONVERSION_TYPE, REJECTION_REASON, conversionWords as says } from "../../words/en/leads/conversions.ts";

const ENDPOINT = "post /conversions/test";
const TYPES = Object.keys(CONVERSION_TYPES) as (keyof typeof CONVERSION_TYPES)[]; // the keys of a constant

/** Tests an event. Nothing is recorded. */
export function TryConversion() {
  const { run, isRunning, refusal } = useWrite(ENDPOINT, { renews: [] });
  const [answer, setAnswer] = useState<Out<typeof ENDPOINT> | null>(null);
  const [type, setType] = useState<(typeof TYPES)[number]>("PURCHASE");
  const send = async (values: FormValues) => {
    setAnswer(null);
    const [id, value, currency] = [values.given("event_id"), values.given("value"), values.given("currency")];
    const custom = {
      // A text that is no number is sent as it is, so that the test says what is wrong
      ...(value !== undefined && { value: numberIn(value) ?? value }),
      ...(currency !== undefined && { currency: currency.trim() }),
    };
    const event = {
      event_name: type,
      ...(id !== undefined && { event_id: id }),
      user_data: { cid: values.text("cid").trim() },
      ...(Object.keys(custom).length > 0 && { custom_data: custom }),
    };
    setAnswer(await run({ event }));
  };
  return (
    <div className="narrow">
      <p>{says.testLead}</p>
      <Form
        act={says.act}
        isRunning={isRunning}
        refusal={refusal}
        fields={[]}
        mayBeLost
        onSubmit={(values) => void send(values)}
      >
        <Select
          label={says.type}
          name="event_name"
          value={type}
          options={TYPES.map((value) => ({ value, text: CONVERSION_TYPE[value] }))}
          onPick={(value) => setType(oneOf(TYPES, value) ?? "PURCHASE")}
        />
        <Field label={says.cid} hint={says.cidHint} name="cid" autoComplete="off" required maxLength={512} />
        <Field label={says.eventId} hint={says.eventIdHint} name="event_id" autoComplete="off" maxLength={512} />
        {type === "PURCHASE" && (
          <div className="columns">
            <Field label={says.amount} name="value" inputMode="decimal" autoComplete="off" />
            <Field label={says.currency} name="currency" autoComplete="off" maxLength={3} />
          </div>
        )}
      </Form>
      <div role="status">{answer !== null && <Answer answer={answer} />}</div>
      <p className="fine">{says.live}</p>
    </div>
  );
}

function Answer({ answer: { status, reason, attribution, effects } }: { answer: Out<typeof ENDPOINT> }) {
  const isCounted = status === "accepted";
  return (
    <>
      <p>
        <span className={`mark ${isCounted ? "good" : "waits"}`}>
          {isCounted ? says.counts : status === "duplicate" ? says.countedBefore : says.notCounted}
        </span>
      </p>
      {reason !== null && <p>{REJECTION_REASON[reason]}</p>}
      {attribution !== null && (
        <p>
          {says.by[attribution.by]} {attribution.openedAt !== null && <When at={attribution.openedAt} />}{" "}
          {attribution.closesAt !== null && (
            <>
              {says.until} <When at={attribution.closesAt} />
            </>
          )}{" "}
          <To
            page="/campaigns/$campaignId"
            ids={{ campaignId: attribution.campaignId }}
            view={{ open: attribution.recipientId }}
          >
            {says.openCampaign}
          </To>
        </p>
      )}
      {effects !== null && (
        <ul>
          {effects.endsSequence && <li>{says.endsSequence}</li>}
          {effects.booksMeeting && <li>{says.booksMeeting}</li>}
          {effects.addsRevenue !== null && <li>{says.addsRevenue(effects.addsRevenue)}</li>}
        </ul>
      )}
    </>
  );
}
