import { scoped } from "../../models/scoped.ts";

/** The ledger of a workspace, and whether its lines, the balance and the revealed values agree. */
export async function ledgerOf(workspaceId: string) {
  const { CreditBalance, CreditEntry, KnownProspect } = scoped(workspaceId);
  const [stored, lines, known] = await Promise.all([
    CreditBalance.get(workspaceId),
    CreditEntry.read({}, { sort: { seq: 1 } }),
    KnownProspect.read({}),
  ]);
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  const reveals = lines.filter(({ kind }) => kind === "REVEAL");
  const paid = new Set(reveals.map(({ subjectId, detail }) => `${subjectId} ${detail}`));
  const shown = known.flatMap(({ prospectId, emailStatus, phoneStatus }) => [
    ...(emailStatus === "revealed" ? [`${prospectId} EMAIL`] : []),
    ...(phoneStatus === "revealed" ? [`${prospectId} PHONE`] : []),
  ]);
  const balance = (stored?.monthly ?? 0) + (stored?.granted ?? 0);
  let after = 0;
  const isInOrder = lines.every(({ seq, amount, balance }, index) => {
    after += amount;
    return seq === index + 1 && balance === after;
  });
  const held = known.reduce((total, { hold }) => total + (hold?.fields.length ?? 0), 0);
  const isPaidOnce = paid.size === reveals.length && shown.length === paid.size && shown.every((one) => paid.has(one));
  const isWhole =
    sum === balance &&
    isInOrder &&
    isPaidOnce &&
    held === (stored?.held ?? 0) &&
    (stored?.entries ?? 0) === lines.length;
  return { sum, balance, held, entries: lines.length, reveals: reveals.length, shown: shown.length, isWhole };
}
