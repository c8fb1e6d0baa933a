import { MAX_DEPTH, MAX_RULES } from "../../../domain/leads/segment-fields.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Select } from "../../kit/field.tsx";
import { segmentWords as says } from "../../words/en/leads/segments.ts";
import { countRules, FIRST_FIELD, type Group, newGroup, newRow, type Rule } from "./draft-filter.ts";
import type { Sources } from "./reads.ts";
import { EventRule, FieldRule } from "./rule-fields.tsx";

interface FilterBuilderProps {
  group: Group;
  sources: Sources;
  /** The path of the group in the request. */
  path: string;
  refusal: Refusal | null;
  onChange: (next: Group) => void;
}

/** The conditions of a filter, and groups of conditions inside it. */
export function FilterBuilder(props: FilterBuilderProps) {
  const isFull = countRules(props.group) >= MAX_RULES;
  return (
    <>
      <Conditions {...props} place="" depth={1} isFull={isFull} />
      {props.group.rules.length === 0 && <p className="fine">{says.everyone}</p>}
      {isFull && <p className="fine">{says.tooMany(MAX_RULES)}</p>}
    </>
  );
}

interface ConditionsProps extends FilterBuilderProps {
  /** The numbers of the groups around these conditions, such as "2.1.". */
  place: string;
  depth: number;
  isFull: boolean;
}

function Conditions({ group, sources, path, refusal, onChange, place, depth, isFull }: ConditionsProps) {
  const { rules } = group;
  const set = (next: readonly Rule[]) => onChange({ ...group, rules: next });
  const change = (rule: Rule) => set(rules.map((one) => (one.id === rule.id ? rule : one)));
  return (
    <>
      <Select
        label={depth === 1 ? says.combinator : says.combinatorInside}
        name={`${path}.combinator`}
        value={group.combinator}
        options={Object.entries(says.combinators).map(([value, text]) => ({ value, text }))}
        onPick={(picked) => onChange({ ...group, combinator: picked === "OR" ? "OR" : "AND" })}
      />
      {rules.map((rule, at) => {
        const number = `${place}${at + 1}`;
        const shared = { sources, refusal, path: `${path}.rules.${at}` };
        const isGroup = rule.kind === "GROUP";
        return (
          <fieldset key={rule.id} className={isGroup ? "rules" : "rule"}>
            <legend className={isGroup ? "" : "hidden"}>
              {isGroup ? `${says.group} ${number}` : says.condition(number)}
            </legend>
            {isGroup && (
              <Conditions
                {...shared}
                group={rule}
                onChange={change}
                place={`${number}.`}
                depth={depth + 1}
                isFull={isFull}
              />
            )}
            {isGroup && rule.rules.length === 0 && <p className="fine">{says.emptyGroup}</p>}
            {rule.kind === "FIELD" && <FieldRule {...shared} row={rule} onChange={change} />}
            {rule.kind === "EVENT" && <EventRule {...shared} row={rule} onChange={change} />}
            {rule.kind === "RAW" && (
              <p>
                {says.raw} <code>{JSON.stringify(rule.rule)}</code>
              </p>
            )}
            <RowIssue refusal={refusal} path={shared.path} isShown={rule.kind !== "GROUP"} />
            <button
              type="button"
              className="quiet square"
              aria-label={isGroup ? says.removeGroup(number) : says.remove(number)}
              onClick={(event) => {
                const next = nextFocus(event.currentTarget);
                set(rules.filter((one) => one.id !== rule.id));
                next?.focus();
              }}
            >
              ×
            </button>
          </fieldset>
        );
      })}
      {!isFull && (
        <div className="buttons start">
          <button type="button" data-add onClick={() => set([...rules, newRow(FIRST_FIELD, sources.custom)])}>
            {says.add}
          </button>
          {depth < MAX_DEPTH && (
            <button type="button" onClick={() => set([...rules, newGroup(sources.custom)])}>
              {says.addGroup}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** The button that adds a condition beside a removed one, so that the focus is not lost. */
function nextFocus(button: HTMLElement): HTMLElement | null {
  return (
    button.closest("fieldset")?.parentElement?.querySelector<HTMLElement>(":scope > .buttons > [data-add]") ?? null
  );
}

/** What the service says about a whole condition. What it says about one of its fields is shown beside that. */
function RowIssue({ refusal, path, isShown }: { refusal: Refusal | null; path: string; isShown: boolean }) {
  const issue = refusal?.issues.find((one) => one.path === path);
  if (!isShown || issue === undefined) return null;
  return <p className="wrong">{issue.message}</p>;
}
