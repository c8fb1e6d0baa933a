import { useState } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { ActButton } from "../../kit/act.tsx";
import { RefusalAlert } from "../../kit/alert.tsx";
import { TextArea } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { LongText } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { editLeadWords } from "../../words/en/leads/edit-lead.ts";
import { leadWords as says } from "../../words/en/leads/lead.ts";
import { useMemberNames } from "../access/reads.ts";
import { ENTRIES } from "./reads.ts";
import { Turning } from "./turning.tsx";

const MANAGE = "post /leads/manage";
const RENEWS = ["get /leads/:leadId", "get /leads/:leadId/activity"] as const;

/** Notes of members about a lead, newest first, with a form for a new one. */
export function Notes({ leadId, page, onPage }: { leadId: string; page: number; onPage: (page: number) => void }) {
  const input = { leadId, view: "notes", limit: ENTRIES, page } as const;
  const { data, refusal, isLooking, again } = useCall("get /leads/:leadId/activity", input);
  const notes = data?.view === "notes" ? data.items : undefined;
  const mayWrite = useMay()("leads:write");
  const { nameOf } = useMemberNames();
  const remove = useWrite(MANAGE, { renews: RENEWS });
  const removeNote = async ({ noteId }: { noteId: string }) => {
    const answer = await remove.run({ action: "deleteNote", leadId, noteId });
    if (answer !== null) say(editLeadWords.noteRemoved);
    return answer;
  };
  return (
    <section aria-labelledby="notes">
      <h2 id="notes" className="hidden">
        {says.notes}
      </h2>
      {mayWrite && page === 1 && <NewNote leadId={leadId} />}
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      {notes?.length === 0 && <p>{page === 1 ? says.noNotes : says.nothingEarlier}</p>}
      {notes !== undefined && (
        <>
          <ul className="timeline plain">
            {notes.map(({ noteId, createdAt, authorUserId, body }) => (
              <li key={noteId}>
                <span className="fine">
                  <When at={createdAt} />
                  {nameOf(authorUserId) !== null && ` ${editLeadWords.noteBy} ${nameOf(authorUserId)}`}
                </span>
                <div className="mail">
                  <div className="text">
                    <LongText text={body} />
                  </div>
                </div>
                {mayWrite && (
                  <ActButton
                    act={{
                      name: editLeadWords.removeNote,
                      effect: <p>{editLeadWords.removeNoteEffect}</p>,
                      isDangerous: true,
                      refusal: remove.refusal,
                      run: removeNote,
                    }}
                    row={{ noteId }}
                  />
                )}
              </li>
            ))}
          </ul>
          <Turning page={page} count={notes.length} onPage={onPage} />
        </>
      )}
    </section>
  );
}

function NewNote({ leadId }: { leadId: string }) {
  const create = useWrite(MANAGE, { renews: RENEWS });
  // A new form for each note, so that the sent one is empty again
  const [count, setCount] = useState(0);
  return (
    <Form
      key={count}
      act={editLeadWords.addNote}
      isRunning={create.isRunning}
      refusal={create.refusal}
      fields={["body"]}
      onSubmit={async (values) => {
        if ((await create.run({ action: "createNote", leadId, body: values.text("body") })) === null) return;
        say(editLeadWords.noteSaid);
        setCount(count + 1);
      }}
    >
      <TextArea
        label={editLeadWords.newNote}
        name="body"
        rows={3}
        required
        limits={limitsOf(MANAGE, "body", "createNote")}
        refusal={create.refusal}
      />
    </Form>
  );
}
