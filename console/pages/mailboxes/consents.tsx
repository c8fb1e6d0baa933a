import { useState } from "react";
import { mailHostOf } from "../../../domain/deliverability/mail-hosts.ts";
import { PROVIDER_NAMES } from "../../../domain/mailboxes/provider.ts";
import type { Out } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { type Called, useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { pathTo } from "../../kit/to.tsx";
import { connectWords as says } from "../../words/en/mailboxes/connect.ts";
import type { Mailbox } from "./reads.ts";

type Provider = Out<"get /mailboxes/providers">[number];

const START = { A: "providerAOAuthStart", B: "providerBOAuthStart" } as const;

/** The providers whose users allow it in the browser; what is missing where they cannot. One comes back to the page one left. */
export function Consents({ mailbox, providers }: { mailbox: Mailbox | null; providers: Called<Provider[]> }) {
  const workspaceId = useWorkspaceId();
  const { data, refusal, isLooking, again } = providers;
  const start = useWrite("post /mailboxes/connect", { renews: [] });
  const [isLeaving, setLeaving] = useState(false);
  const returnTo =
    mailbox === null ? pathTo(workspaceId, "/mailboxes") : pathTo(workspaceId, "/mailboxes/$mailboxId", { mailboxId: mailbox.id });
  const go = async ({ provider }: Provider) => {
    const answer = await start.run({ action: START[provider], returnTo });
    if (answer === null) return;
    setLeaving(true);
    location.assign(answer.authUrl);
  };
  if (data === undefined) return refusal === null ? <Looking isLooking={isLooking} /> : <RefusalAlert refusal={refusal} again={again} />;
  const offered = data.filter(({ canConsent }) => canConsent);
  return (
    <section aria-labelledby="consents">
      <h2 id="consents">{says.byConsent}</h2>
      {offered.length > 0 && <p>{says.byConsentText}</p>}
      {start.refusal !== null && <RefusalAlert refusal={start.refusal} />}
      {offered.length > 0 && (
        <div className="filters">
          {offered.map((provider) => (
            <button
              key={provider.provider}
              type="button"
              aria-disabled={start.isRunning || isLeaving}
              onClick={() => !isLeaving && void go(provider)}
            >
              {provider.logo !== null && <img src={provider.logo} alt="" width={16} height={16} />} {says.consent(nameOf(provider))}
            </button>
          ))}
        </div>
      )}
      <p role="status">{isLeaving ? says.leaving : ""}</p>
      {data.map((provider) =>
        provider.missingSetting === null ? null : (
          <p key={provider.provider} className="fine">
            {says.notSetUp(provider.name, provider.missingSetting)}
          </p>
        ),
      )}
    </section>
  );
}

/** What the operator calls it; by whose servers it is where they give it no name. */
function nameOf({ name, smtp, provider }: Provider): string {
  return name !== PROVIDER_NAMES[provider] || smtp === null ? name : (mailHostOf(smtp.host)?.name ?? smtp.host);
}
