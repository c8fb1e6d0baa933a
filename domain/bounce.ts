import { forwardedReport } from "./bounce-forwarded.ts";
import { BARE_UNKNOWN, type Fault, HARD, type Reason } from "./bounce-patterns.ts";
import { isAutomaticSender } from "./bounce-sender.ts";
import { type Named, namedInText, splitAtCopy, stageOf, statusBlocks } from "./bounce-text.ts";
import { codeOf, reasonOfCode, reasonOfText, type Stage, settled } from "./bounce-verdict.ts";
import type { Inbound } from "./inbound.ts";

export interface BounceRecipient {
  /** The address that failed, lower-case; null when the bounce names none. */
  address: string | null;
  originalRecipient: string | null;
  action: string | null;
  /** The enhanced code that says most ("5.1.1"). */
  status: string | null;
  /** The server's own words on one line, at most 1,000 characters. */
  diagnostic: string;
  reason: Reason;
  type: "HARD" | "SOFT";
  fault: Fault;
  /** Read from a delivery status part with an Action: with an id of ours it is proof (mail.md 8.4). */
  structured: boolean;
}

export interface Bounce {
  kind: "BOUNCE" | "DELAY";
  recipients: BounceRecipient[];
}

const MAX_DIAGNOSTIC = 1_000;
const MAX_HEAD = 20_000;
/** Ours stand in the head of what came back, or where a program printed it. */
const MAX_EVIDENCE = 128 * 1024;
const CARRIER =
  /@(?:[\w-]+\.)?(?:docomo\.ne|ezweb\.ne|softbank(?:\.ne)?|vodafone\.ne|ymobile(?:1\.ne)?|emnet\.ne|disney\.ne|uqmobile|mineo|au|willcom|wcm\.ne|pdx\.ne)\.(?:jp|com)$/;

const SUBJECT =
  /undeliver|non.?deliver|not (?:be )?deliver|un?able to deliver|deliver\w* (?:has )?fail|failed deliver|fail\w* (?:to deliver|notice)|delivery (?:status|notification|problem|delay|error|incomplete|report)|returned (?:mail|to sender)|return(?:ed|ing) message|mail (?:system error|failure|delivery)|could not (?:be )?(?:sent|send|deliver)|message delay|delayed|message you sent blocked|bounce|non remis|.chec de (?:la )?(?:remise|distribution)|unzustellbar|nicht zugestellt|zustellung fehlgeschlagen|fehlgeschlagene zustellung|no se (?:pudo|ha podido) entregar|no entregad|devuelto|mancato recapito|mancata consegna|non recapitabile|impossibile recapitare|n.o (?:foi )?entreg|falha na entrega|onbestelbaar|niet bezorgd|niet afgeleverd|olevererbar|kan inte levereras|kunne ikke leveres|niedostarczon|nie dor.czon|не доставлен|недоставлен|возвращ.нн|配信できません|配信不能|送信できません|エラー|退信|无法投递|投递失败|未送达|無法傳遞|teslim edilemed|iletilemed|nedoru.iteln|nedoru.en|k.zbes.thet|k.zbes.t.s.{0,20}sikertelen|배달되지|배달 실패|전송되지|반송|nelivra|nu a putut fi livrat|αδυναμία παράδοσης|μη παραδοτέο|δεν παραδόθηκε|toimittamaton|ei voitu toimittaa|toimitus ep.onnistui|uleverlig|ikke leveret|kunne ikke leveres|leveringsfeil|недоставлен|không thể (?:gửi|chuyển)|bị trả lại|tidak terkirim|gagal terkirim|לא ניתן למסירה|לא נמסר|تعذر (?:التسليم|تسليم)|ไม่สามารถส่ง/i;
const SENTENCE =
  /(?:message|mail|e-?mail)[^.\n]{0,60}(?:could not|couldn't|cannot|can't|can not|was not|wasn't|has not|not yet)(?: yet)? (?:be |been )?(?:delivered|sent)|delivery (?:to the following|has failed|failed)|did not reach the following|undeliverable (?:mail|message|to)|unable to deliver|wasn't able to deliver|(?:error|trouble) delivering your (?:mail|message)|was rejected by|had (?:permanent fatal errors|delivery problems)|permanent error|message was created automatically by mail|returned to (?:the )?sender|exceeds allowed size|n'a pas pu .tre (?:remis|distribu|d.livr)|konnte nicht (?:zugestellt|ausgeliefert)|nicht zugestellt werden|no (?:pudo|se pudo|se ha podido) (?:ser )?entreg|non (?:.|e') stato possibile (?:consegnare|recapitare)|n.o p.de ser entregue|kon niet worden (?:bezorgd|afgeleverd)|не может быть доставлен|не было доставлено|送信できません|配信できません|无法(?:送达|投递)/i;
