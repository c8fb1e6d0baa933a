import type { ItemOf } from "../../api/call.ts";
import { To } from "../../kit/to.tsx";
import { ACTOR, idInWords, auditWords as says } from "../../words/en/access/audit.ts";
import { formatFully } from "../../words/format.ts";
import type { NameOf } from "./reads.ts";

export type Entry = ItemOf<"get /audit-log">;

export function textsOf(values: readonly unknown[]): string[] {
  return values.flat().filter((one) => typeof one === "string");
}

export function Actor({ actor: { kind, id }, nameOf }: { actor: Entry["actor"]; nameOf: NameOf }) {
  return (
    <>
      <bdi>{nameOf(id) ?? id}</bdi>
      {kind !== "CONSOLE" && <span className="fine"> {ACTOR[kind]}</span>}
    </>
  );
}

const SHOWN = 3;

/** The objects that an entry is about, by name if it is known, with a link if the object is a campaign. */
export function Target({ entry: { target, actor }, nameOf }: { entry: Entry; nameOf: NameOf }) {
  const named = Object.entries(target).flatMap(([field, value]) =>
    textsOf([value].flat()).map((id) => ({ field, id })),
  );
  // The actor already has a column
  const all = named.filter(({ id }) => id !== actor.id || named.length === 1);
  if (all.length === 0) return "–";
  return (
    <>
      {all.slice(0, SHOWN).map(({ field, id }) => (
        <div key={`${field} ${id}`}>
          {field !== "id" && <span className="fine">{idInWords(field)} </span>}
          <Named field={field} id={id} nameOf={nameOf} />
        </div>
      ))}
      {all.length > SHOWN && "…"}
    </>
  );
}

function Named({ field, id, nameOf }: { field: string; id: string; nameOf: NameOf }) {
  if (field !== "campaignId") return <bdi>{nameOf(id) ?? id}</bdi>;
  return (
    <To page="/campaigns/$campaignId" ids={{ campaignId: id }}>
      {id}
    </To>
  );
}

/** Everything that the log stores about one entry. */
export function Details({ entry }: { entry: Entry }) {
  const { seq, at, action, actor, code, target, fields, changed, ip, traceId } = entry;
  const facts = [
    { name: says.entry, value: String(seq) },
    { name: says.when, value: formatFully(at) },
    { name: says.action, value: action },
    { name: says.actor, value: `${ACTOR[actor.kind]} ${actor.id}` },
    { name: says.code, value: code },
    { name: says.target, value: textsOf(Object.values(target)).join(", ") },
    { name: says.fields, value: fields.join(", ") },
    { name: says.changed, value: changed.join(", ") },
    { name: says.ip, value: ip },
    { name: says.trace, value: traceId },
  ];
  return (
    <dl className="facts">
      {facts
        .filter(({ value }) => value !== null && value !== "")
        .map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
