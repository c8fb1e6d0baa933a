import { useCallback, useState } from "react";
import { useCall } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { SearchField } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { ActText, Confirm, Modal } from "../../kit/modal.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { editBranchWords } from "../../words/en/sequence-branches.ts";
import { insertWords as says } from "../../words/en/sequence-editor.ts";
import { templateWords } from "../../words/en/templates.ts";
import { words } from "../../words/en.ts";
import { StepShown } from "../campaign/step.tsx";
import { Preview } from "../templates/preview.tsx";
import type { Template } from "../templates/reads.ts";
import { isSameValue, type Variant, withPresentIds } from "./draft.ts";
import { copyOfSteps } from "./edits.ts";
import type { Editing } from "./use-draft.ts";

/** Puts the text of a template into a variant. A text that would be replaced asks first. */
export function InsertTemplate({ variant, onInsert }: { variant: Variant; onInsert: (template: Template) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Template | null>(null);
  const close = () => {
    setOpen(false);
    setAsked(null);
  };
  const insert = (template: Template) => {
    onInsert(template);
    close();
  };
  const isBlank = [variant.subject, variant.bodyHtml, variant.bodyText].every((text) => (text ?? "").trim() === "");
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {says.open}
      </button>
      {isOpen && (
        <TemplatePicker
          kind="STEP"
          title={says.open}
          act={says.act}
          onPick={isBlank ? insert : setAsked}
          onClose={close}
        />
      )}
      {asked !== null && (
        <Confirm
          title={says.replaceTitle(variant.label)}
          effect={<p>{asked.subject === null ? says.replaceBody(asked.name) : says.replaceBoth(asked.name)}</p>}
          act={says.replace}
          onAct={() => insert(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Fills a sequence without steps with a copy of a template. */
export function StartFromTemplate({ editing }: { editing: Editing }) {
  const { draft, change, latest, undoable } = editing;
  const [isOpen, setOpen] = useState(false);
  const needsBranches = ({ mode }: Template) => mode === "VISUAL" && draft.base.mode !== "VISUAL";
  const start = async (template: Template) => {
    if (needsBranches(template) && !(await editing.allowBranches())) return;
    const inserted = copyOfSteps(template.steps);
    change(() => inserted);
    setOpen(false);
    undoable(says.inserted(template.name), () => {
      const now = latest();
      if (!isSameValue(now.steps, withPresentIds(now, inserted))) return say(says.changedSince);
      change(() => []);
    });
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {says.start}
      </button>
      {isOpen && (
        <TemplatePicker
          kind="SEQUENCE"
          title={says.start}
          act={says.startAct}
          isRunning={editing.isAllowing}
          refusal={editing.refusal}
          effectOf={(template) => (needsBranches(template) ? editBranchWords.allowEffect : null)}
          onPick={(template) => void start(template)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const LISTED = 20;

interface TemplatePickerProps {
  kind: "STEP" | "SEQUENCE";
  title: string;
  act: string;
  isRunning?: boolean;
  refusal?: Refusal | null;
  /** What is saved at once when the template is used; null if nothing. */
  effectOf?: (template: Template) => string | null;
  onPick: (template: Template) => void;
  onClose: () => void;
}

/** A search over the templates of one kind, with the selected one as a person would read it. */
function TemplatePicker(props: TemplatePickerProps) {
  const { kind, title, act, isRunning = false, refusal = null, effectOf, onPick, onClose } = props;
  const [search, setSearch] = useState("");
  const [templateId, select] = useState("");
  const found = useCall("get /templates", {
    kind,
    sort: "name",
    pageSize: LISTED,
    ...(search !== "" && { search }),
  });
  const selected = useCall("get /templates/:templateId", { templateId }, { isOff: templateId === "" });
  const { items = [], total = 0 } = found.data ?? {};
  // A template is inserted as the service has it now, not as an earlier visit read it
  const template = templateId === "" || selected.isLooking ? undefined : selected.data;
  const effect = template === undefined ? null : (effectOf?.(template) ?? null);
  const look = useCallback((words: string) => setSearch(words), []);
  return (
    <Modal title={title} onClose={onClose} isWide>
      <SearchField label={words.search} value={search} onSearch={look} />
      {found.refusal !== null && <RefusalAlert refusal={found.refusal} again={found.again} />}
      {found.data === undefined && found.refusal === null && <Looking isLooking={true} />}
      {found.data !== undefined && total === 0 && <p>{search === "" ? <NoTemplates kind={kind} /> : says.noneFound}</p>}
      <ul className="plain picker">
        {items.map(({ id, name, subject, stepCount }) => (
          <li key={id}>
            <button type="button" className="quiet" aria-pressed={id === templateId} onClick={() => select(id)}>
              <Given>{name}</Given>
              <span className="cut fine">{kind === "STEP" ? subject : templateWords.steps(stepCount)}</span>
            </button>
          </li>
        ))}
      </ul>
      {total > items.length && <p className="fine">{says.more(items.length, total)}</p>}
      {templateId !== "" && selected.refusal !== null && (
        <RefusalAlert refusal={selected.refusal} again={selected.again} />
      )}
      {template !== undefined && kind === "STEP" && <Preview key={template.id} content={template} />}
      {template?.steps.map((step) => (
        <StepShown key={step.stepId} step={step} steps={template.steps} results={null} isOpen={false} />
      ))}
      {effect !== null && <p>{effect}</p>}
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.notYet}
        </button>
        <button
          type="button"
          className="primary"
          aria-disabled={template === undefined || isRunning}
          onClick={() => template !== undefined && !isRunning && onPick(template)}
        >
          <ActText act={act} isRunning={isRunning} />
        </button>
      </div>
    </Modal>
  );
}

function NoTemplates({ kind }: { kind: "STEP" | "SEQUENCE" }) {
  return (
    <>
      {says.none[kind]} <To page="/templates">{says.openTemplates}</To>
    </>
  );
}
