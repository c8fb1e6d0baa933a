import { prefix } from "../../api/prefix.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { ShownOnce } from "../../kit/copy.tsx";
import { To } from "../../kit/to.tsx";
import { conversionWords as says } from "../../words/en/leads/conversions.ts";

/** The ways in which a site can report conversions, with code to copy that has the address of this service. */
export function ConversionSetup() {
  const url = useTrackingUrl();
  return (
    <div className="narrow">
      <p>{says.setupLead}</p>
      <h2>{says.link}</h2>
      <p>{says.linkText}</p>
      <p>
        <To page="/campaigns">{says.toCampaigns}</To>
      </p>
      <h2>{says.script}</h2>
      <p>{says.scriptText}</p>
      <Code label={says.scriptCode} text={scriptFrom(url)} />
      <h2>{says.report}</h2>
      <p>{says.reportText}</p>
      <Code label={says.reportCode} text={CALLS} />
      <h2>{says.server}</h2>
      <p>{says.serverText}</p>
      <Code label={says.serverCode} text={requestTo(url)} />
      <h2>{says.pixel}</h2>
      <p>{says.pixelText}</p>
      <Code label={says.pixelCode} text={pictureFrom(url)} />
      <p className="fine">
        {says.address(url)} {says.own}
      </p>
    </div>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return <ShownOnce label={label} text={text} rows={text.split("\n").length + 1} />;
}

/** The verified tracking domain of a mailbox, else the address of this service. */
function useTrackingUrl(): string {
  const { data } = useCall("get /mailboxes", { figures: "false" }, { isOff: !useMay()("mailboxes:read") });
  const own = data?.find(({ trackingDomain }) => trackingDomain?.status === "VERIFIED")?.trackingDomain;
  return own ? `https://${own.domain}` : `${location.origin}${prefix}`;
}

const scriptFrom = (url: string) => `<script>
  window.outreach = window.outreach || function () { (outreach.q = outreach.q || []).push(arguments) };
  outreach("consent", false); // keeps nothing until the visitor has agreed
</script>
<script async src="${url}/svc.js"></script>`;

const CALLS = `outreach("consent", true); // the visitor has agreed
outreach("convert", { event_name: "PURCHASE", event_id: "order-1042", value: 49.9, currency: "EUR" });`;

const requestTo = (url: string) => `curl -X POST "${url}/capi/v1/events" \\
  -H "Content-Type: application/json" \\
  -d '{"events": [{"event_name": "PURCHASE", "event_id": "order-1042",
       "user_data": {"cid": "CID"}, "custom_data": {"value": 49.9, "currency": "EUR"}}]}'`;

const pictureFrom = (url: string) =>
  `<img src="${url}/capi/p?ev=PURCHASE&eid=order-1042&cid=CID&value=49.9&currency=EUR" width="1" height="1" alt="">`;
