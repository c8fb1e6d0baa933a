import { useCall } from "../../api/query.ts";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { sequenceWords } from "../../words/en/sequence.ts";
import { configWords as says } from "../../words/en/sequence-branches.ts";
import type { Step } from "./draft.ts";
import { changeStep } from "./edits.ts";
import type { Editing } from "./use-draft.ts";

/** What a step that is not an email does. */
export function StepConfig({ editing: { change }, step }: { editing: Editing; step: Step }) {
  const { stepId, type, config } = step;
  if (type === "EMAIL") return null;
  const set = (fields: Readonly<Record<string, unknown>>) =>
    change((steps) => changeStep(steps, stepId, { config: { ...config, ...fields } }));
  const text = (name: string) => {
    const value = config[name];
    return typeof value === "string" ? value : "";
  };
  return (
    <>
      <p>{sequenceWords.deeds[type]}</p>
      {type === "TASK" && (
        <>
          <Field
            label={says.title}
            name="title"
            maxLength={200}
            value={text("title")}
            onChange={({ currentTarget: { value } }) => set({ title: value })}
          />
          <Field
            label={says.assignee}
            name="assignee"
            maxLength={200}
            value={text("assignee")}
            onChange={({ currentTarget: { value } }) => set({ assignee: value === "" ? null : value })}
          />
        </>
      )}
      {(type === "TASK" || type === "APPROVAL") && (
        <TextArea
          label={says.note}
          name="note"
          rows={3}
          maxLength={2_000}
          value={text("note")}
          onChange={({ currentTarget: { value } }) => set({ note: value })}
        />
      )}
      {type === "WEBHOOK" && <WebhookAddress url={text("url")} onChange={(url) => set({ url })} />}
      {type === "ADD_TAG" && (
        <Field
          label={says.tags}
          hint={says.tagsHint}
          name="tags"
          defaultValue={Array.isArray(config["tags"]) ? config["tags"].join(", ") : ""}
          onChange={({ currentTarget: { value } }) =>
            set({
              tags: value
                .split(",")
                .map((tag) => tag.trim())
                .filter((tag) => tag !== ""),
            })
          }
        />
      )}
      {type === "MOVE_TO_CAMPAIGN" && (
        <OtherCampaign campaignId={text("campaignId")} onPick={(campaignId) => set({ campaignId })} />
      )}
    </>
  );
}

/** The rest of the address may contain a secret, so only its host is shown; a new address replaces all of it. */
function WebhookAddress({ url, onChange }: { url: string; onChange: (url: string) => void }) {
  const host = URL.parse(url)?.host;
  return (
    <Field
      label={says.url}
      hint={host === undefined ? says.urlHint : says.urlNow(host)}
      name="url"
      type="password"
      autoComplete="off"
      placeholder="https://"
      onChange={({ currentTarget: { value } }) => value !== "" && onChange(value)}
    />
  );
}

const LISTED = 200;

function OtherCampaign({ campaignId, onPick }: { campaignId: string; onPick: (campaignId: string) => void }) {
  const { data } = useCall("get /campaigns", { pageSize: LISTED });
  const campaigns = data?.items.map(({ id, name }) => ({ value: id, text: name })) ?? [];
  const isListed = campaignId === "" || campaigns.some(({ value }) => value === campaignId);
  const options = isListed ? campaigns : [{ value: campaignId, text: says.thisCampaign }, ...campaigns];
  return (
    <Select
      label={says.campaign}
      name="campaignId"
      value={campaignId}
      options={[{ value: "", text: says.choose }, ...options]}
      onPick={(id) => id !== "" && onPick(id)}
    />
  );
}
