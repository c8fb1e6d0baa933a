import { useNavigate } from "@tanstack/react-router";
import { type ComponentProps, useMemo, useState } from "react";
import type { Endpoint, In } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Modal } from "../../kit/modal.tsx";
import { pathTo, To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { editLeadWords as says } from "../../words/en/leads/edit-lead.ts";
import { Planned } from "../campaign-setup/planned.tsx";
import { RENEWS as BULK, sends } from "./bulk.tsx";
import { CREATE, LeadForm, type LeadPatch } from "./lead-form.tsx";
import type { Lead } from "./reads.ts";

const MANAGE = "post /leads/manage";
const RENEWS: readonly Endpoint[] = [...BULK, "get /leads/:leadId/activity"];
/** What the console writes into a new lead as its source. */
const SOURCE = "Console";

/** Creates a lead and opens it. */
export function NewLead({ onClose }: { onClose: () => void }) {
  const plan = useWrite(CREATE, { renews: [] });
  const create = useWrite(CREATE, { renews: RENEWS });
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const [asked, setAsked] = useState<In<typeof CREATE> | null>(null);
  const finish = async (lead: In<typeof CREATE>, planToken: string) => {
    const created = await create.run({ ...lead, planToken });
    if (created === null || !("email" in created)) return false;
    say(says.saidCreated(created.email));
    onClose();
    void navigate({ to: pathTo(workspaceId, "/leads/$leadId", { leadId: created.id }) });
    return true;
  };
  const save = async ({ email = "", ...patch }: LeadPatch) => {
    const given = Object.entries(patch).filter(([, value]) => value !== null);
    const lead: In<typeof CREATE> = { email, source: SOURCE, ...Object.fromEntries(given) };
    const answer = await plan.run({ ...lead, planOnly: true });
    if (answer === null) return;
    if (sends(answer)) return setAsked(lead);
    await finish(lead, answer.planToken);
  };
  const refusal = plan.refusal ?? (asked === null ? create.refusal : null);
  return (
    <>
      <Modal title={says.add} onClose={onClose} isWide>
        <Existing refusal={refusal} />
        <LeadForm
          lead={null}
          act={says.create}
          isRunning={plan.isRunning || create.isRunning}
          refusal={refusal}
          onSave={(patch) => void save(patch)}
          onCancel={onClose}
        />
      </Modal>
      {asked !== null && (
        <SendsQuestion
          email={asked.email}
          plan={{ ...plan, ask: () => plan.run({ ...asked, planOnly: true }) }}
          commit={{ ...create, run: (planToken) => finish(asked, planToken) }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** A link to the lead that already has the address. */
function Existing({ refusal }: { refusal: Refusal | null }) {
  const leadId = refusal?.code === "LEAD_ALREADY_EXISTS" ? refusal.details["leadId"] : undefined;
  if (typeof leadId !== "string") return null;
  return (
    <p>
      <To page="/leads/$leadId" ids={{ leadId }}>
        {says.openIt}
      </To>
    </p>
  );
}

/**
 * Changes a lead. Only changed fields are sent, so that nothing is overwritten that someone else has changed meanwhile.
 */
export function EditLead({ lead: current, onClose }: { lead: Lead; onClose: () => void }) {
  // The form keeps the lead that it began with, because the page reads the lead again and again
  const [lead] = useState(current);
  const plan = useWrite(MANAGE, { renews: [] });
  const write = useWrite(MANAGE, { renews: RENEWS });
  const undo = useWrite(MANAGE, { renews: RENEWS });
  const [asked, setAsked] = useState<LeadPatch | null>(null);
  const requestOf = (patch: LeadPatch) => ({ action: "update" as const, leadId: lead.id, patch });
  const takeBack = async (patch: LeadPatch) =>
    say((await undo.run(requestOf(patch))) === null ? says.notUndone : says.saidUndone);
  const finish = async (patch: LeadPatch, planToken: string) => {
    if ((await write.run({ ...requestOf(patch), planToken })) === null) return false;
    // A new address may be suppressed or blocked, which the old address would not undo
    const back = "email" in patch ? null : before(lead, patch);
    say(says.saidSaved, ...(back === null ? [] : [{ name: says.undo, run: () => void takeBack(back) }]));
    onClose();
    return true;
  };
  const save = async (patch: LeadPatch) => {
    if (Object.keys(patch).length === 0) return onClose();
    const answer = await plan.run({ ...requestOf(patch), planOnly: true });
    if (answer === null) return;
    if (sends(answer)) return setAsked(patch);
    await finish(patch, answer.planToken);
  };
  const raised = plan.refusal ?? (asked === null ? write.refusal : null);
  // One object for one refusal, because a new one moves the focus to the field that it names
  const refusal = useMemo(() => raised?.within("patch") ?? null, [raised]);
  const isWaitedFor = lead.campaigns.length > 0;
  return (
    <>
      <Modal title={says.editTitle(lead.email)} onClose={onClose} isWide>
        {isWaitedFor && <p>{says.laterEmails}</p>}
        <Existing refusal={refusal} />
        <LeadForm
          lead={lead}
          act={says.save}
          isRunning={plan.isRunning || write.isRunning}
          refusal={refusal}
          onSave={(patch) => void save(patch)}
          onCancel={onClose}
        />
      </Modal>
      {asked !== null && (
        <SendsQuestion
          email={lead.email}
          plan={{ ...plan, ask: () => plan.run({ ...requestOf(asked), planOnly: true }) }}
          commit={{ ...write, run: (planToken) => finish(asked, planToken) }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

type SendsQuestionProps = Pick<ComponentProps<typeof Planned>, "plan" | "commit" | "onClose"> & { email: string };

/** Shows what a running campaign sends because of the change, before it is made. */
function SendsQuestion({ email, onClose, ...writes }: SendsQuestionProps) {
  return (
    <Planned
      title={says.planTitle(email)}
      act={says.planAct}
      intro={<p>{says.planIntro}</p>}
      {...writes}
      onDone={onClose}
      onClose={onClose}
    />
  );
}

/** The patch that restores the fields of this patch. */
function before(lead: Lead, { customFields = {}, ...patch }: LeadPatch): LeadPatch {
  const had: Readonly<Record<string, unknown>> = { ...lead };
  const texts = Object.keys(patch).map((name) => [name, had[name] ?? null]);
  const custom = Object.keys(customFields).map((key) => [key, lead.customFields[key] ?? null]);
  return {
    ...Object.fromEntries(texts),
    ...(custom.length > 0 && { customFields: Object.fromEntries(custom) }),
  };
}
