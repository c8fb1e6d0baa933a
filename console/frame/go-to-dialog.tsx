import { useNavigate } from "@tanstack/react-router";
import fileText from "lucide/dist/esm/icons/file-text.mjs";
import mail from "lucide/dist/esm/icons/mail.mjs";
import messageSquare from "lucide/dist/esm/icons/message-square.mjs";
import send from "lucide/dist/esm/icons/send.mjs";
import user from "lucide/dist/esm/icons/user.mjs";
import users from "lucide/dist/esm/icons/users.mjs";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { isNamed } from "../../domain/fold.ts";
import type { Out } from "../api/call.ts";
import { useWorkspaceId } from "../api/path-id.ts";
import { useCall } from "../api/query.ts";
import { RefusalAlert } from "../kit/alert.tsx";
import { Icon, type Shapes } from "../kit/icon.tsx";
import { Modal } from "../kit/modal.tsx";
import { type PagePath, pathTo, To } from "../kit/to.tsx";
import { goToWords as says } from "../words/en/frame.ts";
import { words } from "../words/en.ts";
import { useRooms } from "./navigation.tsx";

/**
 * Opens a page or a record by its name: Enter opens the first one found, and the arrow keys move through all of them.
 * Pages are found at once, records when the service has searched.
 */
export function GoToDialog({ onClose }: { onClose: () => void }) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState("");
  const pages = useRooms().rooms.flatMap((room) =>
    room.pages.map(({ name, page }) => ({ name, page, icon: room.icon, room: room.name })),
  );
  const found = pages.filter(({ name, room }) => isNamed(typed, [name, room]));
  const { hits, isLooking, partial, refusal, again } = useHits(typed.trim());
  const go = (event: FormEvent) => {
    event.preventDefault();
    const [first] = [...found, ...hits];
    if (first === undefined) return;
    onClose();
    const { page, ids, view }: Target = first;
    void navigate({ to: pathTo(workspaceId, page, ids), search: view ?? {} });
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    if (step === undefined || links.length === 0) return;
    event.preventDefault();
    const at = links.findIndex((link) => link.matches(":focus"));
    links.at((at < 0 && step < 0 ? links.length : at + step + links.length) % links.length)?.focus();
  };
  return (
    <Modal title={words.frame.goTo} onClose={onClose}>
      <form onSubmit={go} onKeyDown={move}>
        <input
          className="palette-input"
          aria-label={says.name}
          placeholder={says.hint}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <ul ref={list} className="palette">
          {found.map(({ name, page, icon, room }) => (
            <li key={page}>
              <To page={page} onOpen={onClose}>
                <Icon of={icon} />
                {name}
                {room !== name && <span className="fine">{room}</span>}
              </To>
            </li>
          ))}
          {hits.map(({ kind, id, title, detail, ...target }) => (
            <li key={id}>
              <To {...target} onOpen={onClose}>
                <Icon of={ICONS[kind]} />
                <bdi>{title}</bdi>
                <span className="fine">
                  <bdi>{detail === null ? says.kinds[kind] : `${says.kinds[kind]} · ${detail}`}</bdi>
                </span>
              </To>
            </li>
          ))}
        </ul>
        {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
        <p className="fine" role="status">
          {isLooking
            ? words.looking
            : partial.length > 0
              ? says.late(partial.map((kind) => says.many[kind]).join(", "))
              : found.length + hits.length === 0 && refusal === null
                ? words.nothingFound
                : ""}
        </p>
      </form>
    </Modal>
  );
}

interface Target {
  page: PagePath;
  ids?: Readonly<Record<string, string>>;
  view?: Readonly<Record<string, string>>;
}

type Hit = Out<"get /search">["results"][number];
type HitKind = Hit["kind"];

const ICONS: Record<HitKind, Shapes> = {
  CAMPAIGN: send,
  LEAD: user,
  LIST: users,
  MAILBOX: mail,
  THREAD: messageSquare,
  TEMPLATE: fileText,
};

/** Where a record opens. */
function targetOf({ kind, id, state }: Hit): Target {
  switch (kind) {
    case "CAMPAIGN":
      return { page: "/campaigns/$campaignId", ids: { campaignId: id } };
    case "LEAD":
      return { page: "/leads/$leadId", ids: { leadId: id } };
    case "LIST":
      return { page: "/leads", view: { list: id } };
    case "MAILBOX":
      return { page: "/mailboxes/$mailboxId", ids: { mailboxId: id } };
    case "THREAD":
      return { page: "/inbox", view: { open: id, ...(state === "ARCHIVED" && { view: "archived" }) } };
    case "TEMPLATE":
      return { page: "/templates", view: { open: id } };
  }
}

/** Milliseconds after the last key until the service searches. */
const TYPED_MS = 250;

/** The records that match, none until two characters are typed. */
function useHits(typed: string) {
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isOff = q.length < 2;
  const { data, isLooking, refusal, again } = useCall("get /search", { q, limit: 4 }, { isOff });
  // The results for an earlier text are never shown beside a later one
  const results = isOff || q !== typed || isLooking || refusal !== null ? [] : (data?.results ?? []);
  return {
    hits: results.map((hit) => ({ ...hit, ...targetOf(hit) })),
    isLooking: typed.length >= 2 && (q !== typed || isLooking),
    partial: isOff || refusal !== null ? [] : (data?.partial ?? []),
    refusal: isOff ? null : refusal,
    again,
  };
}