const TRANSCRIPT = /^[^\S\n]*(?:>>>|<<<) |transcript of session|[45]\d\d[ -][45]\.\d{1,3}\.\d{1,3}/im;
const DELAY =
  /not yet been delivered|delivery attempts will continue|(?:will|we'll) (?:continue|keep) (?:to )?try|will be retried|(?:is|was) (?:being )?(?:still )?retried|will retry for|only a (?:temporary|warning)|warning message only|do not need to re-?send|delivery incomplete|message (?:is|was|has been) delayed|delivery (?:has been|is|was) delayed|wird weiter versucht|versucht es noch|verz.gert sich|va (?:continuer|réessayer)|seguirá intentándolo|n'est pas encore parvenu|n'a pas encore .t. (?:remis|distribu)/i;
const DELAY_SUBJECT =
  /\bdelay(?:ed)?\b|^warning: (?:message|could not send)|verz.ger|retard.{0,20}(?:remise|distribution)|retras(?:o|ado)|ritardo|vertraagd/i;

/** Is it a report of a mail system about mail that was sent? A person who quotes or forwards a bounce is none (8.1). */
export function isBounce(message: Inbound): boolean {
  if (message.deliveryStatus !== null || (message.contentType === "multipart/report" && message.reportType === "delivery-status"))
    return true;
  if (!isAutomaticSender(message)) return false;
  if (SUBJECT.test(message.subject)) return true;
  const { body } = splitAtCopy(message.text);
  return TRANSCRIPT.test(body) || SENTENCE.test(body.replace(/\s+/g, " "));
}

/**
 * Who failed and why (mail.md 8.2, 8.4; RFC 3464). Null when it is no bounce or tells of no failure (`delivered`,
 * `relayed`, `expanded`). DELAY when nothing has failed for good yet. Never throws.
 */
export function readBounce(message: Inbound): Bounce | null {
  if (isBounce(message)) return readReport(message);
  const forwarded = forwardedReport(message);
  return forwarded === null ? null : readReport(forwarded);
}

function readReport(message: Inbound): Bounce | null {
  const { body } = splitAtCopy(message.text);
  const ofText = namedInText(message, body, ownAddresses(message));
  const structured = statusBlocks(message.deliveryStatus ?? "");
  const printed =
    [() => structured, () => statusBlocks(message.text), () => statusBlocks(nestedReport(message))].find(
      (blocks) => blocks().length > 0,
    )?.() ?? [];
  const named = printed.length > 0 ? printed : ofText;
  const waits = DELAY.test(body.replace(/\s+/g, " ")) || DELAY_SUBJECT.test(message.subject);
  const recipients = (named.length > 0 ? named : [nobody(body)]).map((block) => {
    const section =
      named === ofText ? "" : (ofText.find((t) => t.address === block.address || t.address === block.originalRecipient)?.diagnostic ?? "");
    const failure = recipientOf(block, section, named.length <= 1 ? body : "", body);
    // Without an Action (8.2): a fault of ours is told at once, of a person or the network nothing is final while it is still tried
    const isOurs = failure.fault === "sender" || failure.fault === "content";
    const action = block.action ?? (waits && !isOurs ? "delayed" : null);
    return {
      ...failure,
      action,
      structured: structured.length > 0 && block.action !== null,
    };
  });
  const failed = recipients.filter(({ action }) => action === null || action === "failed" || action === "failure");
  if (failed.length > 0) return { kind: "BOUNCE", recipients: failed };
  const delayed = recipients.filter(({ action }) => action === "delayed");
  return delayed.length > 0 ? { kind: "DELAY", recipients: delayed } : null;
}

/** What in a bounce or complaint points at a message of ours (mail.md 8.3), each list in the order of the mail. */
export function ownEvidence(message: Inbound): { mailRefs: string[]; messageIds: string[]; envelopeIds: string[]; tokens: string[] } {
  const { copy } = splitAtCopy(message.text);
  const cut = (text: string | null) => (text ?? "").slice(0, MAX_EVIDENCE);
  const returned = `${cut(message.returned)}\n${cut(copy)}`.replace(/\n[ \t]+/g, " ");
  const status = cut(message.deliveryStatus ?? message.feedbackReport);
  const everything = `${returned}\n${status}\n${cut(message.text)}\n${cut(message.html)}`;
  const first = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[0]))].slice(0, 50);
  return {
    mailRefs: first(everything, /^[>\s]{0,20}x-mail-ref[^\S\n]?:[^\S\n]*([a-z2-7]{20})\b/gim).map((ref) => ref.toLowerCase()),
    messageIds: [
      ...new Set([
        ...first(returned, /^(?:x-original-)?message-id[^\S\n]?:[^\S\n]*(<[^<>\s]{1,250}>)/gim),
        ...first(everything, /(?:message-id|nachrichten-id|mensaje|message)[^\S\n]?:[^\S\n]*(<[^<>\s]{1,250}>)/gi),
        ...first(everything, /(?<![a-z0-9])[a-z2-7]{32}@[a-z0-9.-]{1,250}[a-z0-9]/g).map((id) => `<${id}>`),
      ]),
    ],
    envelopeIds: first(status, /^original-envelope-id[^\S\n]?:[^\S\n]*(\S{1,100})/gim),
    tokens: first(everything, /(?<![\w.-])v1\.[\w-]{1,40}\.[\w-]{4,200}\.[\w-]{16,64}/g),
  };
}

