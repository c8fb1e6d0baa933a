import { useMay } from "../../api/workspace.ts";
import { Notice } from "../../kit/alert.tsx";
import { settingWords as says } from "../../words/en/campaign-setup/settings.ts";
import type { Campaign } from "../campaign/reads.ts";
import { SETTING_GROUPS } from "./setting-kinds.ts";
import { SettingGroups } from "./setting-row.tsx";

/** Every other setting of a campaign, in groups. */
export function Settings({ campaign }: { campaign: Campaign }) {
  const may = useMay();
  return (
    <>
      {campaign.status === "ARCHIVED" ? (
        <Notice>{says.archived}</Notice>
      ) : (
        !may("campaigns:write") && <Notice>{says.readOnly}</Notice>
      )}
      <SettingGroups campaign={campaign} groups={SETTING_GROUPS} />
    </>
  );
}
