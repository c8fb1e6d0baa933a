import { SCOPES } from "../../../domain/scopes.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice } from "../../kit/alert.tsx";
import { Page, Parts } from "../../kit/page.tsx";
import { oneOf, type Raw, useView } from "../../kit/view.ts";
import { deliverabilityWords as says } from "../../words/en/mailboxes/deliverability.ts";
import { words } from "../../words/en.ts";
import { Alerts } from "./alerts.tsx";
import { Domains } from "./domains.tsx";
import { PlacementTests } from "./placement.tsx";

const PARTS = ["domains", "placement", "alerts"] as const;
const EVERY_MS = 30_000;

function readView(raw: Raw) {
  return { part: oneOf(PARTS, raw["part"]) ?? "domains" };
}

/** Whether emails arrive: the records of all sending domains, and alerts about domains and mailboxes. */
export function Deliverability() {
  const may = useMay();
  const [{ part }, change] = useView(readView);
  const isOff = !may("deliverability:read");
  const open = useCall("get /deliverability/alerts", { status: "OPEN", pageSize: 1 }, { every: EVERY_MS, isOff });
  if (isOff)
    return (
      <Page title={says.title}>
        <Notice>{words.mayNot(SCOPES["deliverability:read"])}</Notice>
      </Page>
    );
  return (
    <Page title={says.title} subtitle={says.lead}>
      <Parts
        label={says.sections}
        parts={PARTS}
        names={says.parts}
        counts={open.data === undefined ? {} : { alerts: open.data.total }}
        open={part}
        onOpen={(next) => change({ part: next })}
      />
      {part === "domains" && <Domains />}
      {part === "placement" && <PlacementTests />}
      {part === "alerts" && <Alerts />}
    </Page>
  );
}