function recipientOf(block: Named, section: string, whole: string, transcript: string): Omit<BounceRecipient, "action" | "structured"> {
  const { address, originalRecipient } = block;
  const stage = stageOf(`${block.diagnostic} ${section}`, transcript, whole === "" ? address : null);
  const texts = [block.diagnostic, section, whole].filter((text) => text.trim() !== "");
  const spoken = texts.find((text) => reasonOfText(text, block.status, stage) !== null) ?? texts[0] ?? "";
  // "551 not our customer" under 5.1.6: the report's own code is nearer than the rest of the mail
  const isPrecise = block.diagnostic !== "" && spoken !== block.diagnostic && /^5\.[12]\.[1-9]/.test(block.status ?? "");
  const said = isPrecise ? block.diagnostic : spoken;
  const found = reasonOfText(said, block.status, stage) ?? reasonOfCode(isPrecise ? said : texts.join("\n"), block.status, stage);
  const around = HARD.has(found) ? reasonOfText(whole, block.status, stage) : null;
  // Doubt never suppresses a person: an account that is full or disabled exists, whatever the last line says
  const spared = around === "MAILBOX_FULL" || around === "MAILBOX_DISABLED" ? around : found;
  const reason = isDoubtedPlace(address, said, stage) && HARD.has(spared) ? "POLICY" : spared;
  const diagnostic = (block.diagnostic.trim() === "" ? said : block.diagnostic).replace(/\s+/g, " ").trim();
  return {
    address,
    originalRecipient: originalRecipient ?? null,
    status: codeOf(said, block.status),
    diagnostic: diagnostic.slice(0, MAX_DIAGNOSTIC),
    ...settled(reason, said, block.status, stage),
  };
}

/**
 * Places that say "unknown" also where they mean "not you": Japanese carriers to whom the person's filter refuses, unless they say
 * so at RCPT or with a code of addresses, and groups, which may be closed.
 */
function isDoubtedPlace(address: string | null, said: string, stage: Stage | undefined): boolean {
  if (/\b5\.1\.\d/.test(said) || stage === "RCPT") return false;
  return /@googlegroups\.com$/.test(address ?? "") || (CARRIER.test(address ?? "") && BARE_UNKNOWN.test(said.toLowerCase()));
}

function ownAddresses(message: Inbound): string[] {
  return [...message.to, message.from?.address ?? ""];
}

/** A report about a report: some systems wrap what another one sent them. */
function nestedReport({ returned }: Inbound): string {
  return returned !== null && /^content-type[^\S\n]?:[^\S\n]*multipart\/report/im.test(returned.slice(0, MAX_HEAD)) ? returned : "";
}

function nobody(body: string): Named {
  return { address: null, originalRecipient: null, action: null, status: null, diagnostic: body.slice(0, MAX_DIAGNOSTIC) };
}
