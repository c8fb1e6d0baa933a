import { useState } from "react";
import { RETENTION_LIMITS, type RetentionKind } from "../../../domain/evidence/retention.ts";
import type { Out } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Field } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { Page, UnreadPage } from "../../kit/page.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { retentionWords as says } from "../../words/en/access/privacy.ts";

type View = Out<"get /workspace/retention">;
type Counts = Out<"post /workspace/retention/preview">;
type Days = Record<RetentionKind, number | null>;

const KINDS = Object.keys(RETENTION_LIMITS) as RetentionKind[]; // keys of a record of all kinds
/** The preview counts no further. */
const MOST_COUNTED = 100_000;

/** For how many days the workspace keeps kinds of data, and what a round with other days would delete. */
export function Retention() {
  const called = useCall("get /workspace/retention", {});
  const may = useMay();
  const { data } = called;
  if (data === undefined) return <UnreadPage called={called} />;
  return (
    <Page title={says.title} subtitle={says.lead}>
      <Rounds view={data} />
      {may("workspace:write") ? <Change key={JSON.stringify(data)} view={data} /> : <ReadOnly view={data} />}
    </Page>
  );
}

function Rounds({ view: { nextRoundAt, lastRound } }: { view: View }) {
  const deleted = Object.values(lastRound?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <>
      {nextRoundAt !== null && (
        <p>
          {says.next}: <When at={String(nextRoundAt)} />
        </p>
      )}
      {lastRound === null ? (
        <p className="fine">{says.noRound}</p>
      ) : (
        <p>
          {says.last}: <When at={String(lastRound.startedAt)} />, {says.deleted(deleted)}
          {lastRound.finishedAt === null && ` (${says.running})`}
        </p>
      )}
    </>
  );
}

function ReadOnly({ view }: { view: View }) {
  return (
    <section aria-label={says.readOnly}>
      <p className="fine">{says.readOnly}</p>
      <ul>
        {KINDS.map((kind) => (
          <li key={kind}>
            {says.kinds[kind]}: {view[kind] ?? says.forever}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Previews the typed days first; the dialog with the counts then saves them. */
function Change({ view }: { view: View }) {
  const preview = useWrite("post /workspace/retention/preview", { renews: [] });
  const save = useWrite("patch /workspace/retention", { renews: ["get /workspace/retention"] });
  const [planned, setPlanned] = useState<{ days: Days; counts: Counts } | null>(null);
  const look = async (values: FormValues) => {
    const days = daysIn(values);
    const counts = await preview.run(days);
    if (counts !== null) setPlanned({ days, counts });
  };
  const commit = async () => {
    if (planned === null || (await save.run(planned.days)) === null) return;
    say(says.saved);
    setPlanned(null);
  };
  return (
    <div className="narrow">
      <Form
        act={says.act}
        isRunning={preview.isRunning}
        refusal={preview.refusal}
        fields={KINDS}
        mayBeLost
        onSubmit={(values) => void look(values)}
      >
        {KINDS.map((kind) => (
          <Field
            key={kind}
            label={says.kinds[kind]}
            hint={kind === "jobs" ? says.jobsHint : hintOf(kind)}
            name={kind}
            type="number"
            limits={limitsOf("patch /workspace/retention", kind)}
            defaultValue={view[kind] ?? ""}
            refusal={preview.refusal}
          />
        ))}
      </Form>
      {planned !== null && (
        <Confirm
          title={says.confirm}
          effect={<Effect counts={planned.counts} />}
          act={says.confirmAct}
          isDangerous
          isRunning={save.isRunning}
          refusal={save.refusal}
          onAct={() => void commit()}
          onClose={() => setPlanned(null)}
        />
      )}
    </div>
  );
}

function hintOf(kind: RetentionKind): string {
  const { least, most } = RETENTION_LIMITS[kind];
  return says.days(least, most);
}

function daysIn(values: FormValues): Days {
  const days = KINDS.map((kind) => {
    const text = values.given(kind);
    return [kind, text === undefined ? null : Number(text)] as const;
  });
  return Object.fromEntries(days) as Days; // one entry for each kind
}

function Effect({ counts }: { counts: Counts }) {
  const found = KINDS.filter((kind) => counts[kind] > 0);
  return (
    <>
      <p>{says.effect}</p>
      <p>{found.length === 0 ? says.noEffect : says.wouldDelete}</p>
      <ul>
        {found.map((kind) => (
          <li key={kind}>{says.count(says.kinds[kind], counts[kind], MOST_COUNTED)}</li>
        ))}
      </ul>
    </>
  );
}
