import { threadWords } from "../../domain/inbox/thread-words.ts";
import { addressHashOf } from "../../domain/leads/address-hash.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { saveFile } from "../../models/inbox/files.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { scoped, type Workspaced } from "../../models/scoped.ts";
import { newHitId } from "../../models/tracking/hit.ts";
import { VerifiedAddress } from "../../models/verification/verified-address.ts";
import { VerifiedDomain } from "../../models/verification/verified-domain.ts";
import { newId } from "../../mongo/ids.ts";
import { keyedAddressHash } from "../../store/address-key.ts";
import { blockAddress, suppressAddress } from "../../store/suppression/suppress.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";

export interface Named {
  email: string;
  /** An address from which the person has replied. */
  alias: string;
  firstName: string;
  lastName: string;
}

export const ADA: Named = {
  email: "ada.quillfeather@people.test",
  alias: "quillfeather.private@home.test",
  firstName: "Adamantia",
  lastName: "Quillfeather",
};
export const BOB: Named = {
  email: "bob.underbough@people.test",
  alias: "underbough.private@home.test",
  firstName: "Bobbington",
  lastName: "Underbough",
};

export const nameOf = ({ firstName, lastName }: Named) => `${firstName} ${lastName}`;

export interface Place {
  workspaceId: string;
  campaignId: string;
  mailboxId: string;
  mailboxEmail: string;
}

/** A campaign and a mailbox, in which people take part. */
export async function storedPlace(workspaceId: string): Promise<Place> {
  const campaignId = newId("cmp");
  await scoped(workspaceId).Campaign.store({
    _id: campaignId,
    name: "Spring",
    status: "PAUSED",
    statusChangedAt: new Date(),
    sequenceId: newId("seq"),
    settings: {},
    recipientCount: 2,
  });
  const mailbox = await storedMailbox(workspaceId);
  return { workspaceId, campaignId, mailboxId: mailbox._id, mailboxEmail: mailbox.email };
}

const now = () => new Date();

/** Stores a lead with a recipient, an email, a thread with one reply and its file, and their traces. */
export async function storeLeadOf(place: Place, person: Named) {
  const { workspaceId, campaignId, mailboxId, mailboxEmail } = place;
  const { email, alias, firstName, lastName } = person;
  const name = nameOf(person);
  const of = scoped(workspaceId);
  const [leadId, recipientId, sendId, threadId, messageId, listId] = [
    newId("led"),
    newId("rcp"),
    newId("snd"),
    newId("thr"),
    newId("msg"),
    newId("lst"),
  ];
  await of.LeadList.store({ _id: listId, name: "Fair", type: "STATIC", memberCount: 1 });
  await of.Lead.store({
    _id: leadId,
    email,
    emailDomain: "people.test",
    secondaryEmails: [alias],
    firstName,
    lastName,
    fullName: name,
    phone: "+49 30 1234567",
    listIds: [listId],
    customFields: { greeting: `Dear ${name}` },
    source: "import",
    imports: [{ at: now(), source: "import", fileName: "fair.csv", actor: "key_1", created: true }],
    searchWords: [email, "people.test", firstName.toLowerCase(), lastName.toLowerCase()],
    facets: [`email:${email}`],
  });
  await of.Note.store({ _id: newId("note"), leadId, authorUserId: "usr_1", body: `${name} likes phone calls` });
  await of.Deal.store({ _id: newId("deal"), leadId, name: `Deal with ${name}`, stage: "OPEN", currency: "USD" });
  await of.Recipient.store({
    _id: recipientId,
    campaignId,
    leadId,
    email,
    addressHash: addressHashOf(email),
    status: "IN_PROGRESS",
    cid: newId("evt"),
    shard: 0,
    sentCount: 1,
    searchWords: [email],
    outcomeNotes: `${name} asked for a quote`,
    thread: { subject: `Hello ${name}`, ids: [] },
  });
  const text = `Hello ${name}, this goes to ${email}`;
  await of.Send.store({
    _id: sendId,
    campaignId,
    recipientId,
    leadId,
    mailboxId,
    stepId: newId("stp"),
    to: email,
    state: "SENT",
    sentAt: now(),
    subject: `Hello ${name}`,
    content: { text, html: null },
    response: `250 accepted for ${email}`,
    failure: { reason: "X", code: null, text: `about ${email}` },
    tracking: {
      opens: true,
      clicks: true,
      links: [{ url: `https://x.test/?e=${encodeURIComponent(email)}`, converts: false }],
    } as never,
  });
  await of.ActivityEvent.store({
    _id: newId("evt"),
    type: "SENT",
    at: now(),
    leadId,
    campaignId,
    recipientId,
    data: { to: email },
  });
  await of.ActivityEvent.store({
    _id: newId("evt"),
    type: "DEAL",
    at: now(),
    leadId,
    data: { name: `Deal with ${name}` },
  });
  const participants = [{ name, address: email }];
  await of.Thread.store({
    _id: threadId,
    mailboxId,
    campaignId,
    recipientId,
    leadId,
    subject: `Hello ${name}`,
    participants,
    snippet: `I am ${name}`,
    messageCount: 1,
    lastMessageAt: now(),
    searchWords: threadWords({ subject: `Hello ${name}`, participants }, `I am ${name}`, []),
  });
  const file = `att_${messageId}`;
  await saveFile(
    workspaceId,
    file,
    { fileName: `cv-${lastName}.txt`, contentType: "text/plain" },
    Buffer.from(`CV of ${name}`),
  );
  await storeMessage(place, {
    _id: messageId,
    threadId,
    recipientId,
    leadId,
    from: email,
    fromName: name,
    to: [mailboxEmail],
    text: `I am ${name}`,
    attachments: [file],
  });
  return { leadId, recipientId, sendId, threadId, messageId, listId };
}

