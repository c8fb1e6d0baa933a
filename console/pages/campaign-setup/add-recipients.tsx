import { useEffect, useState } from "react";
import { useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Modal } from "../../kit/modal.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { addWords as says } from "../../words/en/campaign-setup/setup.ts";
import { type Campaign, isRunning, RENEWS } from "../campaign/reads.ts";
import { type Added, AddedRecipients } from "./added-recipients.tsx";
import { Planned } from "./planned.tsx";
import { useDirect } from "./present-campaign.ts";
import { FoundLeads, FromList, PastedAddresses } from "./recipient-sources.tsx";

const ENDPOINT = "post /campaigns/:campaignId/recipients";
const WAYS = ["paste", "list", "search"] as const;
type Way = (typeof WAYS)[number];
type Wanted = { action: "addManual"; emails: string[] } | { action: "addFromList"; leadListId: string };

interface DialogProps {
  campaign: Campaign;
  /** Addresses of recipients that were just removed. They are added at once, or their effect is shown at once. */
  again?: readonly string[];
  onClose: () => void;
}

/**
 * Adds addresses, the members of a list, or leads that a person finds. On a running campaign it first shows who would be
 * emailed and when. Afterwards it shows which addresses were refused, and why.
 */
export function AddRecipients({ campaign, again = [], onClose }: DialogProps) {
  const { id: campaignId, name, status } = campaign;
  const may = useMay();
  const plan = useWrite(ENDPOINT, { renews: [] });
  const commit = useWrite(ENDPOINT, { renews: RENEWS });
  const [way, setWay] = useState<Way>("paste");
  // Kept here, so that what was typed is still there after a look at the effect
  const [text, setText] = useState(again.join("\n"));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<Wanted | null>(null);
  const [added, setAdded] = useState<Added | null>(null);
  const runs = isRunning(status);
  const direct = useDirect(campaign);
  const add = async (wanted: Wanted, how: { planToken: string } | { expectedVersion: number }) => {
    const answer = await commit.run({ ...wanted, campaignId, ...how });
    if (answer === null || !("added" in answer)) return false;
    if (answer.skippedCount > 0) setAdded(answer);
    else {
      say(says.said(answer));
      onClose();
    }
    return true;
  };
  const send = async (wanted: Wanted) => {
    const write = (expectedVersion: number) => add(wanted, { expectedVersion });
    if ((await direct({ needsPlan: isRunning, write })) !== "NEEDS_PLAN") return;
    commit.clear();
    setAsked(wanted);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => {
    if (again.length > 0) void send({ action: "addManual", emails: [...again] });
  }, []);
  if (added !== null) return <AddedRecipients added={added} onClose={onClose} />;
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
          <To page="/leads/import" view={{ campaign: campaignId }}>
            {says.importFile}
          </To>
        </p>
      )}
      {way === "paste" && (
        <PastedAddresses
          {...shown}
          text={text}
          setText={setText}
          onAdd={(emails) => void send({ action: "addManual", emails })}
        />
      )}
      {way === "list" && (
        <FromList {...shown} onAdd={(leadListId) => void send({ action: "addFromList", leadListId })} />
      )}
      {way === "search" && (
        <FoundLeads
          {...shown}
          chosen={chosen}
          setChosen={setChosen}
          onAdd={(emails) => void send({ action: "addManual", emails })}
        />
      )}
    </Modal>
  );
}

const SCOPES = { paste: "recipients:write", list: "lead_lists:read", search: "leads:read" } as const;
