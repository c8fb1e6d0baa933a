/**
 * One request of the API reference. It runs as it is once its ids are replaced by those of a workspace; together the examples make one
 * campaign.
 */
export interface Example {
  /** `<method> <path>` of the route table. */
  at: string;
  title: string;
  /** The parts of a form where the verb takes a file. */
  body: Record<string, unknown>;
}

const ID = "01KA2M5W8X3Y6Z9B1C4D7F0G2H";
/** The ids of a workspace's records in the examples. */
export const EXAMPLE_IDS = {
  campaign: `cmp_${ID}`,
  step: `stp_${ID}`,
  variant: `var_${ID}`,
  recipient: `rcp_${ID}`,
  lead: `led_${ID}`,
  note: `note_${ID}`,
  deal: `deal_${ID}`,
  list: `lst_${ID}`,
  field: `fld_${ID}`,
  mailbox: `mbx_${ID}`,
  testMailbox: "mbx_01KA2M5W8X3Y6Z9B1C4D7F0G2J",
  webhook: `whs_${ID}`,
  thread: `thr_${ID}`,
  message: `msg_${ID}`,
  send: `snd_${ID}`,
  approval: `apr_${ID}`,
  promise: `prm_${ID}`,
  invite: `inv_${ID}`,
  member: `mbr_${ID}`,
  pool: `wpl_${ID}`,
  searchList: `srl_${ID}`,
  otherSearchList: "srl_01KA2M5W8X3Y6Z9B1C4D7F0G2J",
  prospect: `prs_${ID.toLowerCase()}`,
  crmConnection: `crm_${ID}`,
} as const;
