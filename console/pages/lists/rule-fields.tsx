import {
  FIELDS,
  fieldOf,
  type LeadField,
  SEGMENT_EVENTS,
  type SegmentEvent,
} from "../../../domain/leads/segment-fields.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Field, type Option, Select } from "../../kit/field.tsx";
import { SEGMENT_EVENT, SEGMENT_FIELD, SEGMENT_VALUE, segmentWords as says } from "../../words/en/leads/segments.ts";
import { OPERATOR } from "../../words/en/sequence.ts";
import { wordFor } from "../../words/states.ts";
import {
  CUSTOM,
  type EventRow,
  type FieldRow,
  newEvent,
  newRow,
  operatorsFor,
  type Rule,
  shapeOf,
  withOperator,
} from "./draft-filter.ts";
import type { Sources } from "./reads.ts";
import { RuleValue } from "./rule-value.tsx";

interface RowProps<R> {
  row: R;
  sources: Sources;
  /** The path of the rule in the request. */
  path: string;
  refusal: Refusal | null;
  onChange: (next: Rule) => void;
}

const EVENT = "event ";

/** The fields of one condition about a field of the lead. */
export function FieldRule({ row, sources, path, refusal, onChange }: RowProps<FieldRow>) {
  const { field, operator, values } = row;
  const { custom } = sources;
  return (
    <>
      <What chosen={field} {...{ row, sources, path, refusal, onChange }} />
      <Select
        label={says.operator}
        name={`${path}.operator`}
        refusal={refusal}
        value={operator}
        options={operatorsFor(field, custom).map((value) => ({ value, text: OPERATOR[value] }))}
        onPick={(picked) => {
          const next = operatorsFor(field, custom).find((one) => one === picked);
          if (next !== undefined) onChange(withOperator(row, next, custom));
        }}
      />
      <RuleValue
        key={`${field} ${operator}`}
        shape={shapeOf(row, custom)}
        values={values}
        name={`${path}.value`}
        refusal={refusal}
        options={optionsOf(field, sources)}
        onChange={(next) => onChange({ ...row, values: next })}
      />
    </>
  );
}

/** The fields of one condition about what happened to the lead. */
export function EventRule({ row, sources, path, refusal, onChange }: RowProps<EventRow>) {
  const { event, negate, withinDays, minCount, campaignId } = row;
  const campaigns = sources.campaigns.some(({ value }) => value === campaignId || campaignId === "")
    ? sources.campaigns
    : [...sources.campaigns, ...(campaignId === "" ? [] : [{ value: campaignId, text: campaignId }])];
  return (
    <>
      <What chosen={`${EVENT}${event}`} {...{ row, sources, path, refusal, onChange }} />
      <Select
        label={says.happened}
        name={`${path}.negate`}
        refusal={refusal}
        value={negate ? "no" : "yes"}
        options={Object.entries(says.happens).map(([value, text]) => ({ value, text }))}
        onPick={(picked) => onChange({ ...row, negate: picked === "no" })}
      />
      <Field
        label={says.withinDays}
        hint={says.ever}
        name={`${path}.withinDays`}
        refusal={refusal}
        type="number"
        min={1}
        step={1}
        value={withinDays}
        onChange={({ currentTarget: { value } }) => onChange({ ...row, withinDays: value })}
      />
      <Field
        label={says.minCount}
        hint={says.once}
        name={`${path}.minCount`}
        refusal={refusal}
        type="number"
        min={1}
        step={1}
        value={minCount}
        onChange={({ currentTarget: { value } }) => onChange({ ...row, minCount: value })}
      />
      <Select
        label={says.campaign}
        name={`${path}.campaignId`}
        refusal={refusal}
        value={campaignId}
        options={[{ value: "", text: says.anyCampaign }, ...campaigns]}
        onPick={(picked) => onChange({ ...row, campaignId: picked })}
      />
    </>
  );
}

/** What the condition is about: a field, a custom field, or an event. */
function What({ chosen, row, sources, path, refusal, onChange }: RowProps<FieldRow | EventRow> & { chosen: string }) {
  const { custom } = sources;
  const pick = (picked: string) => {
    const event = SEGMENT_EVENTS.find((one) => `${EVENT}${one}` === picked);
    onChange({ ...(event === undefined ? newRow(picked, custom) : newEvent(event)), id: row.id });
  };
  return (
    <Select
      label={says.field}
      name={`${path}.field`}
      refusal={refusal}
      value={chosen}
      options={fieldOptions(sources, chosen)}
      onPick={pick}
    />
  );
}

function fieldOptions({ custom }: Sources, chosen: string): Option[] {
  const known = new Set(FIELDS.map(({ name }) => name));
  const fields = (Object.keys(SEGMENT_FIELD) as LeadField[]) // the keys of a constant
    .filter((name) => known.has(name))
    .map((value) => ({ value, text: SEGMENT_FIELD[value], group: says.groups.fields }));
  const own = custom
    .filter(({ archived, key }) => !archived || chosen === `${CUSTOM}${key}`)
    .map(({ key, label }) => ({ value: `${CUSTOM}${key}`, text: label, group: says.groups.custom }));
  const undeclared = { value: chosen, text: chosen.slice(CUSTOM.length), group: says.groups.custom };
  const isUndeclared = chosen.startsWith(CUSTOM) && !own.some(({ value }) => value === chosen);
  const events = SEGMENT_EVENTS.map((event: SegmentEvent) => ({
    value: `${EVENT}${event}`,
    text: SEGMENT_EVENT[event],
    group: says.groups.events,
  }));
  return [...fields, ...own, ...(isUndeclared ? [undeclared] : []), ...events];
}

/** The values that a person can choose for a field. */
function optionsOf(field: string, { custom, tags, lists }: Sources): readonly Option[] {
  if (field === "tags") return tags;
  if (field === "listIds") return lists;
  const known = fieldOf(field);
  if (known?.kind === "WORD")
    return known.words.map((value) => ({ value, text: wordFor(SEGMENT_VALUE[field] ?? {}, value) }));
  const options = custom.find(({ key }) => `${CUSTOM}${key}` === field)?.options ?? [];
  return options.map((value) => ({ value, text: value }));
}
