// The vendors' own clients ask a stand-in what our adapters ask it. Its orders come by stdin; the last line it prints is what they found.
import { text } from "node:stream/consumers";
import { Client } from "@hubspot/api-client";
import jsforce from "jsforce";
import * as v1 from "pipedrive/v1";
import * as v2 from "pipedrive/v2";

const { url, codes, clientId, clientSecret, fields, at } = JSON.parse(await text(process.stdin));
const redirectUri = "http://localhost:3000/back";
const found = {};
/** Whether the client says that it was refused. */
const refusal = (call) =>
  call().then(
    () => null,
    (error) => ({ told: String(error?.code ?? error?.errorCode ?? error?.message ?? "refused") }),
  );

{
  const oauth2 = new jsforce.OAuth2({ loginUrl: url, clientId, clientSecret, redirectUri });
  const first = await oauth2.requestToken(codes.SALESFORCE);
  const { access_token: accessToken } = await oauth2.refreshToken(first.refresh_token);
  const own = new jsforce.Connection({ instanceUrl: first.instance_url, accessToken, version: "65.0" });
  const views = await own.sobject("Contact").listviews();
  await own.sobject("Lead").listviews();
  const view = await own.request(views.listviews[0].describeUrl);
  const columns = ["Id", ...fields.SALESFORCE, "HasOptedOutOfEmail"].join(", ");
  const soql = view.query.replace(/^SELECT .+? FROM /, `SELECT ${columns} FROM `);
  const emails = [];
  const headers = { "Sforce-Query-Options": "batchSize=500" };
  for (
    let page = await own.query(soql, { autoFetch: false, headers });
    ;
    page = await own.queryMore(page.nextRecordsUrl, { headers })
  ) {
    emails.push(...page.records.map(({ Email }) => Email));
    if (page.done) break;
  }
  const task = {
    WhoId: "0031",
    Subject: "Mail sent: Spring",
    TaskSubtype: "Email",
    Status: "Completed",
    ActivityDate: at.slice(0, 10),
    Description: "Mail sent.",
  };
  await own.sobject("Task").create(task);
  await own.sobject("Contact").update({ Id: "0031", HasOptedOutOfEmail: true });
  const refused = await refusal(() =>
    own.request({ method: "GET", url: "/sobjects/Contact/listviews/none/describe", headers: { "x-refuse": "1" } }),
  );
  found.SALESFORCE = { emails, refused };
}
{
  const oauth2 = new v2.OAuth2Configuration({ clientId, clientSecret, redirectUri });
  oauth2.host = url;
  await oauth2.authorize(codes.PIPEDRIVE);
  await oauth2.tokenRefresh();
  const accessToken = () => oauth2.accessToken;
  const one = new v1.Configuration({ accessToken, basePath: `${url}/api/v1` });
  const two = new v2.Configuration({ accessToken, basePath: `${url}/api/v2` });
  await new v1.FiltersApi(one).getFilters({ type: "people" });
  const emails = [];
  for (let cursor; ; ) {
    const page = await new v2.PersonsApi(two).getPersons({
      filter_id: 7,
      include_fields: "marketing_status",
      limit: 500,
      cursor,
    });
    emails.push(...page.data.map((person) => person.emails[0].value));
    cursor = page.additional_data.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  const of = {
    due_date: at.slice(0, 10),
    due_time: at.slice(11, 16),
    participants: [{ person_id: 1, primary: true }],
    note: "Mail sent.",
  };
  await new v2.ActivitiesApi(two).addActivity({
    AddActivityRequest: { subject: "Mail sent: Spring", type: "email", done: true, ...of },
  });
  await new v2.PersonsApi(two).updatePerson({ id: 1, UpdatePersonRequest: { marketing_status: "unsubscribed" } });
  const refused = await refusal(() =>
    new v2.PersonsApi(two).getPersons({ filter_id: 8 }, { headers: { "x-refuse": "1" } }),
  );
  found.PIPEDRIVE = { emails, refused };
}
{
  const hub = new Client({ basePath: url, numberOfApiCallRetries: 0 });
  const first = await hub.oauth.tokensApi.create(
    "authorization_code",
    codes.HUBSPOT,
    redirectUri,
    clientId,
    clientSecret,
  );
  const next = await hub.oauth.tokensApi.create(
    "refresh_token",
    undefined,
    undefined,
    clientId,
    clientSecret,
    first.refreshToken,
  );
  hub.setAccessToken(next.accessToken);
  const listed = {
    query: "",
    offset: 0,
    count: 100,
    additionalProperties: ["hs_list_size"],
    listIds: [],
    processingTypes: [],
  };
  await hub.crm.lists.listsApi.doSearch(listed);
  const emails = [];
  const properties = [...fields.HUBSPOT, "hs_email_optout"];
  for (let after; ; ) {
    const members = await hub.crm.lists.membershipsApi.getPage("7", after, undefined, 200);
    const inputs = members.results.map(({ recordId }) => ({ id: recordId }));
    const read = await hub.crm.contacts.batchApi.read({ inputs, properties, propertiesWithHistory: [] });
    emails.push(...read.results.map((contact) => contact.properties.email));
    after = members.paging?.next?.after;
    if (after === undefined) break;
  }
  const types = [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: 198 }];
  const mail = {
    hs_email_direction: "EMAIL",
    hs_email_status: "SENT",
    hs_email_subject: "Mail sent: Spring",
    hs_email_text: "Mail sent.",
  };
  await hub.crm.objects.emails.basicApi.create({
    properties: { hs_timestamp: at, ...mail },
    associations: [{ to: { id: "1" }, types }],
  });
  const { subscriptionStatuses } = await hub.communicationPreferences.statusApi.getEmailStatus("p1@x.example");
  for (const { id, status } of subscriptionStatuses) {
    if (status !== "NOT_SUBSCRIBED")
      await hub.communicationPreferences.statusApi.unsubscribe({ emailAddress: "p1@x.example", subscriptionId: id });
  }
  const refused = await refusal(() => hub.crm.lists.membershipsApi.getPage("8"));
  found.HUBSPOT = { emails, refused };
}
console.log(JSON.stringify(found));
