import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useWrite } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { saveFile } from "../../api/save-file.ts";
import { useMay } from "../../api/workspace.ts";
import { Field } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Confirm, Modal } from "../../kit/modal.tsx";
import { pathTo } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { deedWords as says } from "../../words/en/campaign-setup/setup.ts";
import { type Campaign, RENEWS } from "../campaign/reads.ts";

export type Deed = keyof typeof says.names;
/** What both the list of campaigns and the page of one know about it. */
type Known = Pick<Campaign, "id" | "name" | "status" | "recipientCount">;

/** Returns what this person may do with a campaign as a whole, besides sending. */
export function useDeeds(): (campaign: Pick<Known, "status">) => Deed[] {
  const may = useMay();
  const [writes, reads] = [may("campaigns:write"), may("recipients:read")];
  return ({ status }) => {
    const isArchived = status === "ARCHIVED";
    const deeds: [Deed, boolean][] = [
      ["rename", writes && !isArchived],
      ["duplicate", writes],
      ["export", reads],
      ["archive", writes && !isArchived],
      ["unarchive", writes && isArchived],
    ];
    return deeds.flatMap(([deed, isAllowed]) => (isAllowed ? [deed] : []));
  };
}

/** The menu of a row in the list of campaigns. */
export function RowDeeds({ campaign }: { campaign: Known }) {
  const [asked, setAsked] = useState<Deed | null>(null);
  const deedsOf = useDeeds();
  const items = deedsOf(campaign).map((deed) => ({ name: says.names[deed], run: () => setAsked(deed) }));
  if (items.length === 0) return null;
  return (
    <>
      <Menu label={says.more} of={campaign.name} items={items} />
      {asked !== null && <AskedDeed deed={asked} campaign={campaign} onClose={() => setAsked(null)} />}
    </>
  );
}

interface AskedProps {
  campaign: Known;
  onClose: () => void;
}

/** The dialog of an action. It shows the effect before anything happens. */
export function AskedDeed({ deed, ...asked }: AskedProps & { deed: Deed }) {
  if (deed === "rename") return <Rename {...asked} />;
  if (deed === "duplicate") return <Duplicate {...asked} />;
  if (deed === "export") return <Export {...asked} />;
  return <Archive {...asked} action={deed} />;
}

function Rename({ campaign: { id: campaignId, name: before }, onClose }: AskedProps) {
  const { run, isRunning, refusal } = useWrite("patch /campaigns/:campaignId", { renews: RENEWS });
  const submit = async (values: FormValues) => {
    const name = values.text("name").trim();
    if ((await run({ campaignId, name })) === null) return;
    say(says.renamed(name), { name: says.undo, run: () => void run({ campaignId, name: before }) });
    onClose();
  };
  return (
    <Modal title={says.renameTitle(before)} onClose={onClose}>
      <NameForm act={says.renameAct} name={before} {...{ isRunning, refusal, onClose }} onSubmit={submit} />
    </Modal>
  );
}

function Duplicate({ campaign: { id: campaignId, name: before }, onClose }: AskedProps) {
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/duplicate", { renews: RENEWS });
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const submit = async (values: FormValues) => {
    const copy = await run({ campaignId, newName: values.text("newName").trim() });
    if (copy === null) return;
    say(says.duplicated(copy.name));
    onClose();
    await navigate({ to: pathTo(workspaceId, "/campaigns/$campaignId", { campaignId: copy.id }) });
  };
  return (
    <Modal title={says.duplicateTitle(before)} onClose={onClose}>
      <p>{says.duplicateEffect}</p>
      <NameForm
        act={says.duplicateAct}
        field="newName"
        name={says.copyName(before)}
        {...{ isRunning, refusal, onClose }}
        onSubmit={submit}
      />
    </Modal>
  );
}

interface NameFormProps {
  act: string;
  field?: "name" | "newName";
  name: string;
  isRunning: boolean;
  refusal: Refusal | null;
  onClose: () => void;
  onSubmit: (values: FormValues) => Promise<void>;
}

function NameForm({ act, field = "name", name, isRunning, refusal, onClose, onSubmit }: NameFormProps) {
  const limits = limitsOf("post /campaigns", "name");
  return (
    <Form
      act={act}
      isRunning={isRunning}
      refusal={refusal}
      fields={[field]}
      onCancel={onClose}
      onSubmit={(values) => void onSubmit(values)}
    >
      <Field
        label={says.name}
        name={field}
        defaultValue={[...name].slice(0, limits.maxLength).join("")}
        limits={limits}
        refusal={refusal}
      />
    </Form>
  );
}

/** Saves all recipients as a CSV file. The server sends a large file from a URL of its own. */
function Export({ campaign: { id: campaignId, name, recipientCount }, onClose }: AskedProps) {
  const workspaceId = useWorkspaceId();
  const [isRunning, setRunning] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const act = async () => {
    setRunning(true);
    setRefusal(null);
    try {
      const file = await call("get /campaigns/:campaignId/recipients/export", { campaignId }, { workspaceId });
      saveFile({ ...file, type: "text/csv" });
      say(says.exported(file.total));
      onClose();
    } catch (err) {
      setRefusal(refusalOf(err));
      setRunning(false);
    }
  };
  return (
    <Confirm
      title={says.exportTitle(name)}
      effect={<p>{says.exportEffect(recipientCount)}</p>}
      act={says.exportAct}
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}

function Archive({
  campaign: { id: campaignId, name, status },
  action,
  onClose,
}: AskedProps & { action: "archive" | "unarchive" }) {
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/archive", { renews: RENEWS });
  const isArchiving = action === "archive";
  const act = async () => {
    if ((await run({ action, campaignId })) === null) return;
    const unarchive = async () => {
      if ((await run({ action: "unarchive", campaignId })) !== null) say(says.unarchived(name));
    };
    if (isArchiving) say(says.archived(name), { name: says.unarchive, run: () => void unarchive() });
    else say(says.unarchived(name));
    onClose();
  };
  const archiveEffect = status === "DRAFT" ? says.archiveDraftEffect : says.archiveEffect;
  return (
    <Confirm
      title={isArchiving ? says.archiveTitle(name) : says.unarchiveTitle(name)}
      effect={<p>{isArchiving ? archiveEffect : says.unarchiveEffect}</p>}
      act={isArchiving ? says.archiveAct : says.unarchiveAct}
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}
