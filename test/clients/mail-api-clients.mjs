// The vendors' own clients write and read mail at our stand-ins. Their orders come by stdin; the last line they print is what they found.
import { text } from "node:stream/consumers";
import { gmail as gmailOf, auth as google } from "@googleapis/gmail";
import { Client } from "@microsoft/microsoft-graph-client";

const { gmailUrl, graphUrl, token, gone, ours, raw } = JSON.parse(await text(process.stdin));
/** With which status and which word the client says that it was refused. */
const refusal = (call) =>
  call().then(
    () => null,
    (error) => [
      Number(error?.response?.status ?? error?.statusCode ?? 0),
      error?.response?.data?.error?.errors?.[0]?.reason ?? error?.code ?? null,
    ],
  );

const auth = new google.OAuth2();
auth.setCredentials({ access_token: token, expiry_date: Date.now() + 3_600_000 });
const { users } = gmailOf({ version: "v1", auth, rootUrl: `${gmailUrl}/` });
const me = { userId: "me" };
const messageIdOf = async (id) => {
  const asked = { ...me, id, format: "metadata", metadataHeaders: ["Message-ID"] };
  return (await users.messages.get(asked)).data.payload.headers[0].value;
};
const { historyId } = (await users.getProfile(me)).data;
const draft = (await users.drafts.create({ ...me, requestBody: { message: { raw } } })).data;
const listed = (await users.drafts.list({ ...me, maxResults: 50 })).data;
const sent = (await users.drafts.send({ ...me, requestBody: { id: draft.id } })).data;
const history = await users.history.list({ ...me, startHistoryId: historyId, historyTypes: ["messageAdded"] });
const found = (await users.messages.list({ ...me, q: "in:sent" })).data.messages.map(({ id }) => id);
const atGmail = {
  drafts: listed.drafts.map(({ id }) => id === draft.id),
  id: sent.id,
  threadId: sent.threadId,
  messageId: await messageIdOf(sent.id),
  added: history.data.history.flatMap(({ messagesAdded = [] }) => messagesAdded.map(({ message }) => message.id)),
  found,
  ours: await messageIdOf(ours.gmail),
  refused: await refusal(() => users.drafts.get({ ...me, id: gone }, { retry: false })),
};

const graph = Client.init({ baseUrl: graphUrl, authProvider: (done) => done(null, token) });
// To a place without TLS the client gives no token
const at = (path) => graph.api(path).headers({ Prefer: 'IdType="ImmutableId"', authorization: `Bearer ${token}` });
const base64 = Buffer.from(raw, "base64url").toString("base64");
const made = await at("/me/messages").header("Content-Type", "text/plain").post(base64);
const drafts = await at("/me/mailFolders/drafts/messages").select("createdDateTime,internetMessageHeaders").get();
await at(`/me/messages/${made.id}/send`).post();
const select = "isDraft,internetMessageId";
let copy = made;
for (let look = 0; look < 100 && copy.isDraft; look++) copy = await at(`/me/messages/${made.id}`).select(select).get();
const changes = await at("/me/mailFolders/sentitems/messages/delta").select(select).get();
const own = await at(`/me/messages/${ours.graph}`).select(select).get();
const atGraph = {
  drafts: drafts.value.map(({ id, internetMessageHeaders: headers }) => [id === made.id, headers[0].value]),
  id: made.id,
  isDraft: copy.isDraft,
  messageId: copy.internetMessageId,
  added: changes.value.map(({ id }) => id),
  hasLink: typeof changes["@odata.deltaLink"] === "string",
  ours: own.internetMessageId,
  refused: await refusal(() => at(`/me/messages/${gone}`).get()),
};
console.log(JSON.stringify({ gmail: atGmail, graph: atGraph }));
