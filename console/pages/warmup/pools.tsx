import { useEffect, useState } from "react";
import { SHARED } from "../../../domain/warmup/enrolment.ts";
import type { Out } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { say } from "../../kit/toast.tsx";
import { warmupWords as says } from "../../words/en/mailboxes/warmup.ts";
import { type Enrolment, WARMUP_RENEWS } from "./reads.ts";

type Private = Out<"post /warmup/pools", { action: "listPrivate" }>[number];
const PERCENT = 100;
/** Sums of shares may be a little more than 1, because they are fractions. */
const ROUNDING = 1e-9;

/** The pools of a mailbox with the share of its emails that each gets. */
export function Pools({ enrolment }: { enrolment: Enrolment }) {
  const may = useMay();
  const { mailboxId, pools } = enrolment;
  const list = useWrite("post /warmup/pools", { renews: [] });
  const { run, isRunning, refusal } = useWrite("post /warmup/pools", { renews: WARMUP_RENEWS });
  const [all, setAll] = useState<readonly Private[] | null>(null);
  /** The sum of the shares that were typed, if it is more than all. */
  const [tooMuch, setTooMuch] = useState<number | null>(null);
  const read = async () => {
    const answer = await list.run({ action: "listPrivate" });
    if (answer !== null) setAll(answer);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens; the list is read by a POST
  useEffect(() => void read(), []);
  const own = [
    { type: SHARED, name: says.shared },
    ...(all ?? [])
      .filter(({ mailboxIds }) => mailboxIds.includes(mailboxId))
      .map(({ id, name }) => ({ type: id, name })),
  ];
  const shareOf = (type: string) => Math.round((pools.find((one) => one.type === type)?.share ?? 0) * PERCENT);
  const save = async (values: FormValues) => {
    const shares = own.map(({ type }) => ({ type, share: Number(values.text(type)) / PERCENT }));
    const sum = shares.reduce((total, { share }) => total + share, 0);
    setTooMuch(sum > 1 + ROUNDING ? sum : null);
    if (sum > 1 + ROUNDING) return;
    const chosen = shares.filter(({ share }) => share > 0);
    if ((await run({ action: "setParticipation", mailboxId, pools: chosen })) !== null) say(says.savedPools);
  };
  const fields = own.map(({ type, name }) => (
    <Field
      key={type}
      label={says.shareOf(name)}
      name={type}
      type="number"
      min={0}
      max={PERCENT}
      step={1}
      required
      defaultValue={shareOf(type)}
      disabled={!may("warmup:write")}
    />
  ));
  return (
    <>
      <h3>{says.pools}</h3>
      <p className="fine">{says.poolsHint}</p>
      {list.refusal !== null && <RefusalAlert refusal={list.refusal} again={() => void read()} />}
      {all === null && <Looking isLooking={list.isRunning} />}
      {all !== null && may("warmup:write") && (
        <Form act={says.savePools} isRunning={isRunning} refusal={refusal} fields={[]} onSubmit={(v) => void save(v)}>
          <div className="columns">{fields}</div>
          {tooMuch !== null && (
            <p className="wrong" role="alert">
              {says.tooMuch(tooMuch)}
            </p>
          )}
        </Form>
      )}
      {all !== null && !may("warmup:write") && <div className="columns">{fields}</div>}
    </>
  );
}
