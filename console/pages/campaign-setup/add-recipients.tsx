import { useState } from "react";
import type { Out } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Combobox } from "../../kit/combobox.tsx";
import { type Option, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Lines } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Modal } from "../../kit/modal.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { addWords as says } from "../../words/en/campaign-setup/setup.ts";
import { words } from "../../words/en.ts";
import { type Campaign, isRunning, RENEWS } from "../campaign/reads.ts";
import { splitAddresses } from "./parse-addresses.ts";
import { Planned } from "./planned.tsx";

const ENDPOINT = "post /campaigns/:campaignId/recipients";
type Added = Out<typeof ENDPOINT, { action: "addManual" }>;
/** The most addresses that the server takes at once. */
const MOST = 1_000;
const WAYS = ["paste", "list", "search"] as const;
type Way = (typeof WAYS)[number];
type Wanted = { action: "addManual"; emails: string[] } | { action: "addFromList"; leadListId: string };

interface DialogProps {
  campaign: Campaign;
  onClose: () => void;
}

/**
 * Adds addresses, the members of a list, or leads that a person finds. On a running campaign it first shows who would be
 * emailed and when. Afterwards it shows which addresses were refused, and why.
 */
export function AddRecipients({ campaign, onClose }: DialogProps) {
  const { id: campaignId, name, status } = campaign;
  const may = useMay();
  const plan = useWrite(ENDPOINT, { renews: [] });
  const commit = useWrite(ENDPOINT, { renews: RENEWS });
  const [way, setWay] = useState<Way>("paste");
  // Kept here, so that what was typed is still there after a look at the effect
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<Wanted | null>(null);
  const [added, setAdded] = useState<Added | null>(null);
  const runs = isRunning(status);
  const add = async (wanted: Wanted, planning: { planToken?: string } = {}) => {
    const answer = await commit.run({ ...wanted, campaignId, ...planning });
    if (answer === null || !("added" in answer)) return false;
    if (answer.skippedCount > 0) setAdded(answer);
    else {
      say(says.said(answer));
      onClose();
    }
    return true;
  };
  if (added !== null) return <Result added={added} onClose={onClose} />;
  if (asked !== null)
    return (
      <Planned
        title={says.planTitle(name)}
        act={says.act}
        plan={{ ...plan, ask: () => plan.run({ ...asked, campaignId, planOnly: true }) }}
        commit={{ ...commit, run: (planToken) => add(asked, { planToken }) }}
        onDone={() => setAsked(null)}
        onClose={() => setAsked(null)}
      />
    );
  const send = (wanted: Wanted) => (runs ? setAsked(wanted) : void add(wanted));
  const shown = { isRunning: commit.isRunning, refusal: commit.refusal, act: runs ? says.look : says.act, onClose };
  const ways = WAYS.filter((one) => may(SCOPES[one]));
  return (
    <Modal title={says.title(name)} onClose={onClose} isWide>
      <fieldset className="chips">
        <legend className="hidden">{says.ways}</legend>
        {ways.map((one) => (
          <button key={one} type="button" aria-pressed={one === way} onClick={() => setWay(one)}>
            {says.way[one]}
          </button>
        ))}
      </fieldset>
      <p>{runs ? says.effectRunning : says.effect}</p>
      {may("leads:write") && (
        <p className="fine">
          {says.fromFile}{" "}
          <To page="/leads/import" view={{ campaign: campaignId }} onOpen={onClose}>
            {says.importFile}
          </To>
        </p>
      )}
      {way === "paste" && (
        <Paste {...shown} text={text} setText={setText} onAdd={(emails) => send({ action: "addManual", emails })} />
      )}
      {way === "list" && <FromList {...shown} onAdd={(leadListId) => send({ action: "addFromList", leadListId })} />}
      {way === "search" && (
        <Search
          {...shown}
          chosen={chosen}
          setChosen={setChosen}
          onAdd={(emails) => send({ action: "addManual", emails })}
        />
      )}
    </Modal>
  );
}

const SCOPES = { paste: "recipients:write", list: "lead_lists:read", search: "leads:read" } as const;

interface WayProps<T> extends Pick<ReturnType<typeof useWrite>, "isRunning" | "refusal"> {
  act: string;
  onClose: () => void;
  onAdd: (value: T) => void;
}

interface PasteProps extends WayProps<string[]> {
  text: string;
  setText: (text: string) => void;
}

function Paste({ onAdd, onClose, text, setText, ...form }: PasteProps) {
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

function FromList({ onAdd, onClose, ...form }: WayProps<string>) {
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
function Search({ onAdd, onClose, chosen, setChosen, ...form }: SearchProps) {
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
                onClick={() => setChosen(chosen.filter((one) => one !== email))}
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

const REASONS = ["INVALID", "SUPPRESSED", "BLOCK_LISTED", "IN_OTHER_CAMPAIGN"] as const;

/** What was added, and the addresses that were refused by reason. */
function Result({ added, onClose }: { added: Added; onClose: () => void }) {
  const { skipped, skippedCount } = added;
  return (
    <Modal title={says.resultTitle} onClose={onClose} isWide>
      <p className="headline">{says.said(added)}</p>
      {REASONS.map((reason) => {
        const lines = skipped.flatMap((one) => (one.reason === reason ? [one.email] : []));
        if (lines.length === 0) return null;
        return (
          <section key={reason} aria-label={says.refused[reason].head}>
            <h3>{says.refused[reason].head}</h3>
            <p className="fine">
              {says.refused[reason].text}{" "}
              {reason === "BLOCK_LISTED" && <To page="/block-list">{words.navigation.blockList}</To>}
            </p>
            <Lines lines={lines} more={says.moreRefused} />
          </section>
        );
      })}
      {skippedCount > skipped.length && <p className="fine">{says.firstRefused(skipped.length)}</p>}
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {says.done}
        </button>
      </div>
    </Modal>
  );
}
