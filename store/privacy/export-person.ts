import { recordsOf } from "./holding.ts";
import { type DataSubject, knowPerson } from "./person.ts";
import { HOLDINGS, KEPT, SHARED_HOLDINGS } from "./table.ts";

const FORMAT = "outreach-person/1";

/**
 * The JSON document with everything about a person, in parts: by kind of data, each with its source. Texts of other
 * people are left out (rules/evidence 4.2).
 */
export async function* personDocument(workspaceId: string, person: DataSubject, madeAt: Date): AsyncGenerator<string> {
  const known = await knowPerson(workspaceId, person);
  const { addresses, names, sharedAddresses } = known;
  const head = { format: FORMAT, workspaceId, madeAt, addresses, names, sharedAddresses, kept: KEPT };
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`;
  let isFirst = true;
  const sections = [
    ...HOLDINGS.map((one) => ({ ...one.holding, records: () => recordsOf(one, known) })),
    ...SHARED_HOLDINGS.map(({ holding }) => ({ ...holding, records: () => holding.records(known) })),
  ];
  for (const { what, source, records } of sections) {
    let count = 0;
    for await (const record of await records()) {
      const opening = `${isFirst ? "" : ","}${JSON.stringify({ kind: what, source }).slice(0, -1)},"records":[`;
      yield `${count === 0 ? opening : ","}${JSON.stringify(record)}`;
      count++;
      isFirst = false;
    }
    if (count > 0) yield "]}";
  }
  yield "]}";
}
