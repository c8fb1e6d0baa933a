import { useState } from "react";
import type { Out } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import { Field } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { When } from "../../kit/when.tsx";
import { workspacesWords as says } from "../../words/en/workspaces.ts";

type Reported = Out<"post /system/reported">["items"][number];

/** A form that finds the workspace of a reported email; its id then becomes the search of the list above. */
export function FindReported({ onLook }: { onLook: (words: string) => void }) {
  const { run, isRunning, refusal } = useWrite("post /system/reported", { renews: [] });
  const [found, setFound] = useState<readonly Reported[] | null>(null);
  const find = async (message: string) => {
    const answer = await run({ message });
    setFound(answer?.items ?? null);
    const [first] = answer?.items ?? [];
    if (first !== undefined) onLook(first.workspaceId);
  };
  return (
    <section className="narrow" aria-labelledby="find-reported">
      <h2 id="find-reported">{says.find}</h2>
      <p>{says.findText}</p>
      <Form
        act={says.findAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["message"]}
        mayBeLost
        onSubmit={(values) => void find(values.text("message"))}
      >
        <Field
          label={says.message}
          name="message"
          autoComplete="off"
          limits={limitsOf("post /system/reported", "message")}
          refusal={refusal}
        />
      </Form>
      <div role="status">{found !== null && <Found found={found} />}</div>
    </section>
  );
}

function Found({ found }: { found: readonly Reported[] }) {
  if (found.length === 0) return <p>{says.nothingFound}</p>;
  return found.map(({ workspaceId, workspaceName, ownerEmail, send }) => (
    <dl key={`${workspaceId} ${send?.id ?? ""}`} className="pairs">
      <dt>{says.name}</dt>
      <dd>
        {workspaceName ?? says.deletedWorkspace} <span className="fine">{workspaceId}</span>
      </dd>
      <dt>{says.owner}</dt>
      <dd>{ownerEmail ?? says.none}</dd>
      {send !== null && (
        <>
          <dt>{says.from}</dt>
          <dd>{send.from ?? says.deletedMailbox}</dd>
          <dt>{says.sent}</dt>
          <dd>{send.at === null ? says.notSent : <When at={send.at} />}</dd>
        </>
      )}
    </dl>
  ));
}
