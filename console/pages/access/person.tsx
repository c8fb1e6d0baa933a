import { useState } from "react";
import { READS, WRITES } from "../../../domain/access/person-scopes.ts";
import type { Out } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import { saveFile } from "../../api/save-file.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice } from "../../kit/alert.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { Page } from "../../kit/page.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { personWords as says } from "../../words/en/access/privacy.ts";
import { words } from "../../words/en.ts";

type Plan = Out<"post /privacy/erase", { email: string; planOnly: true }>;
type Exported = Out<"post /privacy/export", { email: string }>;
type Erased = Out<"post /privacy/erase", { email: string }>;
type Found = Pick<Erased, "addresses" | "sharedAddresses">;

const WHATS = ["EXPORT", "ERASE"] as const;
type What = (typeof WHATS)[number];

/** Exports or erases everything about one person. An erasure shows its plan first. */
export function PersonalData() {
  const may = useMay();
  const holdsAll = READS.every(may) && may("leads:read");
  const whats = WHATS.filter((one) => one === "EXPORT" || (may("leads:write") && WRITES.every(may)));
  const [what, setWhat] = useState<What>("EXPORT");
  const exporting = useWrite("post /privacy/export", { renews: [] });
  const planning = useWrite("post /privacy/erase", { renews: [] });
  const erasing = useWrite("post /privacy/erase", { renews: ["get /jobs"] });
  const [plan, setPlan] = useState<{ email: string; answer: Plan } | null>(null);
  const [exported, setExported] = useState<Exported | null>(null);
  const [erased, setErased] = useState<Erased | null>(null);
  if (!holdsAll)
    return (
      <Page title={says.title}>
        <p>{words.mayNot(says.mayNot)}</p>
      </Page>
    );
  const submit = async (values: FormValues) => {
    const email = values.text("email");
    setExported(null);
    setErased(null);
    if (what === "EXPORT") {
      const answer = await exporting.run({ email });
      if (answer === null) return;
      download(answer);
      setExported(answer);
      return;
    }
    const answer = await planning.run({ email, planOnly: true });
    if (answer !== null) setPlan({ email, answer });
  };
  const erase = async () => {
    if (plan === null) return;
    const answer = await erasing.run({ email: plan.email, planToken: plan.answer.planToken });
    if (answer === null) return;
    say(says.erasing);
    setErased(answer);
    setPlan(null);
  };
  const { isRunning, refusal } = what === "EXPORT" ? exporting : planning;
  return (
    <Page title={says.title} subtitle={says.lead}>
      <div className="narrow">
        <Form
          act={says.act[what]}
          isRunning={isRunning}
          refusal={refusal}
          fields={["email"]}
          mayBeLost
          onSubmit={(values) => void submit(values)}
        >
          <Field
            label={says.email}
            hint={says.emailHint}
            name="email"
            autoComplete="off"
            limits={limitsOf("post /privacy/export", "email")}
            refusal={refusal}
          />
          <Select
            label={says.what}
            name="what"
            value={what}
            options={whats.map((value) => ({ value, text: says.does[value] }))}
            onPick={(value) => setWhat(oneOf(WHATS, value) ?? "EXPORT")}
          />
        </Form>
      </div>
      {exported !== null && (
        <Notice>
          <bdi>{says.exported(exported.addresses.join(", "))}</bdi>
        </Notice>
      )}
      {erased !== null && (
        <Notice>
          {says.erasing} <To page="/jobs">{says.jobs}</To>
        </Notice>
      )}
      <Shared found={exported ?? erased} />
      {plan !== null && (
        <Confirm
          title={says.eraseTitle(plan.email)}
          effect={<Effect effect={plan.answer.plan.effect} />}
          act={says.eraseAct}
          isDangerous
          isWide
          isRunning={erasing.isRunning}
          refusal={erasing.refusal}
          onAct={() => void erase()}
          onClose={() => setPlan(null)}
        />
      )}
    </Page>
  );
}

function Shared({ found }: { found: Found | null }) {
  if (found === null || found.sharedAddresses.length === 0) return null;
  return (
    <Notice kind="attention">
      <bdi>{says.shared(found.sharedAddresses.join(", "))}</bdi>
    </Notice>
  );
}

/** Saves the document, or downloads it from its URL if it is too large for an answer. */
function download({ document: exported, url, fileName }: Exported): void {
  const content = url === null ? JSON.stringify(exported, null, 2) : null;
  saveFile({ fileName, content, url, type: "application/json" });
}

/** What an erasure deletes and changes, and what it keeps. */
function Effect({ effect: { changes, kept } }: { effect: Plan["plan"]["effect"] }) {
  const erases = changes.filter(({ deleted, changed }) => deleted + changed > 0);
  return (
    <>
      <p>{says.eraseEffect}</p>
      {erases.length === 0 ? <p>{says.nothing}</p> : <h3>{says.erases}</h3>}
      <ul>
        {erases.map(({ what, deleted, changed, examples }) => (
          <li key={what}>
            {says.change(what, { deleted, changed })} <bdi className="fine">{examples.join(", ")}</bdi>
          </li>
        ))}
      </ul>
      <details>
        <summary>{says.kept}</summary>
        <ul>
          {kept.map(({ what, why }) => (
            <li key={what}>
              {what}: {why}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