interface NewMessage {
  _id?: string;
  threadId: string | null;
  recipientId?: string | null;
  leadId?: string | null;
  from: string;
  fromName?: string;
  to: string[];
  cc?: string[];
  text: string;
  attachments?: string[];
}

export async function storeMessage({ workspaceId, mailboxId }: Place, message: NewMessage): Promise<string> {
  const {
    _id = newId("msg"),
    threadId,
    recipientId = null,
    leadId = null,
    from,
    fromName = null,
    to,
    cc = [],
    text,
    attachments = [],
  } = message;
  await scoped(workspaceId).Message.store({
    _id,
    mailboxId,
    threadId,
    recipientId,
    leadId,
    direction: "INBOUND",
    kind: "REPLY",
    contentKey: _id,
    from,
    fromName,
    to: to.map((address) => ({ name: "", address })),
    cc: cc.map((address) => ({ name: "", address })),
    subject: `About: ${text}`,
    receivedAt: new Date(),
    bodyText: text,
    bodyHtml: `<p>${text}</p>`,
    replyText: text,
    attachments: attachments.map((id) => ({ id, fileName: "cv.txt", contentType: "text/plain", size: 10, sha256: "" })),
  });
  return _id;
}

/** Stores what names the person in every further collection that holds data of people. */
export async function storeTracesOf(
  place: Place,
  person: Named,
  { leadId, recipientId, sendId, threadId, messageId }: Awaited<ReturnType<typeof storeLeadOf>>,
): Promise<void> {
  const { workspaceId, campaignId, mailboxId, mailboxEmail } = place;
  const { email, alias } = person;
  const name = nameOf(person);
  const of: Workspaced = scoped(workspaceId);
  const soon = new Date(Date.now() + HOUR_MS);
  const text = `For ${name} <${email}>`;
  await of.Approval.store({
    _id: newId("apr"),
    kind: "CAMPAIGN_SEND",
    recipientId,
    campaignId,
    proposedText: text,
    reason: text,
    addresses: [email],
    request: {
      verb: "x",
      fields: text,
      asked: "",
      digest: "",
      effect: { to: email },
      credentialId: "key_1",
      limit: null,
    },
    requestKeys: [newId("key")],
  });
  await of.Approval.store({
    _id: newId("apr"),
    kind: "OPT_OUT",
    threadId,
    proposedText: text,
    addresses: [alias],
    note: text,
  });
  await of.DueCopy.store({ _id: newId("evt"), mailboxId, sendId, leadId, bytes: Buffer.from(text), dueAt: soon });
  await of.Hit.store({
    _id: newHitId(sendId),
    sendId,
    kind: "OPEN",
    at: now(),
    method: "GET",
    agent: name,
    address: "203.0.113.7",
  });
  await of.Conversion.store({
    _id: newId("cnv"),
    campaignId,
    recipientId,
    leadId,
    cid: newId("evt"),
    eventId: `order of ${email}`,
    url: `https://x.test/${email}`,
    receivedAt: now(),
    status: "accepted",
  });
  await of.EmailConversion.store({
    _id: newId("cnv"),
    eventId: `mail of ${email}`,
    type: "PURCHASE" as never,
    occurredAt: now(),
    receivedAt: now(),
    recipients: [{ campaignId, recipientId }],
  });
  await of.StepExecution.store({
    _id: newId("act"),
    campaignId,
    recipientId,
    leadId,
    stepId: newId("stp"),
    type: "WEBHOOK",
    failure: `refused ${email}`,
  });
  await of.ReportLink.store({
    _id: newId("evt"),
    campaignId,
    zone: "UTC",
    day: 1,
    url: `https://x.test/?e=${encodeURIComponent(email)}`,
  });
  await of.ContentScore.store({
    _id: newId("evt"),
    mail: {
      mailboxId,
      from: { address: mailboxEmail, name: null },
      to: { address: email, name },
      replyTo: null,
      subject: text,
      text,
      html: null,
      attachments: [],
      unsubscribeUrl: null,
      isFollowUp: false,
    },
  });
  await of.ScheduledReply.store({
    _id: newId("snd"),
    threadId,
    mailboxId,
    leadId,
    to: email,
    subject: text,
    bodyText: text,
    sendAt: soon,
    idempotencyKey: newId("key"),
    argumentHash: "",
    inReplyToMessageId: messageId,
    createdBy: "key_1",
  });
  await of.OutgoingMail.store({
    _id: newId("snd"),
    kind: "REPLY",
    mailboxId,
    to: email,
    toName: name,
    subject: text,
    text,
    persons: [alias],
  });
  await of.SavedDraft.store({ _id: threadId, text, savedBy: "key_1" });
  await of.ReplyPromise.store({
    _id: newId("prm"),
    threadId,
    messageId,
    leadId,
    sentence: `I, ${name}, call you on Monday`,
    saidBy: email,
    dueAt: soon,
  });
  await of.ReplyPromise.store({
    _id: newId("prm"),
    kind: "REFERRAL",
    threadId: newId("thr"),
    messageId: newId("msg"),
    sentence: `Ask ${name}`,
    saidBy: "carol@else.test",
    address: email,
  });
  // A copy of our own email, and a report about it, belong to no thread
  await storeMessage(place, { threadId: null, from: mailboxEmail, to: [email], text });
  await storeMessage(place, {
    threadId: null,
    from: "postmaster@else.test",
    to: [mailboxEmail],
    text: `Could not deliver to ${email}`,
  });
  await of.OutboxRow.store({
    _id: newId("out"),
    kind: "EVENT",
    payload: { event: "REPLIED", eventId: newId("evt"), at: now().toISOString(), data: { email, note: name } },
    doneAt: now(),
  });
  const events = await of.ActivityEvent.find({ leadId });
  await of.WebhookDelivery.store({
    _id: newId("evt"),
    subscriptionId: newId("evt"),
    event: "SENT",
    eventId: events[0]?._id ?? "",
    status: "DELIVERED",
    body: Buffer.from(JSON.stringify({ email, name })),
    host: "hooks.test",
  });
  await of.Job.store({
    _id: newId("job"),
    type: "LEAD_IMPORT",
    fileName: `${name}.csv`,
    status: "COMPLETED",
    chunkCount: 0,
    items: [{ row: 1, email, status: "CREATED", code: null, message: `read ${email}`, mailboxId: null }],
    result: { first: email },
    error: null,
    finishedAt: now(),
  });
  await of.Mailbox.updateOne(
    { _id: mailboxId },
    { $set: { lastError: { code: "X", message: `550 ${email} is unknown`, at: now() } } },
  );
  const { BlockListEntry } = of;
  await BlockListEntry.store({ _id: newId("blk"), value: alias, type: "EMAIL", reason: `asked by ${name}` });
  await blockAddress(workspaceId, alias);
  const prospectId = newId("evt");
  const prospect = { id: prospectId, firstName: person.firstName, lastName: person.lastName, fullName: name } as never;
  await of.KnownProspect.store({ _id: newId("kpr"), prospectId, person: prospect, email, phone: "1", listIds: [] });
  await of.CrmMember.store({
    _id: newId("crm"),
    importId: "imp",
    connectionId: "con",
    recordId: "rec",
    email,
    hash: "h",
  });
  await of.CrmActivity.store({
    _id: newId("evt"),
    connectionId: "con",
    recordId: "rec",
    email,
    at: now(),
    state: "DONE",
  });
  await of.VerificationResult.store({ _id: newId("evt"), jobId: newId("job"), leadId, email, state: "DONE" });
  await of.VerificationBatch.store({
    _id: newId("evt"),
    jobId: newId("job"),
    number: 0,
    emails: [` ${email.toUpperCase()}`, "carol@else.test"],
  });
  await suppressAddress(workspaceId, "carol@else.test", "MANUAL");
  await Prospect.collection.insertOne({
    _id: prospectId,
    firstName: person.firstName,
    lastName: person.lastName,
    fullName: name,
    email,
    phone: "1",
    hasEmail: true,
    hasPhone: true,
    isSample: false,
    technologies: [],
    keywords: [],
    by: {},
    facets: [],
    createdAt: now(),
    updatedAt: now(),
  } as never);
  await VerifiedAddress.collection.insertOne({
    _id: keyedAddressHash(email),
    domain: "people.test",
    result: "VALID",
    reason: "ACCEPTED",
    smtpCode: 250,
    enhancedCode: null,
    checkedAt: now(),
    expiresAt: soon,
    createdAt: now(),
    updatedAt: now(),
  } as never);
  await VerifiedDomain.collection.insertOne({
    _id: `people.test`,
    kind: "HOST",
    bounced: [keyedAddressHash(email), "other"],
    expiresAt: soon,
    createdAt: now(),
    updatedAt: now(),
  } as never);
}
