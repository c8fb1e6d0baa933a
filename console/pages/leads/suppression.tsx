import type { ReactNode } from "react";
import type { SuppressionReason } from "../../../domain/states.ts";
import { useWrite } from "../../api/query.ts";
import type { Act } from "../../kit/act.tsx";
import { Given } from "../../kit/given.tsx";
import { say } from "../../kit/toast.tsx";
import { SUPPRESSION_REASON, suppressWords as says } from "../../words/en/leads/leads.ts";

/** The data of a lead that a page needs to suppress it. */
interface Suppressible {
  id: string;
  email: string;
  suppressed: boolean;
  suppressionReason: SuppressionReason | null;
}

const RENEWS = ["get /leads", "get /leads/:leadId", "get /leads/:leadId/activity"] as const;
/** How many addresses a dialog lists; it only counts further ones. */
const NAMED = 10;

/**
 * Returns the actions that suppress and unsuppress leads; each shows the effect first. `campaigns` are the names of
 * campaigns in which the leads are open recipients; null if they are not known.
 */
export function useSuppression(campaigns: readonly string[] | null = null) {
  const { run, refusal } = useWrite("post /leads/suppress", { renews: RENEWS });
  const change = async (action: "suppress" | "unsuppress", leads: readonly Suppressible[]) => {
    const answer = await run({ action, ids: leads.map(({ id }) => id) });
    if (answer === null) return null;
    const changed = "changed" in answer ? answer.changed : 0;
    say(changed === 0 ? says.saidNothing : action === "suppress" ? says.said(changed) : says.saidAllowed(changed));
    return answer;
  };
  return <T extends Suppressible>(leads: readonly T[]): Act<readonly T[]>[] => {
    const [open, closed] = [
      leads.filter(({ suppressed }) => !suppressed),
      leads.filter(({ suppressed }) => suppressed),
    ];
    const acts: Act<readonly T[]>[] = [];
    if (open.length > 0) {
      acts.push({
        name: says.suppress,
        act: says.act(open.length),
        isDangerous: true,
        effect: <SuppressEffect leads={open} campaigns={campaigns} />,
        refusal,
        run: () => change("suppress", open),
      });
    }
    if (closed.length > 0) {
      acts.push({
        name: says.unsuppress,
        act: says.allowAct(closed.length),
        effect: <AllowEffect leads={closed} />,
        refusal,
        run: () => change("unsuppress", closed),
      });
    }
    return acts;
  };
}

function SuppressEffect({ leads, campaigns }: { leads: readonly Suppressible[]; campaigns: readonly string[] | null }) {
  return (
    <>
      <p>{says.effect(leads.length)}</p>
      <Named names={leads.map(({ id, email }) => ({ id, name: email }))} />
      <p>{campaigns === null ? says.endsUnnamed : campaigns.length === 0 ? says.endsNowhere : says.ends}</p>
      {campaigns !== null && <Named names={campaigns.map((name) => ({ id: name, name }))} />}
      <p>{says.keeps}</p>
      <p>{says.back}</p>
    </>
  );
}

function AllowEffect({ leads }: { leads: readonly Suppressible[] }) {
  const reasonOf = ({ suppressionReason }: Suppressible) =>
    suppressionReason === null ? null : SUPPRESSION_REASON[suppressionReason];
  return (
    <>
      <p>{says.allowEffect(leads.length)}</p>
      <p>{says.allowReason}</p>
      <Named names={leads.map((lead) => ({ id: lead.id, name: lead.email, note: reasonOf(lead) }))} />
      <p>{says.allowKeeps}</p>
    </>
  );
}

function Named({ names }: { names: readonly { id: string; name: string; note?: ReactNode }[] }) {
  if (names.length === 0) return null;
  return (
    <ul>
      {names.slice(0, NAMED).map(({ id, name, note = null }) => (
        <li key={id}>
          <Given>{name}</Given>
          {note !== null && <span className="fine"> {note}</span>}
        </li>
      ))}
      {names.length > NAMED && <li>{says.others(names.length - NAMED)}</li>}
    </ul>
  );
}
