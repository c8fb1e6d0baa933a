import { SEQUENCE_MODE, changeWords as says, TEXT_SETTINGS } from "./en/changes.ts";
import { DELAY_UNIT, STEP_TYPE, sequenceWords } from "./en/sequence.ts";
import { formatCount } from "./format.ts";
import { wordFor } from "./states.ts";

/** A difference between two versions of a campaign, as the server returns it. */
export interface Change {
  stepId: string | null;
  variantId: string | null;
  field: string;
  before?: unknown;
  after?: unknown;
}

/** The names of the steps and variants of a version. */
export interface Names {
  /** The position of a step; null if unknown. */
  orderOf: (stepId: string) => number | null;
  labelOf: (variantId: string) => string | null;
}

/** Characters of a value that are shown. */
const SHOWN = 80;

/** The differences as text, one per entry. */
export function changesInWords(changes: readonly Change[], names: Names): string[] {
  return [...new Set(changes.map((change) => changeInWords(change, names)))];
}

function changeInWords(change: Change, names: Names): string {
  const { stepId, variantId, field, before, after } = change;
  const [, setting] = /^settings\.(.*)$/s.exec(field) ?? [];
  if (setting !== undefined) return settingInWords(setting, before, after);
  if (field === "mode")
    return says.values(says.mode, wordFor(SEQUENCE_MODE, String(before)), wordFor(SEQUENCE_MODE, String(after)));
  if (stepId === null) return says.changed(field);
  if (variantId !== null)
    return says.of(says.step(names.orderOf(stepId)), variantInWords(change, names.labelOf(variantId)));
  if (field === "step")
    return before === null ? says.stepAdded(says.step(Number(after))) : says.stepRemoved(says.step(Number(before)));
  if (field === "order") return says.moved(Number(before), Number(after));
  return says.of(says.step(names.orderOf(stepId)), stepInWords(change));
}

function stepInWords({ field, before, after }: Change): string {
  if (field === "type")
    return says.values(says.type, wordFor(STEP_TYPE, String(before)), wordFor(STEP_TYPE, String(after)));
  if (field === "delay") return says.values(says.delay, delayOf(before), delayOf(after));
  if (field === "threadMode") return says.values(says.thread, threadOf(before), threadOf(after));
  return says.changed(says.partOfStep(field));
}

function variantInWords({ field, before, after }: Change, label: string | null): string {
  const variant = says.variant(label);
  if (field === "variant" && before === null) return says.variantAdded(says.variant(String(after)));
  if (field === "variant") return says.variantRemoved(says.variant(String(before)));
  if (field === "label") return says.renamed(String(before), String(after));
  if (field === "enabled") return after === true ? says.enabled(variant) : says.disabled(variant);
  if (field === "weight") return says.values(says.weight(variant), String(before), String(after));
  return says.changed(says.partOfVariant(field, variant));
}

function settingInWords(name: string, before: unknown, after: unknown): string {
  const [old, present] = [shownValue(name, before), shownValue(name, after)];
  const setting = says.setting(name);
  return old === null || present === null ? says.changed(setting) : says.values(`${setting}:`, old, present);
}

/** The value of a setting as text; null if it cannot be shown in one line. */
function shownValue(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return says.none;
  if (typeof value === "boolean") return value ? says.yes : says.no;
  if (typeof value === "number") return formatNumber(value);
  return typeof value === "string" && Object.hasOwn(TEXT_SETTINGS, name) && value.length <= SHOWN ? value : null;
}

/** Formats a number. A share, such as that of a hold-out, keeps its decimals. */
function formatNumber(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(value);
}

function delayOf(delay: unknown): string {
  if (typeof delay !== "object" || delay === null || !("value" in delay) || !("unit" in delay)) return says.none;
  const { value, unit } = delay;
  return isUnit(unit) ? DELAY_UNIT[unit](Number(value)) : `${String(value)} ${wordFor({}, String(unit))}`;
}

function isUnit(unit: unknown): unit is keyof typeof DELAY_UNIT {
  return typeof unit === "string" && Object.hasOwn(DELAY_UNIT, unit);
}

function threadOf(mode: unknown): string {
  return wordFor(sequenceWords.thread, String(mode)).toLowerCase();
}

/**
 * The ids of the steps before an edit, in order. A moved or removed step is put back at its earlier position; all other
 * steps keep their order.
 */
export function idsBefore(after: readonly string[], changes: readonly Change[]): string[] {
  const ofSteps = changes.filter(({ field }) => field === "step" || field === "order");
  const placed = new Map(
    ofSteps.flatMap(({ stepId, before }) => (typeof before === "number" ? [[before, stepId ?? ""]] : [])),
  );
  const others = new Set(ofSteps.map(({ stepId }) => stepId));
  const stayed = after.filter((stepId) => !others.has(stepId));
  return Array.from(
    { length: stayed.length + placed.size },
    (_, index) => placed.get(index + 1) ?? stayed.shift() ?? "",
  );
}
