import { useState } from "react";
import { useCall, type useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Combobox } from "../../kit/combobox.tsx";
import { type Option, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { Looking } from "../../kit/looking.tsx";
import { addWords as says } from "../../words/en/campaign-setup/setup.ts";
import { splitAddresses } from "./parse-addresses.ts";

/** The most addresses that the server takes at once. */
export const MOST = 1_000;

interface WayProps<T> extends Pick<ReturnType<typeof useWrite>, "isRunning" | "refusal"> {
  act: string;
  onClose: () => void;
  onAdd: (value: T) => void;
}

interface PasteProps extends WayProps<string[]> {
  text: string;
  setText: (text: string) => void;
}

/** Addresses that a person pastes. */
export function PastedAddresses({ onAdd, onClose, text, setText, ...form }: PasteProps) {
  const entries = splitAddresses(text);
  const submit = () => entries.length > 0 && entries.length <= MOST && onAdd(entries);
  return (
    <Form {...form} fields={[]} onCancel={onClose} onSubmit={submit}>
      <TextArea
        label={says.addresses}
        hint={
          <>
            {says.addressesHint}{" "}
            <span role="status">
              {entries.length > MOST ? says.tooMany(entries.length, MOST) : says.read(entries.length)}
            </span>
          </>
        }
        name="emails"
        rows={8}
        required
        spellCheck={false}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
    </Form>
  );
}

/** The members of a list. */
export function FromList({ onAdd, onClose, ...form }: WayProps<string>) {
  const { data: lists, refusal, again } = useCall("get /lead-lists", {});
  if (lists === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  if (lists.length === 0)
    return (
      <div className="empty">
        <p>{says.noLists}</p>
      </div>
    );
  const submit = (values: FormValues) => onAdd(values.text("leadListId"));
  return (
    <Form {...form} fields={["leadListId"]} mayBeLost onCancel={onClose} onSubmit={submit}>
      <Select
        label={says.list}
        hint={says.listHint}
        name="leadListId"
        isRequired
        refusal={form.refusal}
        options={lists.map(({ id, name, memberCount }) => ({ value: id, text: says.listOf(name, memberCount) }))}
      />
    </Form>
  );
}

const FOUND = 10;

interface SearchProps extends WayProps<string[]> {
  chosen: readonly string[];
  setChosen: (emails: readonly string[]) => void;
}

/** Leads that a person finds one by one. */
export function FoundLeads({ onAdd, onClose, chosen, setChosen, ...form }: SearchProps) {
  const [text, setText] = useState("");
  const search = text.trim();
  const found = useCall("get /leads", { search, pageSize: FOUND }, { isOff: search === "" });
  const options = found.data?.items.map(
    ({ email, fullName }): Option => ({ value: email, text: says.lead(email, fullName) }),
  );
  const pick = ({ value }: Option) => setChosen([...new Set([...chosen, value])]);
  return (
    <>
      {found.refusal !== null && <RefusalAlert refusal={found.refusal} again={found.again} />}
      <Combobox
        label={says.search}
        options={search === "" || found.isLooking ? null : (options ?? null)}
        onSearch={setText}
        onPick={pick}
      />
      <Form {...form} fields={[]} mayBeLost onCancel={onClose} onSubmit={() => chosen.length > 0 && onAdd([...chosen])}>
        <p role="status">{chosen.length === 0 ? says.noneChosen : says.read(chosen.length)}</p>
        <ul className="plain">
          {chosen.map((email) => (
            <li key={email}>
              <bdi>{email}</bdi>{" "}
              <button
                type="button"
                className="quiet"
                aria-label={says.leaveOut(email)}
                onClick={({ currentTarget }) =>
                  keepFocus(currentTarget, "form", () => setChosen(chosen.filter((one) => one !== email)))
                }
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      </Form>
    </>
  );
}
